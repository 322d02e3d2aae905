#include "solve/full_solver.h"

#include <algorithm>

#include "base/error.h"

namespace rf {

FullSolver::FullSolver(const Game& game) : legal_(std::size_t(game.spec().max_plies + 1)) {
  if (game.spec().num_actions > kMostActions) {
    fail(ExitCode::kUsage, "the solver of " + game.spec().name + " is for small boards",
         std::to_string(game.spec().num_actions) + " cells", "at most " + std::to_string(kMostActions));
  }
  for (int depth = 0; depth <= game.spec().max_plies; ++depth) states_.push_back(game.initial_state());
}

std::string FullSolver::unit() const {
  return "100 - plies to the win, negative for a loss, 0 for a draw; best is what keeps win, draw or loss";
}

// For the player to move at `depth`, after an action there. One ply later counts one less.
int FullSolver::value_after(int depth, Action action) {
  const State& state = *states_[std::size_t(depth)];
  State& child = *states_[std::size_t(depth + 1)];
  child.assign(state);
  child.apply(action);
  const int there = value(depth + 1);
  const int here = child.to_move() == state.to_move() ? there : -there;
  return here - (here > 0) + (here < 0);
}

int FullSolver::value(int depth) {
  const State& state = *states_[std::size_t(depth)];
  if (state.terminal()) return kWin * int(state.outcome());
  const std::uint64_t key = state.hash();
  if (const auto at = known_.find(key); at != known_.end()) return at->second;
  std::vector<Action>& legal = legal_[std::size_t(depth)];
  state.legal_actions(legal);
  int most = -kWin;
  for (Action action : legal) most = std::max(most, value_after(depth, action));
  known_.emplace(key, most);
  return most;
}

std::optional<Solution> FullSolver::solve(const State& state) {
  RF_ASSERT(!state.terminal());
  states_[0]->assign(state);
  Solution solution;
  solution.value = -kWin;
  state.legal_actions(solution.actions);
  for (Action action : solution.actions) {
    solution.values.push_back(value_after(0, action));
    solution.value = std::max(solution.value, *solution.values.back());
  }
  for (std::size_t i = 0; i < solution.actions.size(); ++i) {
    const int value = *solution.values[i];
    if ((value > 0) == (solution.value > 0) && (value < 0) == (solution.value < 0)) {
      solution.best.push_back(solution.actions[i]);
    }
  }
  return solution;
}

std::unique_ptr<Solver> make_tic_tac_toe_solver(const GameSettings&, const Game& game) {
  return std::make_unique<FullSolver>(game);
}

std::unique_ptr<Solver> make_connect6_solver(const GameSettings&, const Game& game) {
  return std::make_unique<FullSolver>(game);
}

}  // namespace rf
