#include "games/gomoku_rule.h"

#include <optional>

namespace rf {
namespace {

constexpr int kFive = 5;

// Empty cells that make a straight four of black's row, which is not yet a four. How many; they fill
// `points`.
int straight_four_points(StoneBoard& board, const StoneBoard::Row& row, Step step, int points[2]) {
  int count = 0;
  for (const StoneBoard::Row::End& end : row.ends) {
    if (end.joined != kFive - 1) continue;
    board.put(end.cell, 0);
    const StoneBoard::Row four = board.row_through(end.cell, step);
    board.remove(end.cell);
    if (four.ends[0].joined == kFive && four.ends[1].joined == kFive) points[count++] = end.cell;
  }
  return count;
}

// Black's stone on `cell`; nothing if `depth` more stones, one on the straight four points of the other, do
// not settle it. A verdict is exact whatever the depth was: threes are only counted once they are known.
std::optional<GomokuVerdict> verdict_within(StoneBoard& board, int cell, int depth) {
  StoneBoard::Row rows[4];
  bool overline = false;
  for (int d = 0; d < 4; ++d) {
    rows[d] = board.row_through(cell, kSteps[d]);
    if (rows[d].length == kFive) return GomokuVerdict::kLine;
    overline = overline || rows[d].length > kFive;
  }
  if (overline) return GomokuVerdict::kOverline;
  int fours = 0;
  for (const StoneBoard::Row& row : rows) {
    const int ways = int(row.ends[0].joined == kFive) + int(row.ends[1].joined == kFive);
    fours += row.length == kFive - 1 ? int(ways > 0) : ways;
  }
  if (fours >= 2) return GomokuVerdict::kDoubleFour;

  int points[4][2], counts[4];
  int threes = 0, possible = 0;  // directions that are threes, that are or may be
  for (int d = 0; d < 4; ++d) {
    counts[d] = straight_four_points(board, rows[d], kSteps[d], points[d]);
    possible += int(counts[d] > 0);
  }
  for (int d = 0; d < 4 && depth > 0 && possible >= 2; ++d) {
    bool three = false, known = true;
    for (int i = 0; i < counts[d] && !three; ++i) {
      board.put(points[d][i], 0);
      const auto verdict = verdict_within(board, points[d][i], depth - 1);
      board.remove(points[d][i]);
      three = verdict == GomokuVerdict::kGoesOn;
      known = known && verdict.has_value();
    }
    threes += int(three);
    if (threes == 2) return GomokuVerdict::kDoubleThree;
    possible -= int(counts[d] > 0 && !three && known);
  }
  return possible < 2 ? std::optional(GomokuVerdict::kGoesOn) : std::nullopt;
}

// Black's stone on `cell`. Shallow first: on a dense board the stones that could follow are too many to try
// in depth, and nearly always a few settle it.
GomokuVerdict renju_verdict(StoneBoard& board, int cell) {
  for (int depth = 0;; ++depth) {  // it ends: there are no more stones than empty cells
    if (const auto verdict = verdict_within(board, cell, depth)) return *verdict;
  }
}

}  // namespace

GomokuVerdict gomoku_verdict(StoneBoard& board, int cell, int line, GomokuRule rule) {
  const int player = board.at(cell);
  if (rule == GomokuRule::kRenju && player == 0) return renju_verdict(board, cell);
  for (Step step : kSteps) {
    if (wins_by(board.run(cell, step), line, rule, player)) return GomokuVerdict::kLine;
  }
  return GomokuVerdict::kGoesOn;
}

std::string_view verdict_text(GomokuVerdict verdict) {
  switch (verdict) {
    case GomokuVerdict::kGoesOn:
      return "full board";
    case GomokuVerdict::kLine:
      return "line";
    case GomokuVerdict::kOverline:
      return "forbidden overline";
    case GomokuVerdict::kDoubleFour:
      return "forbidden double four";
    case GomokuVerdict::kDoubleThree:
      return "forbidden double three";
  }
  return "";
}

}  // namespace rf
