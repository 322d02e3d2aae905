#include "solve/dots_and_boxes_solver.h"

#include <algorithm>

#include "base/error.h"

namespace rf {
namespace {

constexpr std::uint32_t kNoBox = ~0U;

}  // namespace

DotsAndBoxesSolver::DotsAndBoxesSolver(int rows, int cols) : edges_((rows + 1) * cols + rows * (cols + 1)) {
  if (edges_ > kMostEdges) {
    fail(ExitCode::kUsage, "no solver for Dots and Boxes of this size",
         std::to_string(rows) + "x" + std::to_string(cols) + " boxes have " + std::to_string(edges_) +
             " edges",
         "at most " + std::to_string(kMostEdges) + ", as 3x3 has");
  }
  boxes_beside_.assign(std::size_t(edges_), {kNoBox, kNoBox});
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      const int top = r * cols + c, left = (rows + 1) * cols + r * (cols + 1) + c;
      const int sides[] = {top, top + cols, left, left + 1};
      std::uint32_t box = 0;
      for (int e : sides) box |= 1U << e;
      for (int e : sides) {
        auto& beside = boxes_beside_[std::size_t(e)];
        beside[beside[0] == kNoBox ? 0 : 1] = box;
      }
    }
  }
  table_.resize(std::size_t(1) << edges_);
  for (std::uint32_t drawn = std::uint32_t(table_.size()) - 1; drawn-- > 0;) {
    int best = -rows * cols;
    for (int e = 0; e < edges_; ++e) {
      if (!(drawn >> e & 1)) best = std::max(best, value_of(drawn, e));
    }
    table_[drawn] = std::int8_t(best);
  }
}

int DotsAndBoxesSolver::value_of(std::uint32_t drawn, int e) const {
  const std::uint32_t after = drawn | 1U << e;
  const auto& [a, b] = boxes_beside_[std::size_t(e)];
  const int closed = ((after & a) == a) + ((after & b) == b);
  return closed > 0 ? closed + table_[after] : -table_[after];  // who closes a box moves again
}

std::string DotsAndBoxesSolver::unit() const {
  return "boxes still to be taken by the player to move, minus the other's";
}

std::optional<Solution> DotsAndBoxesSolver::solve(const State& state) {
  Solution solution;
  state.legal_actions(solution.actions);
  RF_ASSERT(!solution.actions.empty() && solution.actions.back() < edges_);
  std::uint32_t drawn = std::uint32_t(table_.size()) - 1;
  for (Action e : solution.actions) drawn &= ~(1U << e);
  solution.value = table_[drawn];
  for (Action e : solution.actions) {
    solution.values.emplace_back(value_of(drawn, e));
    if (solution.values.back() == solution.value) solution.best.push_back(e);
  }
  return solution;
}

int DotsAndBoxesSolver::outcome_of(const State& state, int value) const {
  const int margin = state.score_margin() + value;
  return (margin > 0) - (margin < 0);
}

std::unique_ptr<Solver> make_dots_and_boxes_solver(const GameSettings&, const Game& game) {
  const Shape& grid = game.spec().shape;
  return std::make_unique<DotsAndBoxesSolver>(grid.rows / 2, grid.cols / 2);
}

}  // namespace rf
