#include "games/gomoku_rule.h"

namespace rf {
namespace {

constexpr int kFive = 5;

GomokuVerdict renju_verdict(StoneBoard& board, int cell);

// Does black's row through `cell`, not yet a four, become a straight four by a stone that is allowed?
bool is_three(StoneBoard& board, const StoneBoard::Row& row, Step step) {
  for (const StoneBoard::Row::End& end : row.ends) {
    if (end.joined != kFive - 1) continue;
    board.put(end.cell, 0);
    const StoneBoard::Row four = board.row_through(end.cell, step);
    const bool straight = four.ends[0].joined == kFive && four.ends[1].joined == kFive;
    const bool allowed = straight && renju_verdict(board, end.cell) == GomokuVerdict::kGoesOn;
    board.remove(end.cell);
    if (allowed) return true;
  }
  return false;
}

// Black's stone on `cell`.
GomokuVerdict renju_verdict(StoneBoard& board, int cell) {
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
  int threes = 0;
  for (int d = 0; d < 4; ++d) {
    threes += int(is_three(board, rows[d], kSteps[d]));
    if (threes >= 2) return GomokuVerdict::kDoubleThree;
  }
  return GomokuVerdict::kGoesOn;
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
