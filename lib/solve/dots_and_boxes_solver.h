// Exact values of Dots and Boxes on small boards: a table over all sets of drawn edges, filled from the full
// board backwards.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "solve/solver.h"

namespace rf {

// Values are boxes that the player to move still takes minus those that the other still takes, both playing
// perfectly; boxes already owned are not in it. All actions have their value, so `best` is complete. Never
// gives up.
class DotsAndBoxesSolver final : public Solver {
 public:
  static constexpr int kMostEdges = 24;  // 3x3; 2^24 bytes, filled in about a second

  // For rows x cols boxes. Throws Error(kUsage) when there are more edges than kMostEdges.
  DotsAndBoxesSolver(int rows, int cols);

  std::string unit() const override;
  std::optional<Solution> solve(const State& state) override;
  // With the boxes owned so far.
  int outcome_of(const State& state, int value) const override;

  // [2^edges] entry m: the value when exactly the edges e with bit e of m are drawn.
  std::span<const std::int8_t> table() const { return table_; }

 private:
  // Value of drawing the free edge `e`.
  int value_of(std::uint32_t drawn, int e) const;

  int edges_;
  // [edges] all sides of the boxes beside an edge; no set of edges has all of kNoBox.
  std::vector<std::array<std::uint32_t, 2>> boxes_beside_;
  std::vector<std::int8_t> table_;
};

}  // namespace rf
