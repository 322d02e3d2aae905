#include "infer/torch_evaluator.h"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "games/symmetry.h"
#include "torchnet/torch_net.h"

namespace rf {

struct TorchEvaluator::Parts {
  TorchNet net;
  torch::Tensor input;  // [max_batch, H, W, C]: channels last in memory
};

TorchEvaluator::TorchEvaluator(const Game& game, const Architecture& architecture, const Weights& weights,
                               std::string digest, int max_batch)
    : game_(game), digest_(std::move(digest)), max_batch_(max_batch) {
  const GameSpec& spec = game.spec();
  if (architecture.game_id != spec.id) {
    fail(ExitCode::kBadData, "the network plays '" + architecture.game_id + "'",
         "this run plays '" + spec.id + "'");
  }
  const FoldedNetwork folded = fold_batch_norm(architecture, weights);
  const c10::InferenceMode guard;
  parts_ = std::make_unique<Parts>(
      Parts{TorchNet(folded.architecture, folded.weights),
            torch::zeros({max_batch, spec.shape.rows, spec.shape.cols, spec.shape.planes})});
  for (const Symmetry& symmetry : spec.symmetries) inverse_action_.push_back(inverse_map(symmetry.action));
  planes_.resize(std::size_t(spec.shape.size()));
  logits_.resize(std::size_t(spec.num_actions));
}

TorchEvaluator::~TorchEvaluator() = default;

int TorchEvaluator::submit(std::span<const EvalRequest> batch) {
  RF_ASSERT(batch.size() <= std::size_t(max_batch_));
  const c10::InferenceMode guard;
  const GameSpec& spec = game_.spec();
  const std::size_t C = std::size_t(spec.shape.planes), cells = std::size_t(spec.shape.cells());
  float* row = parts_->input.data_ptr<float>();
  for (const EvalRequest& request : batch) {
    request.state->encode(planes_);
    const std::vector<int>& map = spec.symmetries[std::size_t(request.symmetry)].cell;
    for (std::size_t k = 0; k < cells; ++k) {
      for (std::size_t c = 0; c < C; ++c) row[k * C + c] = planes_[c * cells + std::size_t(map[k])];
    }
    row += cells * C;
  }
  const auto n = std::int64_t(batch.size());
  // One position alone takes a slow path in LibTorch (im2col); two cost hardly more.
  const std::int64_t padded = std::min<std::int64_t>(std::max<std::int64_t>(n, 2), max_batch_);
  const NetOutput out = parts_->net.forward(parts_->input.narrow(0, 0, padded).permute({0, 3, 1, 2}), false);
  const torch::Tensor policy = out.policy_logits.contiguous(), value = out.value.contiguous();
  for (std::int64_t i = 0; i < n; ++i) {
    const EvalRequest& request = batch[std::size_t(i)];
    const float* image = policy.data_ptr<float>() + i * spec.num_actions;
    const std::vector<int>& inverse = inverse_action_[std::size_t(request.symmetry)];
    for (Action a : request.legal) logits_[std::size_t(a)] = image[inverse[std::size_t(a)]];
    const float v = value.data_ptr<float>()[i];
    const bool usable = softmax_legal(logits_, request.legal, request.prior) && std::isfinite(v);
    repaired_ += !usable;
    *request.value = std::isfinite(v) ? std::clamp(v, -1.f, 1.f) : 0.f;
  }
  return 0;
}

}  // namespace rf
