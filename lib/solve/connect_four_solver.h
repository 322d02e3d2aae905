// Connect Four solved exactly, for lines of four on boards with columns * (rows + 1) <= 64.
// Null-window alpha-beta (Knuth and Moore 1975) on bit boards, with a table of bounds, as in the solvers of
// V. Allis (1988), J. Tromp (1995) and P. Pons (2015).
#pragma once

#include "solve/bound_table.h"
#include "solve/drop_board.h"
#include "solve/solver.h"

namespace rf {

class ConnectFourSolver final : public Solver {
 public:
  // The table has 2^table_bits slots of 16 bytes, table_bits >= 18, and is kept from one position to the
  // next. A position that takes more than `node_limit` nodes has no solution. Throws Error(kUsage) when the
  // board is too large.
  ConnectFourSolver(int columns, int rows, int table_bits, std::uint64_t node_limit);

  // P. Pons' score: a win with the k-th disc from the last that the winner could place on this board counts
  // k; 22 less the discs that he has placed at the end on 7 x 6. Lost positions count -k, drawn ones 0.
  std::string unit() const override;
  std::optional<Solution> solve(const State& state) override;
  // The same with the signs of the scores alone, which cost a fraction.
  std::optional<Solution> solve_signs(const State& state);
  // The value of solve() alone; without the columns that are not best it costs far less.
  std::optional<int> score(const State& state);
  // Nodes of all searches so far.
  std::uint64_t nodes() const { return nodes_; }

 private:
  struct Position {
    Cells own, taken;  // of the player to move; of both
    int discs;
    Cells other() const { return own ^ taken; }
    Position after(Cells landing) const { return {other(), taken | landing, discs + 1}; }
  };
  Position position_of(const State& state) const;
  std::optional<Solution> solve_within(const State& state, int limit);
  // The score cut to [-limit, limit], and anything once the nodes have run out.
  int score_within(const Position& position, int limit);
  // Whether the score is `bound` or more, where the player to move cannot win at once.
  bool at_least(const Position& position, int bound);
  bool ran_out() const { return nodes_ == last_node_; }

  DropBoard board_;
  BoundTable table_;
  std::uint64_t node_limit_, nodes_ = 0, last_node_ = 0;  // nodes_ stops at last_node_
};

}  // namespace rf
