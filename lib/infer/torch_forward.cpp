#include "infer/torch_forward.h"

#include <torch/torch.h>

#include <algorithm>

#include "torchnet/torch_net.h"
#include "torchnet/torch_setup.h"

namespace rf {

struct TorchForward::Parts {
  TorchNet net;
  torch::Tensor input;          // planes_, [rows, C, H, W] and channels last
  torch::Tensor policy, value;  // of the last run, [rows, A] and [rows, 1]
};

TorchForward::TorchForward(const FoldedNetwork& network, int rows)
    : ForwardPass(network.architecture, std::max(rows, 2)), facts_{"torch", torch_version(), "f32", ""} {
  const c10::InferenceMode guard;
  const Architecture& a = network.architecture;
  parts_ = std::make_unique<Parts>(Parts{
      TorchNet(a, network.weights),
      torch::from_blob(planes_.data(), {std::max(rows, 2), a.rows, a.cols, a.planes}).permute({0, 3, 1, 2}),
      {},
      {}});
}

TorchForward::~TorchForward() = default;

void TorchForward::run(int rows) {
  if (rows == 0) return;
  const c10::InferenceMode guard;
  // One position alone takes a slow path in LibTorch (im2col); two cost hardly more.
  const NetOutput out = parts_->net.forward(parts_->input.narrow(0, 0, std::max(rows, 2)), false);
  parts_->policy = out.policy_logits.contiguous();
  parts_->value = out.value.contiguous();
}

void TorchForward::logits(int row, std::span<const int> actions, std::span<float> logits) {
  const float* all = parts_->policy.data_ptr<float>() + row * parts_->policy.size(1);
  for (std::size_t i = 0; i < actions.size(); ++i) logits[i] = all[actions[i]];
}

float TorchForward::value(int row) {
  return parts_->value.data_ptr<float>()[row];
}

}  // namespace rf
