#include "learn/flat_optimizer.h"

#include <cmath>
#include <cstring>

#include "base/error.h"

namespace rf {
namespace {

constexpr double kBeta2 = 0.999, kEpsilon = 1e-8;

// Part of a flat buffer in the shape of a tensor; kernels in channels-last order.
torch::Tensor view_of(const torch::Tensor& flat, std::int64_t offset, const TensorSpec& spec) {
  const torch::Tensor part = flat.narrow(0, offset, spec.size());
  if (spec.shape.size() != 4) return part.view(spec.shape).detach();
  const auto& s = spec.shape;  // [out, in, k, k]
  return part.view({s[0], s[2], s[3], s[1]}).permute({0, 3, 1, 2}).detach();
}

std::vector<float> to_vector(const torch::Tensor& tensor) {
  return {tensor.data_ptr<float>(), tensor.data_ptr<float>() + tensor.numel()};
}

}  // namespace

FlatOptimizer::FlatOptimizer(TorchNet& net, const TrainConfig& config, std::int64_t tail) : config_(config) {
  const auto specs = tensor_specs(net.architecture());
  std::int64_t total = 0;
  for (const TensorSpec& spec : specs) total += spec.trained ? spec.size() : 0;
  values_ = torch::zeros({total});
  to_sum_ = torch::zeros({total + tail});
  gradient_ = to_sum_.narrow(0, 0, total);
  first_ = torch::zeros({total});
  if (config.optimizer != OptimizerKind::kSgd) second_ = torch::zeros({total});
  decayed_ = torch::zeros({total});
  std::int64_t offset = 0;
  for (const TensorSpec& spec : specs) {
    if (!spec.trained) continue;
    torch::Tensor& tensor = net.tensors().at(spec.name);
    torch::Tensor view = view_of(values_, offset, spec);
    view.copy_(tensor);
    tensor = view;
    tensor.requires_grad_(true);
    tensor.mutable_grad() = view_of(gradient_, offset, spec);
    if (spec.shape.size() > 1) decayed_.narrow(0, offset, spec.size()).fill_(1);
    offset += spec.size();
  }
}

double FlatOptimizer::clip_gradient(double longest) {
  const double norm = gradient_.norm().item<double>();
  if (longest > 0 && norm > longest) gradient_.mul_(longest / norm);
  return norm;
}

void FlatOptimizer::step(double learning_rate) {
  const torch::NoGradGuard guard;
  ++steps_;
  const double decay = config_.weight_decay;
  if (config_.optimizer == OptimizerKind::kAdamw) {
    values_.addcmul_(values_, decayed_, -learning_rate * decay);
  } else if (decay > 0) {
    gradient_.addcmul_(values_, decayed_, decay);
  }
  if (config_.optimizer == OptimizerKind::kSgd) {
    first_.mul_(config_.momentum).add_(gradient_);
    values_.add_(first_, -learning_rate);
    return;
  }
  first_.mul_(config_.momentum).add_(gradient_, 1 - config_.momentum);
  second_.mul_(kBeta2).addcmul_(gradient_, gradient_, 1 - kBeta2);
  const double bias1 = 1 - std::pow(config_.momentum, double(steps_));
  const double bias2 = 1 - std::pow(kBeta2, double(steps_));
  const torch::Tensor denominator = second_.sqrt().div_(std::sqrt(bias2)).add_(kEpsilon);
  values_.addcdiv_(first_, denominator, -learning_rate / bias1);
}

OptimizerState FlatOptimizer::state() const {
  return {steps_, to_vector(first_), second_.defined() ? to_vector(second_) : std::vector<float>{}};
}

void FlatOptimizer::restore(const OptimizerState& state) {
  const std::size_t expected_second = second_.defined() ? std::size_t(second_.numel()) : 0;
  if (state.first.size() != std::size_t(first_.numel()) || state.second.size() != expected_second) {
    fail(ExitCode::kBadData,
         "the optimiser state has " + std::to_string(state.first.size()) + " and " +
             std::to_string(state.second.size()) + " values",
         "this network and optimiser need " + std::to_string(first_.numel()) + " and " +
             std::to_string(expected_second));
  }
  steps_ = state.steps;
  std::memcpy(first_.data_ptr<float>(), state.first.data(), state.first.size() * sizeof(float));
  if (second_.defined()) {
    std::memcpy(second_.data_ptr<float>(), state.second.data(), state.second.size() * sizeof(float));
  }
}

}  // namespace rf
