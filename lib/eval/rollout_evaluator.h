// Equal priors and the outcome of one random game: with PUCT this is pure MCTS, the classic opponent.
#pragma once

#include "eval/evaluator.h"

namespace rf {

class RolloutEvaluator final : public Evaluator {
 public:
  // A rollout of more than `max_plies` plies counts as a draw. Random numbers follow from seed and the
  // request's salt, so an answer does not depend on the batch it came in.
  RolloutEvaluator(const Game& game, std::uint64_t seed, int max_plies);
  std::string id() const override { return "rollout"; }
  int max_batch() const override { return 4096; }
  int submit(std::span<const EvalRequest> batch) override;
  void wait(int) override {}

 private:
  std::uint64_t seed_;
  int max_plies_;
  std::unique_ptr<State> scratch_;
  std::vector<Action> legal_;
};

}  // namespace rf
