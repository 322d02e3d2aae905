// SGD with momentum, Adam (Kingma and Ba 2015) and AdamW (Loshchilov and Hutter 2019) over one flat buffer.
// All trained tensors are views of it, so that a checkpoint is three vectors and a sum over ranks is one
// call.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <span>
#include <vector>

#include "learn/config.h"
#include "torchnet/torch_net.h"

namespace rf {

// What a resumed run needs besides the weights; every vector has one entry per trained value.
struct OptimizerState {
  std::int64_t steps = 0;
  std::vector<float> first;   // momentum buffer, or first moment
  std::vector<float> second;  // second moment; empty for sgd
};

class FlatOptimizer {
 public:
  // Rebinds the trained tensors of `net` to views of the flat buffer, with gradients. `net` must outlive it.
  // `tail`: numbers kept behind the gradient that go through a sum over ranks with it.
  FlatOptimizer(TorchNet& net, const TrainConfig& config, std::int64_t tail = 0);

  void zero_gradients() { gradient_.zero_(); }
  torch::Tensor& gradient() { return gradient_; }  // [P]
  // The gradient and the tail, one buffer: [P + tail]
  std::span<float> to_sum() { return {to_sum_.data_ptr<float>(), std::size_t(to_sum_.numel())}; }
  std::span<float> tail() { return to_sum().subspan(std::size_t(gradient_.numel())); }
  // Length of the gradient; shortens it to `longest` when that is above 0.
  double clip_gradient(double longest);
  void step(double learning_rate);

  std::int64_t steps() const { return steps_; }  // taken so far, over all iterations
  OptimizerState state() const;
  // Throws Error(kBadData) when the state belongs to another network or optimiser.
  void restore(const OptimizerState& state);

 private:
  TrainConfig config_;
  torch::Tensor to_sum_;                                        // [P + tail]
  torch::Tensor values_, gradient_, first_, second_, decayed_;  // [P]; decayed_: 1 where weight decay applies
  std::int64_t steps_ = 0;
};

}  // namespace rf
