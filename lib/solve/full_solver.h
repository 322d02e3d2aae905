// Whole games by exhaustive search with a memory: boards of up to 12 actions.
#pragma once

#include <unordered_map>

#include "solve/solver.h"

namespace rf {

class FullSolver final : public Solver {
 public:
  static constexpr int kMostActions = 12;
  static constexpr int kWin = 100;  // minus the plies until it

  // For games of up to kMostActions actions in which no action is played twice, and whose states with equal
  // hash() go on alike unless terminal.
  explicit FullSolver(const Game& game);
  std::string unit() const override;
  // Always solves. The winner hurries and the loser delays, which the values show; but best are all moves
  // that keep the win, the draw or the loss.
  std::optional<Solution> solve(const State& state) override;

 private:
  int value(int depth);
  int value_after(int depth, Action action);

  std::vector<std::unique_ptr<State>> states_;    // one for each depth
  std::vector<std::vector<Action>> legal_;        // likewise
  std::unordered_map<std::uint64_t, int> known_;  // by hash, never of terminal states
};

}  // namespace rf
