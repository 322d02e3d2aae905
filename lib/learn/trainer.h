// Loss, optimiser and learning-rate schedule of one network: takes batches, gives weights.
//   loss = cross-entropy(pi, softmax(policy logits)) + value_weight * (z - v)^2, means over the batch.
// Over ranks the trainer of each gets its rows of every batch. A step then has one sum over the ranks: of one
// buffer with the gradient, the running statistics of batch norm, losses and wishes (kl_adaptive: one more,
// of one number). All ranks take the same step, so that weights stay bit-equal on all.
#pragma once

#include <span>

#include "learn/config.h"
#include "learn/flat_optimizer.h"
#include "learn/rank_share.h"
#include "torchnet/torch_net.h"

namespace rf {

// Of one batch, over ranks of all its rows; losses are those of its first step, before the weights moved.
struct BatchStats {
  double policy_loss = 0;     // nats
  double value_loss = 0;      // mean squared error, value in [-1, 1]
  double target_entropy = 0;  // of pi, nats: the least the policy loss can be
  double entropy = 0;         // of the network's policy, nats
  double top1 = 0;            // share of rows whose best action is the target's best
  double gradient_norm = 0;
  double kl = 0;  // KL(policy before || after) of the batch; 0 unless the schedule is kl_adaptive
  double learning_rate = 0;
  int steps = 0;
};

class Trainer {
 public:
  Trainer(const Architecture& architecture, const Weights& weights, const TrainConfig& config,
          RankShare share = {});

  // planes [B, C, H, W], policy [B, A] rows summing to 1, value [B]; B: this rank's rows, a multiple of
  // config.ghost_batch. Collective over ranks. Throws Error(kBadData) naming the step when loss or gradient
  // is not finite or the loss beyond all reason, on all ranks; the weights are then not to be used.
  BatchStats train(std::span<const float> planes, std::span<const float> policy,
                   std::span<const float> value);
  // What any rank wished for during the last batch: the same on all ranks.
  RankWishes agreed() const { return agreed_; }
  // The same numbers without a step, in evaluation mode, of these rows alone.
  BatchStats evaluate(std::span<const float> planes, std::span<const float> policy,
                      std::span<const float> value);

  Weights weights() const { return net_.weights(); }
  // Throws the same error when the last step made a weight unusable, which train() sees one step later.
  void check_finite() const;
  OptimizerState optimizer_state() const { return optimizer_.state(); }
  // Of all that steps change: weights, statistics, optimiser and rate.
  std::uint64_t digest() const;
  double rate_multiplier() const { return rate_multiplier_; }
  std::int64_t steps() const { return optimizer_.steps(); }
  void restore(const OptimizerState& state, double rate_multiplier);

 private:
  struct Batch {
    torch::Tensor planes, policy, value;
  };
  Batch make_batch(std::span<const float> planes, std::span<const float> policy,
                   std::span<const float> value) const;
  void describe_output(const NetOutput& out, const Batch& batch, BatchStats& stats) const;
  // Gradient, running statistics and `stats` become those of all rows; gathers wishes.
  void sum_over_ranks(BatchStats& stats);
  double mean_over_ranks(double of_own_rows) const;
  void adapt_rate(double kl);

  TrainConfig config_;
  RankShare share_;
  RankWishes agreed_;
  TorchNet net_;
  FlatOptimizer optimizer_;
  double rate_multiplier_ = 1;
};

}  // namespace rf
