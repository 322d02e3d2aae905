// Stones on the cells of a board: what games of lines in a row share. Cell = row * width + column, row 0 at
// the bottom. Notation: column letter from the left, row number from the bottom ("h8" is the centre of
// 15x15); after z come aa, ab, ...
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rf {

struct Step {
  int row, col;
};
// The four directions of a line.
inline constexpr Step kSteps[4] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};

class StoneBoard {
 public:
  StoneBoard(int width, int height)
      : width_(width), height_(height), cells_(std::size_t(width * height), std::int8_t(-1)) {}

  int width() const { return width_; }
  int height() const { return height_; }
  int num_cells() const { return int(cells_.size()); }
  int at(int cell) const { return cells_[std::size_t(cell)]; }  // -1 empty, else the player
  // Any integer may be asked.
  bool is_empty(int cell) const { return cell >= 0 && cell < num_cells() && at(cell) < 0; }
  void put(int cell, int player) { cells_[std::size_t(cell)] = std::int8_t(player); }
  void remove(int cell) { cells_[std::size_t(cell)] = -1; }
  void empty_cells(std::vector<std::int32_t>& out) const {
    for (int cell = 0; cell < num_cells(); ++cell) {
      if (at(cell) < 0) out.push_back(cell);
    }
  }

  // Length of the unbroken row of one colour through a stone.
  int run(int cell, Step step) const {
    const int row = cell / width_, col = cell % width_;
    return 1 + stones_from(row, col, step.row, step.col, at(cell)) +
           stones_from(row, col, -step.row, -step.col, at(cell));
  }

  // The row of one colour through a stone, and what adding one more stone at either end would make of it.
  struct Row {
    int length = 0;
    struct End {
      int cell = -1;   // just beyond the row; -1 when that is no empty cell
      int joined = 0;  // length of the row once that cell is filled; 0 without a cell
    } ends[2];
  };
  Row row_through(int cell, Step step) const;

  // planes [2, H, W]: stones of `own`, stones of the other.
  void encode(int own, float* planes) const {
    const std::size_t n = cells_.size();
    for (std::size_t k = 0; k < n; ++k) {
      planes[k] = cells_[k] == own ? 1.f : 0.f;
      planes[n + k] = cells_[k] == 1 - own ? 1.f : 0.f;
    }
  }

  // For people, row 1 below; `last` (-1: none) stands in brackets.
  std::string text(int last) const;
  std::string cell_text(int cell) const;
  // Nothing unless the text is exactly the name of an empty cell.
  std::optional<std::int32_t> parse_empty_cell(std::string_view text) const;

 private:
  bool inside(int row, int col) const { return row >= 0 && row < height_ && col >= 0 && col < width_; }
  // Stones of `player` in a row from the neighbour of (row, col) on.
  int stones_from(int row, int col, int drow, int dcol, int player) const {
    int count = 0;
    for (row += drow, col += dcol; inside(row, col) && at(row * width_ + col) == player;
         row += drow, col += dcol) {
      ++count;
    }
    return count;
  }

  int width_, height_;
  std::vector<std::int8_t> cells_;  // [H*W]
};

// Throws BadSetting("game.line") when a row of `line` does not fit on the board.
void check_line_fits(int width, int height, int line);

}  // namespace rf
