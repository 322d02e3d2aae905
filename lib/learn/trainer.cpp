#include "learn/trainer.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace rf {
namespace {

// A healthy loss is some nats; with batch norm and saturated heads a ruined network can still have a finite
// one.
constexpr double kLargestLoss = 1e6;

// The data is only read.
torch::Tensor wrap(std::span<const float> data, torch::IntArrayRef shape) {
  return torch::from_blob(const_cast<float*>(data.data()), shape, torch::kFloat32);
}

[[noreturn]] void fail_diverged(std::int64_t step, const std::string& why) {
  fail(ExitCode::kBadData, "training diverged at step " + std::to_string(step), why,
       "lower train.learning_rate or set train.clip_norm; the last good network is untouched");
}

}  // namespace

Trainer::Trainer(const Architecture& architecture, const Weights& weights, const TrainConfig& config)
    : config_(config), net_(architecture, weights), optimizer_(net_, config) {}

Trainer::Batch Trainer::make_batch(std::span<const float> planes, std::span<const float> policy,
                                   std::span<const float> value) const {
  const Architecture& a = net_.architecture();
  const auto B = std::int64_t(value.size());
  RF_ASSERT(std::int64_t(planes.size()) == B * a.planes * a.cells());
  RF_ASSERT(std::int64_t(policy.size()) == B * a.num_actions);
  return {wrap(planes, {B, a.planes, a.rows, a.cols}).contiguous(torch::MemoryFormat::ChannelsLast),
          wrap(policy, {B, a.num_actions}), wrap(value, {B, 1})};
}

void Trainer::describe_output(const NetOutput& out, const Batch& batch, BatchStats& stats) const {
  const torch::NoGradGuard guard;
  const torch::Tensor log_p = torch::log_softmax(out.policy_logits.detach(), 1);
  stats.entropy = -(log_p.exp() * log_p).sum(1).mean().item<double>();
  // 0 * log 0 counts as 0.
  stats.target_entropy = -torch::xlogy(batch.policy, batch.policy).sum(1).mean().item<double>();
  stats.top1 = (log_p.argmax(1) == batch.policy.argmax(1)).to(torch::kFloat32).mean().item<double>();
}

BatchStats Trainer::train(std::span<const float> planes, std::span<const float> policy,
                          std::span<const float> value) {
  const Batch batch = make_batch(planes, policy, value);
  const bool adaptive = config_.schedule == Schedule::kKlAdaptive;
  BatchStats stats;
  stats.learning_rate = config_.learning_rate * rate_multiplier_;
  torch::Tensor log_before;
  if (adaptive) {
    const torch::NoGradGuard guard;
    log_before = torch::log_softmax(net_.forward(batch.planes, false).policy_logits, 1);
  }
  for (int epoch = 0; epoch < config_.epochs_per_batch; ++epoch) {
    optimizer_.zero_gradients();
    const NetOutput out = net_.forward(batch.planes, true);
    const torch::Tensor policy_loss =
        -(batch.policy * torch::log_softmax(out.policy_logits, 1)).sum(1).mean();
    const torch::Tensor value_loss = torch::mse_loss(out.value, batch.value);
    const torch::Tensor loss = policy_loss + config_.value_weight * value_loss;
    const double loss_value = loss.item<double>();
    loss.backward();
    const double norm = optimizer_.clip_gradient(config_.clip_norm);
    if (!(std::abs(loss_value) <= kLargestLoss) || !std::isfinite(norm)) {
      fail_diverged(steps() + 1,
                    "loss " + std::to_string(loss_value) + ", gradient norm " + std::to_string(norm));
    }
    if (epoch == 0) {
      stats.policy_loss = policy_loss.item<double>();
      stats.value_loss = value_loss.item<double>();
      stats.gradient_norm = norm;
      describe_output(out, batch, stats);
    }
    optimizer_.step(stats.learning_rate);
    ++stats.steps;
    if (adaptive) {
      const torch::NoGradGuard guard;
      const torch::Tensor log_after = torch::log_softmax(net_.forward(batch.planes, false).policy_logits, 1);
      stats.kl = (log_before.exp() * (log_before - log_after)).sum(1).mean().item<double>();
      if (stats.kl > config_.kl_target * config_.kl_stop_factor) break;
    }
  }
  if (adaptive) adapt_rate(stats.kl);
  return stats;
}

void Trainer::adapt_rate(double kl) {
  if (kl > config_.kl_target * 2) {
    rate_multiplier_ = std::max(config_.kl_multiplier_min, rate_multiplier_ / config_.kl_adapt_factor);
  } else if (kl < config_.kl_target / 2) {
    rate_multiplier_ = std::min(config_.kl_multiplier_max, rate_multiplier_ * config_.kl_adapt_factor);
  }
}

BatchStats Trainer::evaluate(std::span<const float> planes, std::span<const float> policy,
                             std::span<const float> value) {
  const torch::NoGradGuard guard;
  const Batch batch = make_batch(planes, policy, value);
  const NetOutput out = net_.forward(batch.planes, false);
  BatchStats stats;
  stats.policy_loss = -(batch.policy * torch::log_softmax(out.policy_logits, 1)).sum(1).mean().item<double>();
  stats.value_loss = torch::mse_loss(out.value, batch.value).item<double>();
  describe_output(out, batch, stats);
  return stats;
}

void Trainer::check_finite() const {
  for (const auto& [name, values] : weights()) {
    for (float value : values) {
      if (!std::isfinite(value)) fail_diverged(steps(), "loss unknown, " + name + " is not finite after it");
    }
  }
}

void Trainer::restore(const OptimizerState& state, double rate_multiplier) {
  optimizer_.restore(state);
  rate_multiplier_ = rate_multiplier;
}

}  // namespace rf
