#include "learn/trainer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/digest.h"
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

// What is summed over ranks behind the gradient: running statistics, then these, then two wishes.
constexpr std::array kSummedStats = {&BatchStats::policy_loss, &BatchStats::value_loss,
                                     &BatchStats::target_entropy, &BatchStats::entropy, &BatchStats::top1};

std::int64_t tail_size(const Architecture& architecture) {
  auto size = std::int64_t(kSummedStats.size()) + 2;
  for (const TensorSpec& spec : tensor_specs(architecture)) size += spec.trained ? 0 : spec.size();
  return size;
}

[[noreturn]] void fail_diverged(std::int64_t step, const std::string& why) {
  fail(ExitCode::kBadData, "training diverged at step " + std::to_string(step), why,
       "lower train.learning_rate or set train.clip_norm; the last good network is untouched");
}

}  // namespace

Trainer::Trainer(const Architecture& architecture, const Weights& weights, const TrainConfig& config,
                 RankShare share)
    : config_(config),
      share_(std::move(share)),
      net_(architecture, weights),
      optimizer_(net_, config, share_.sum_in_place ? tail_size(architecture) : 0) {}

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

void Trainer::sum_over_ranks(BatchStats& stats) {
  const RankWishes own = share_.wishes ? share_.wishes() : RankWishes{};
  if (!share_.sum_in_place) {
    agreed_ = {agreed_.stop || own.stop, agreed_.checkpoint || own.checkpoint};
    return;
  }
  // The new statistics are linear in those of the groups, so their mean over the ranks is that of all groups.
  const auto share = float(share_.of_batch);
  std::vector<std::span<float>> statistics;
  for (const TensorSpec& spec : tensor_specs(net_.architecture())) {
    if (spec.trained) continue;
    statistics.emplace_back(net_.tensors().at(spec.name).data_ptr<float>(), std::size_t(spec.size()));
  }
  float* at = optimizer_.tail().data();
  for (const auto& values : statistics) {
    for (float value : values) *at++ = value * share;
  }
  for (auto number : kSummedStats) *at++ = float(stats.*number * share_.of_batch);
  *at++ = own.stop ? 1.f : 0.f;
  *at++ = own.checkpoint ? 1.f : 0.f;

  share_.sum_in_place(optimizer_.to_sum());

  at = optimizer_.tail().data();
  for (const auto& values : statistics) {
    for (float& value : values) value = *at++;
  }
  for (auto number : kSummedStats) stats.*number = *at++;
  if (*at++ > 0) agreed_.stop = true;
  if (*at++ > 0) agreed_.checkpoint = true;
}

double Trainer::mean_over_ranks(double of_own_rows) const {
  if (!share_.sum_in_place) return of_own_rows;
  auto mean = float(of_own_rows * share_.of_batch);
  share_.sum_in_place({&mean, 1});
  return mean;
}

BatchStats Trainer::train(std::span<const float> planes, std::span<const float> policy,
                          std::span<const float> value) {
  const Batch batch = make_batch(planes, policy, value);
  const bool adaptive = config_.schedule == Schedule::kKlAdaptive;
  const double rate = config_.learning_rate * rate_multiplier_;
  BatchStats stats;
  agreed_ = {};
  torch::Tensor log_before;
  if (adaptive) {
    const torch::NoGradGuard guard;
    log_before = torch::log_softmax(net_.forward(batch.planes, false).policy_logits, 1);
  }
  for (int epoch = 0; epoch < config_.epochs_per_batch; ++epoch) {
    optimizer_.zero_gradients();
    const NetOutput out = net_.forward(batch.planes, true, config_.ghost_batch);
    const torch::Tensor policy_loss =
        -(batch.policy * torch::log_softmax(out.policy_logits, 1)).sum(1).mean();
    const torch::Tensor value_loss = torch::mse_loss(out.value, batch.value);
    ((policy_loss + config_.value_weight * value_loss) * share_.of_batch).backward();
    BatchStats of_step;
    of_step.policy_loss = policy_loss.item<double>();
    of_step.value_loss = value_loss.item<double>();
    if (epoch == 0) describe_output(out, batch, of_step);
    sum_over_ranks(of_step);
    of_step.gradient_norm = optimizer_.clip_gradient(config_.clip_norm);
    const double loss = of_step.policy_loss + config_.value_weight * of_step.value_loss;
    if (!(std::abs(loss) <= kLargestLoss) || !std::isfinite(of_step.gradient_norm)) {
      fail_diverged(steps() + 1, "loss " + std::to_string(loss) + ", gradient norm " +
                                     std::to_string(of_step.gradient_norm));
    }
    if (epoch == 0) stats = of_step;
    optimizer_.step(rate);
    ++stats.steps;
    if (adaptive) {
      const torch::NoGradGuard guard;
      const torch::Tensor log_after = torch::log_softmax(net_.forward(batch.planes, false).policy_logits, 1);
      stats.kl = mean_over_ranks((log_before.exp() * (log_before - log_after)).sum(1).mean().item<double>());
      if (stats.kl > config_.kl_target * config_.kl_stop_factor) break;
    }
  }
  if (adaptive) adapt_rate(stats.kl);
  stats.learning_rate = rate;
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

std::uint64_t Trainer::digest() const {
  std::vector<std::uint64_t> parts;
  for (const auto& [name, values] : weights()) parts.push_back(digest64(std::span(values)));
  const OptimizerState state = optimizer_.state();
  parts.push_back(digest64(std::span(state.first)));
  parts.push_back(digest64(std::span(state.second)));
  parts.push_back(digest64(std::span(&rate_multiplier_, 1)));
  parts.push_back(std::uint64_t(state.steps));
  return digest64(std::span(std::as_const(parts)));
}

void Trainer::restore(const OptimizerState& state, double rate_multiplier) {
  optimizer_.restore(state);
  rate_multiplier_ = rate_multiplier;
}

}  // namespace rf
