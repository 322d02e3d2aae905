// Forced wins of Gomoku with lines of four or more: short ones exactly, long ones by continuous fours.
#pragma once

#include "solve/four_search.h"
#include "solve/solver.h"

namespace rf {

class GomokuSolver final : public Solver {
 public:
  static constexpr int kWin = 1000;  // minus the plies until it
  // Fours looked at in the search for a long win: about a second on 15x15. Wins of 3 to 6 fours need
  // hundreds.
  static constexpr long long kNodeBudget = 50000;

  GomokuSolver(int width, int height, int line, GomokuRule rule)
      : width_(width), height_(height), line_(line), rule_(rule) {}

  std::string unit() const override;
  // In this order:
  //   win in 1, in 3; in 5 (not under renju): the value is exact, and best are all moves that win as soon;
  //   loss in 2: the other has two ways to complete a line; all moves that lose no sooner are best;
  //   win by continuous fours: the value is a win, though a shorter one may exist, and best is the one move
  //     that begins it; of the other moves nothing is known;
  //   a single threat of the other to be stopped: not proven, value 0, best is the move that stops it.
  // Else nothing.
  std::optional<Solution> solve(const State& state) override;

 private:
  FourSearch search_of(const State& state) const;
  std::vector<int> wins_in_5(FourSearch& search, int player, std::span<const int> threats) const;

  int width_, height_, line_;
  GomokuRule rule_;
};

}  // namespace rf
