// Keys of the config's `train` section.
#pragma once

#include <array>
#include <string_view>

#include "base/describe.h"

namespace rf {

enum class OptimizerKind { kSgd, kAdam, kAdamw };
inline constexpr std::array<std::string_view, 3> kOptimizerNames = {"sgd", "adam", "adamw"};
enum class Schedule { kConstant, kKlAdaptive };
inline constexpr std::array<std::string_view, 2> kScheduleNames = {"constant", "kl_adaptive"};
enum class StartFrom { kChampion, kLast };
inline constexpr std::array<std::string_view, 2> kStartFromNames = {"champion", "last"};

struct TrainConfig {
  int batch_size = 256;
  int ghost_batch = 0;
  double reuse = 4;
  int epochs_per_batch = 1;
  int min_unique_rows = 1;
  OptimizerKind optimizer = OptimizerKind::kAdamw;
  double learning_rate = 1e-3;
  double momentum = 0.9;
  double weight_decay = 1e-4;
  double value_weight = 1;
  double clip_norm = 0;
  Schedule schedule = Schedule::kConstant;
  double kl_target = 0.02;
  double kl_stop_factor = 4;
  double kl_adapt_factor = 1.5;
  double kl_multiplier_min = 0.1;
  double kl_multiplier_max = 10;
  StartFrom start_from = StartFrom::kLast;
  double checkpoint_seconds = 30;
  int threads = 0;
};

template <class V>
void describe(V& v, TrainConfig& c) {
  v.number("batch_size", c.batch_size, 2, 1 << 20, "rows",
           "rows of one batch, augmented rows of the window in shuffled order; over ranks, of all of them");
  v.number(
      "ghost_batch", c.ghost_batch, 0, 1 << 20, "rows",
      "batch norm in groups of this many rows, by which ranks share a batch: a divisor of batch_size; 0 = "
      "the whole batch, on one rank");
  v.number(
      "reuse", c.reuse, 0.001, 10000.0, "passes",
      "how often each new unique row is seen on average: batches = reuse * new unique rows / batch_size");
  v.number("epochs_per_batch", c.epochs_per_batch, 1, 1000, "steps", "optimiser steps on the same batch");
  v.number("min_unique_rows", c.min_unique_rows, 1, 2000000000, "rows",
           "with fewer unique rows in the window training refuses and says so");
  v.choice("optimizer", c.optimizer, kOptimizerNames,
           "adam adds the decay to the gradient (L2), adamw to the weights");
  v.number("learning_rate", c.learning_rate, 1e-9, 10.0, "", "step size");
  v.number("momentum", c.momentum, 0.0, 0.9999, "", "momentum of sgd, beta1 of adam and adamw");
  v.number("weight_decay", c.weight_decay, 0.0, 1.0, "",
           "on kernels and matrices, not on biases or batch norm");
  v.number("value_weight", c.value_weight, 0.0, 1000.0, "",
           "loss = policy cross-entropy + value_weight * mean squared value error");
  v.number("clip_norm", c.clip_norm, 0.0, 1e6, "", "longest gradient; 0 never shortens it");
  v.choice("schedule", c.schedule, kScheduleNames,
           "constant, or kl_adaptive: the rate follows the KL divergence of the policy before and after a "
           "batch (AlphaZero_Gomoku)");
  v.number("kl_target", c.kl_target, 1e-6, 100.0, "nats",
           "kl_adaptive: divergence aimed at, measured in evaluation mode, so that moving statistics of "
           "batch norm count too");
  v.number("kl_stop_factor", c.kl_stop_factor, 1.0, 1e6, "",
           "kl_adaptive: above target * this the remaining epochs of the batch are left out");
  v.number("kl_adapt_factor", c.kl_adapt_factor, 1.0, 100.0, "",
           "kl_adaptive: the rate is divided by this above 2 * target, multiplied below target / 2");
  v.number("kl_multiplier_min", c.kl_multiplier_min, 1e-6, 1.0, "",
           "kl_adaptive: smallest multiplier of the rate");
  v.number("kl_multiplier_max", c.kl_multiplier_max, 1.0, 1e6, "",
           "kl_adaptive: largest multiplier of the rate");
  v.choice("start_from", c.start_from, kStartFromNames,
           "weights and optimiser to go on from: the champion's, or those of the last candidate");
  v.number("checkpoint_seconds", c.checkpoint_seconds, 0.05, 86400.0, "s",
           "time between checkpoints: the most that a crash can lose");
  v.number("threads", c.threads, 0, 4096, "threads",
           "processor threads of the trainer, on each rank; 0 = all that it may use, shared with the ranks "
           "beside it");
}

}  // namespace rf
