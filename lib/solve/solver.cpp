#include "solve/solver.h"

namespace rf {

int Solver::outcome_of(const State&, int value) const {
  return (value > 0) - (value < 0);
}

// The table of solvers: one line each. A solver's file defines make_<name>_solver.
std::unique_ptr<Solver> make_solver(const GameSettings&, const Game&) {
  return nullptr;
}

}  // namespace rf
