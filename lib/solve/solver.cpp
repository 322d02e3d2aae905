#include "solve/solver.h"

namespace rf {

int Solver::outcome_of(const State&, int value) const {
  return (value > 0) - (value < 0);
}

// The table of solvers: one line a game. A solver's file defines make_<game>_solver.
#define RF_SOLVERS(X) X(tic_tac_toe) X(gomoku) X(connect6) X(connect_four) X(dots_and_boxes)

#define RF_DECLARE(name) std::unique_ptr<Solver> make_##name##_solver(const GameSettings&, const Game&);
RF_SOLVERS(RF_DECLARE)
#undef RF_DECLARE

std::unique_ptr<Solver> make_solver(const GameSettings& settings, const Game& game) {
#define RF_MAKE(solved) \
  if (settings.name == #solved) return make_##solved##_solver(settings, game);
  RF_SOLVERS(RF_MAKE)
#undef RF_MAKE
  return nullptr;
}

}  // namespace rf
