// Renju's forbidden moves: positions made by hand, and a second judge that works from the definitions by
// windows of five cells, on random boards.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/random_stream.h"
#include "games/gomoku_rule.h"
#include "games/registry.h"

namespace rf::testing {
namespace {

using V = GomokuVerdict;

// Every window of `length` cells in the direction of the step that holds `cell`, with one cell more at each
// end; -1 beyond the edge.
std::vector<std::vector<int>> windows(const StoneBoard& board, int cell, Step step, int length) {
  std::vector<std::vector<int>> found;
  for (int first = -length + 1; first <= 0; ++first) {
    std::vector<int> cells;
    for (int i = first - 1; i <= first + length; ++i) {
      const int r = cell / board.width() + i * step.row, c = cell % board.width() + i * step.col;
      const bool inside = r >= 0 && r < board.height() && c >= 0 && c < board.width();
      cells.push_back(inside ? r * board.width() + c : -1);
    }
    if (std::find(cells.begin() + 1, cells.end() - 1, -1) == cells.end() - 1) found.push_back(cells);
  }
  return found;
}

int stones(const StoneBoard& board, const std::vector<int>& window, int player) {
  return int(
      std::count_if(window.begin() + 1, window.end() - 1, [&](int c) { return board.at(c) == player; }));
}

bool black_beyond(const StoneBoard& board, const std::vector<int>& window) {
  return (window.front() >= 0 && board.at(window.front()) == 0) ||
         (window.back() >= 0 && board.at(window.back()) == 0);
}

// Fours through `cell`: sets of four stones that one more makes exactly five of.
std::set<std::vector<int>> fours_through(const StoneBoard& board, int cell, Step step) {
  std::set<std::vector<int>> fours;
  for (const auto& window : windows(board, cell, step, 5)) {
    if (stones(board, window, 0) != 4 || stones(board, window, -1) != 1 || black_beyond(board, window))
      continue;
    std::vector<int> four;
    for (std::size_t i = 1; i <= 5; ++i) {
      if (board.at(window[i]) == 0) four.push_back(window[i]);
    }
    fours.insert(four);
  }
  return fours;
}

V slow_verdict(StoneBoard& board, int cell);

bool three_through(StoneBoard& board, int cell, Step step) {
  for (const auto& window : windows(board, cell, step, 4)) {
    if (stones(board, window, 0) != 3 || stones(board, window, -1) != 1) continue;
    if (window.front() < 0 || board.at(window.front()) >= 0 || window.back() < 0 ||
        board.at(window.back()) >= 0) {
      continue;
    }
    const int last =
        *std::find_if(window.begin() + 1, window.end() - 1, [&](int c) { return board.at(c) < 0; });
    board.put(last, 0);
    int fives = 0;
    for (int end : {window.front(), window.back()}) {
      board.put(end, 0);
      for (const auto& five : windows(board, end, step, 5)) {
        fives += int(stones(board, five, 0) == 5 && !black_beyond(board, five));
      }
      board.remove(end);
    }
    const bool three = fives == 2 && slow_verdict(board, last) == V::kGoesOn;
    board.remove(last);
    if (three) return true;
  }
  return false;
}

V slow_verdict(StoneBoard& board, int cell) {
  bool overline = false;
  std::size_t fours = 0;
  int threes = 0;
  for (Step step : kSteps) {
    for (const auto& window : windows(board, cell, step, 5)) {
      if (stones(board, window, 0) == 5 && !black_beyond(board, window)) return V::kLine;
    }
    for (const auto& window : windows(board, cell, step, 6)) overline |= stones(board, window, 0) == 6;
    fours += fours_through(board, cell, step).size();
  }
  if (overline) return V::kOverline;
  if (fours >= 2) return V::kDoubleFour;
  for (Step step : kSteps) threes += int(three_through(board, cell, step));
  return threes >= 2 ? V::kDoubleThree : V::kGoesOn;
}

struct Case {
  const char* name;
  std::vector<std::string> rows;  // from above; B black, W white, * black's move
  V verdict;
};

const std::vector<Case> kCases = {
    {"five", {"..BB*BB.."}, V::kLine},
    {"five in the corner", {"*BBBB...."}, V::kLine},
    {"six", {"..BBB*BB."}, V::kOverline},
    {"seven", {".BBB*BBB."}, V::kOverline},
    {"six at the edge", {"BBBBB*..."}, V::kOverline},
    {"five and six at once", {"....B....", "....B....", "BBB.*BB..", "....B....", "....B...."}, V::kLine},
    {"five beats six", {"....B....", "....B....", ".BBB*BB..", "....B....", "....B...."}, V::kLine},
    {"five beats two fours",
     {"..B......", ".........", "B.......B", ".B.....B.", "..B...B..", "...B.B...", "BBBB*....", "...B.B...",
      "........."},
     V::kLine},
    {"straight four", {"...BB*B..."}, V::kGoesOn},
    {"four with one end", {"..WBB*B..."}, V::kGoesOn},
    {"two fours, two directions",
     {".........", "....B....", "....B....", "....B....", ".WBB*B...", "........."},
     V::kDoubleFour},
    {"two fours in one line, one stone outside", {".B.B*B.B."}, V::kDoubleFour},
    {"two fours in one line, two stones outside", {"BB.B*.BB."}, V::kDoubleFour},
    {"two fours in one line, three stones outside", {"BBB.*.BBB"}, V::kDoubleFour},
    {"two fours in one line, at both edges", {"B.B*B.B"}, V::kDoubleFour},
    {"one of them is blocked", {"WBWB*B.B."}, V::kGoesOn},
    {"one of them would be six",
     {".B.B*B.BB"},  // the right one makes six
     V::kGoesOn},
    {"a four that only six completes is none",
     {"....B....", "....B....", "....B....", "WBB.*.B..", ".........", "........."},
     V::kGoesOn},
    {"four and no second: it would be six",
     {"......B....", "......B....", "......B....", ".WBBB.*B...", "...........", "..........."},
     V::kGoesOn},
    {"four and three", {"......", "...B..", "...B..", "WBB*B.", "......", "......"}, V::kGoesOn},
    {"four, four and three",
     {"........", "...B..B.", "...B.B..", "...BB...", "WBB*B...", "........", "........"},
     V::kDoubleFour},
    {"cross of threes", {".......", "...B...", "...B...", ".BB*...", ".......", "......."}, V::kDoubleThree},
    {"diagonal threes",
     {".........", "..B...B..", "...B.B...", "....*....", ".........", ".........", "........."},
     V::kDoubleThree},
    {"broken threes",
     {".........", "....B....", ".........", "....B....", ".B.B*....", ".........", "........."},
     V::kDoubleThree},
    {"one three alone", {".......", ".......", "..BB*..", ".......", "......."}, V::kGoesOn},
    {"three between edge and white is none",
     {"......", "..B...", "..B...", "BB*.W.", "......", "......"},
     V::kGoesOn},
    {"three with white beside it is none",
     {".......", "...B...", "...B...", "WBB*...", ".......", "......."},
     V::kGoesOn},
    {"three with one cell to the edge and white beyond the other is none",
     {".......", "...B...", "...B...", ".BB*.W.", ".......", "......."},
     V::kGoesOn},
    {"three with one cell to the edge and two cells at the other side",
     {".......", "...B...", "...B...", ".BB*..W", ".......", "......."},
     V::kDoubleThree},
    {"three with one free cell at each side is none",
     {"........", "....B...", "....B...", "W.BB*.W.", "........", "........"},
     V::kGoesOn},
    {"three along the edge", {".......", "....B..", "....B..", ".......", "..BB*.."}, V::kGoesOn},
    {"threes along the edge and up to the middle",
     {".........", ".........", "....B....", ".........", "...BB....", "..B.*.B..", "........."},
     V::kGoesOn},
    {"threes along two edges of the corner are blocked",
     {"*BB....", "B......", "B......", "......."},
     V::kGoesOn},
    {"three in the short diagonal of a corner is none",
     {"...........", "........B..", "..B....B...", "...B.......", "....*......", ".....W.....",
      "..........."},
     V::kGoesOn},
    {"false three: six at both sides",
     {"..........", ".....B....", ".....B....", "B..BB*..B.", "..........", ".........."},
     V::kGoesOn},
    {"three: six at one side only",
     {"..........", ".....B....", ".....B....", "B..BB*....", "..........", ".........."},
     V::kDoubleThree},
    // A broken three in the row, whose only point is the gap; a true three in the column to its right.
    {"the gap makes a straight four and a three",
     {"..........", "..........", "......B...", "....B.B...", "...B.B*...", "....B.....", "..........",
      ".........."},
     V::kDoubleThree},
    {"the gap is forbidden: overline",
     {"..........", "..........", "....B.B...", "....B.B...", "...B.B*...", "....B.....", "....B.....",
      "....B.....", ".........."},
     V::kGoesOn},
    {"the gap makes five: no three",
     {"..........", "..........", "....B.B...", "....B.B...", "...B.B*...", "....B.....", "....B.....",
      ".........."},
     V::kGoesOn},
    {"the gap is forbidden: double four",
     {"..........", "..........", "....B.B...", "....B.B...", "...B.B*...", "....B.....", "..........",
      ".........."},
     V::kGoesOn},
    {"the gap is forbidden: double three",
     {"..........", "..........", "......B...", "...BB.B...", "...B.B*...", "....BB....", "..........",
      ".........."},
     V::kGoesOn},
    {"one of the gap's threes is blocked, so that it is allowed",
     {"..........", "..........", "....W.B...", "...BB.B...", "...B.B*...", "....BB....", "..........",
      ".........."},
     V::kDoubleThree},
    {"a three with one forbidden and one free point is a three",
     {"...........", "..B........", "..B...B....", "..B...B....", "...BBB*....", "..B........", "..B........",
      "..........."},
     V::kGoesOn},
    {"overline and double three",
     {"...B......", "...B......", ".BB*BBB...", "..B.......", ".B........"},
     V::kOverline},
};

TEST(Renju, HandMadePositions) {
  EXPECT_GE(kCases.size(), 25u);
  for (const Case& c : kCases) {
    const int height = int(c.rows.size()), width = int(c.rows[0].size());
    StoneBoard board(width, height);
    int move = -1;
    for (int r = 0; r < height; ++r) {
      ASSERT_EQ(int(c.rows[std::size_t(r)].size()), width) << c.name;
      for (int k = 0; k < width; ++k) {
        const char stone = c.rows[std::size_t(r)][std::size_t(k)];
        const int cell = (height - 1 - r) * width + k;
        if (stone != '.') board.put(cell, stone == 'W' ? 1 : 0);
        if (stone == '*') move = cell;
      }
    }
    ASSERT_GE(move, 0) << c.name;
    const std::string before = board.text(move);
    EXPECT_EQ(gomoku_verdict(board, move, 5, GomokuRule::kRenju), c.verdict) << c.name << "\n" << before;
    EXPECT_EQ(slow_verdict(board, move), c.verdict) << c.name << "\n" << before;
    EXPECT_EQ(board.text(move), before) << "the board is as it was";
  }
}

TEST(Renju, TwoJudgesAgreeOnRandomBoards) {
  RandomStream stream = make_stream(5, 0, 0, Purpose::kTest);
  std::map<V, int> seen;
  for (const auto& [width, height] : {std::pair(15, 15), {9, 9}, {7, 9}, {11, 6}, {12, 1}}) {
    for (int i = 0; i < 4000; ++i) {
      StoneBoard board(width, height);
      const int black = 8 + int(stream.below(30)), white = int(stream.below(20));  // of 100 cells
      for (int cell = 0; cell < board.num_cells(); ++cell) {
        const int drawn = int(stream.below(100));
        if (drawn < black + white) board.put(cell, drawn < black ? 0 : 1);
      }
      const int move = int(stream.below(std::uint32_t(board.num_cells())));
      board.put(move, 0);
      const V verdict = gomoku_verdict(board, move, 5, GomokuRule::kRenju);
      ASSERT_EQ(verdict, slow_verdict(board, move)) << board.text(move);
      ++seen[verdict];
    }
  }
  for (V verdict : {V::kGoesOn, V::kLine, V::kOverline, V::kDoubleFour, V::kDoubleThree}) {
    EXPECT_GE(seen[verdict], 50) << verdict_text(verdict);
  }
}

constexpr std::pair<int, int> kDense[] = {{1, 0}, {2, 0}, {3, 2}, {4, 2}, {5, 1}};  // (row % 6, column % 3)

// Nearly every empty cell has threes in several directions, whose points have some in their turn, to the edge
// of the board. Tried in depth these are millions of millions of boards.
TEST(Renju, ADenseBoardIsJudgedAtOnce) {
  std::map<V, int> seen[2];
  for (int size : {12, 52}) {
    StoneBoard board(size, size);
    for (int cell = 0; cell < size * size; ++cell) {
      const std::pair at(cell / size % 6, cell % size % 3);
      if (std::find(std::begin(kDense), std::end(kDense), at) != std::end(kDense)) board.put(cell, 0);
    }
    for (int cell = 0; cell < size * size; ++cell) {
      if (board.at(cell) >= 0) continue;
      board.put(cell, 0);
      const V verdict = gomoku_verdict(board, cell, 5, GomokuRule::kRenju);
      if (size == 12) {
        ASSERT_EQ(verdict, slow_verdict(board, cell)) << board.text(cell);
      }
      ++seen[size == 52][verdict];
      board.remove(cell);
    }
  }
  for (const auto& [verdict, count] : seen[0]) EXPECT_GT(seen[1][verdict], count) << verdict_text(verdict);
  EXPECT_GT(seen[1][V::kDoubleThree], 100);
}

// The same board reached by moves: black's stones on the left, white's on the right, out of the way.
TEST(Renju, AGameThatFillsTheBoardIsJudgedAtOnce) {
  constexpr int kSize = 52;
  const auto game = make_game({"gomoku", {{"width", kSize}, {"height", kSize}, {"rule", 2}}});
  std::vector<Action> black, white, empty;
  for (int cell = 0; cell < kSize * kSize; ++cell) {
    const int row = cell / kSize, column = cell % kSize;
    const std::pair at(row % 6, column % 3);
    if (column >= kSize / 2) {
      if ((2 * row + column) % 4 < 2) white.push_back(cell);  // two in a row at most
    } else {
      (std::find(std::begin(kDense), std::end(kDense), at) != std::end(kDense) ? black : empty)
          .push_back(cell);
    }
  }
  const auto state = game->initial_state();
  for (Action cell : black) {
    const auto next = state->clone();
    next->apply(cell);
    if (next->terminal()) continue;
    state->apply(cell);
    state->apply(white[std::size_t(state->ply() / 2)]);
    ASSERT_FALSE(state->terminal());
  }
  std::map<std::string, int> seen;
  for (Action cell : empty) {
    const auto next = state->clone();
    next->apply(cell);
    ++seen[std::string(next->end_reason())];
  }
  EXPECT_GT(state->ply(), 500);
  EXPECT_GT(seen["forbidden double three"], 50);
}

TEST(Renju, TwoJudgesAgreeOnBoardsOfAPattern) {
  RandomStream stream = make_stream(6, 0, 0, Purpose::kTest);
  int threes = 0;
  for (int i = 0; i < 1500; ++i) {
    const int height = 2 + int(stream.below(7)), width = 2 + int(stream.below(7)), size = 12;
    const int black = 15 + int(stream.below(35)), gaps = int(stream.below(15));  // of 100 cells
    std::vector<bool> pattern;
    for (int k = 0; k < height * width; ++k) pattern.push_back(int(stream.below(100)) < black);
    StoneBoard board(size, size);
    for (int cell = 0; cell < size * size; ++cell) {
      const bool stone = pattern[std::size_t(cell / size % height * width + cell % size % width)];
      if (stone && int(stream.below(100)) >= gaps) board.put(cell, 0);
    }
    const int move = int(stream.below(std::uint32_t(size * size)));
    board.put(move, 0);
    const V verdict = gomoku_verdict(board, move, 5, GomokuRule::kRenju);
    ASSERT_EQ(verdict, slow_verdict(board, move)) << board.text(move);
    threes += int(verdict == V::kDoubleThree);
  }
  EXPECT_GE(threes, 20);
}

TEST(Renju, WhiteIsFree) {
  StoneBoard board(9, 9);
  for (int cell : {28, 29, 21, 12, 30}) board.put(cell, 1);  // a cross of threes
  EXPECT_EQ(gomoku_verdict(board, 30, 5, GomokuRule::kRenju), V::kGoesOn);
  for (int cell : {27, 31, 32}) board.put(cell, 1);  // six in a row
  EXPECT_EQ(gomoku_verdict(board, 30, 5, GomokuRule::kRenju), V::kLine);
}

}  // namespace
}  // namespace rf::testing
