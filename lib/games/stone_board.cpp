#include "games/stone_board.h"

#include <algorithm>

#include "base/error.h"

namespace rf {
namespace {

std::string column_text(int column) {
  std::string text(1, char('a' + column % 26));
  return column < 26 ? text : std::string(1, char('a' + column / 26 - 1)) + text;
}

}  // namespace

StoneBoard::Row StoneBoard::row_through(int cell, Step step) const {
  const int row = cell / width_, col = cell % width_, player = at(cell);
  const int reach[2] = {stones_from(row, col, step.row, step.col, player),
                        stones_from(row, col, -step.row, -step.col, player)};
  Row found;
  found.length = 1 + reach[0] + reach[1];
  for (int side = 0; side < 2; ++side) {
    const int drow = side == 0 ? step.row : -step.row, dcol = side == 0 ? step.col : -step.col;
    int r = row + (reach[side] + 1) * drow, c = col + (reach[side] + 1) * dcol;
    if (!inside(r, c) || at(r * width_ + c) >= 0) continue;
    found.ends[side] = {r * width_ + c, found.length + 1 + stones_from(r, c, drow, dcol, player)};
  }
  return found;
}

std::string StoneBoard::text(int last) const {
  std::string letters = "   ";
  for (int c = 0; c < width_; ++c) {
    const std::string label = column_text(c);
    letters += label.size() > 1 ? label : " " + label;
  }
  std::string board = letters + "\n";
  for (int r = height_ - 1; r >= 0; --r) {
    const std::string number = std::to_string(r + 1);
    board += std::string(3 - std::min<std::size_t>(3, number.size()), ' ') + number;
    for (int c = 0; c < width_; ++c) {
      const int k = r * width_ + c;
      board += k == last ? '(' : (c > 0 && k - 1 == last ? ')' : ' ');
      board += ".XO"[at(k) + 1];
    }
    if (last == (r + 1) * width_ - 1) board += ')';
    board += "\n";
  }
  return board;
}

std::string StoneBoard::cell_text(int cell) const {
  return column_text(cell % width_) + std::to_string(cell / width_ + 1);
}

std::optional<std::int32_t> StoneBoard::parse_empty_cell(std::string_view text) const {
  int column = 0, row = 0;
  std::size_t i = 0;
  for (; i < text.size() && i < 2 && text[i] >= 'a' && text[i] <= 'z'; ++i) {
    column = column * 26 + (text[i] - 'a' + 1);
  }
  const std::size_t letters = i;
  for (; i < text.size() && i < letters + 3 && text[i] >= '0' && text[i] <= '9'; ++i) {
    row = row * 10 + (text[i] - '0');
  }
  if (letters == 0 || i != text.size() || text[letters == i ? 0 : letters] == '0') return {};
  if (column > width_ || row < 1 || row > height_) return {};
  const std::int32_t cell = (row - 1) * width_ + column - 1;
  return is_empty(cell) ? std::optional(cell) : std::nullopt;
}

void check_line_fits(int width, int height, int line) {
  if (line <= std::max(width, height)) return;
  fail_setting("game.line",
               "line " + std::to_string(line) + " is longer than the board " + std::to_string(width) + "x" +
                   std::to_string(height),
               "nobody could ever win", "make the line shorter or the board larger");
}

}  // namespace rf
