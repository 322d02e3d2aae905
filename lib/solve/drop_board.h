// Bit boards of games whose discs fall down columns: a column is rows + 1 bits from the bottom up, of which
// the last stays empty, so that no shift joins two columns.
#pragma once

#include <cstdint>

namespace rf {

using Cells = std::uint64_t;

// A board for lines of four, with columns * (rows + 1) <= 64. Discs of a position are two sets: `own` of the
// player to move, and `taken` of both.
class DropBoard {
 public:
  DropBoard(int columns, int rows) : columns_(columns), rows_(rows) {
    for (int c = 0; c < columns; ++c) bottom_ |= cell(c, 0);
    full_ = (bottom_ << rows) - bottom_;  // 2^rows - 1 in each column
  }

  int columns() const { return columns_; }
  int rows() const { return rows_; }
  int cells() const { return columns_ * rows_; }
  Cells full() const { return full_; }
  Cells cell(int column, int row) const { return Cells(1) << (column * (rows_ + 1) + row); }
  Cells column(int c) const { return ((Cells(1) << rows_) - 1) << (c * (rows_ + 1)); }

  // The cells on which a disc can land.
  Cells landings(Cells taken) const { return (taken + bottom_) & full_; }
  // Cells outside `discs` that would make four in a row of them, whoever has them or can reach them.
  Cells completions(Cells discs) const {
    Cells found = discs << 1 & discs << 2 & discs << 3;  // upwards: nothing is ever put below
    if (columns_ >= 4) {
      const int stride = rows_ + 1;
      found |= gaps(discs, stride - 1) | gaps(discs, stride) | gaps(discs, stride + 1);
    }
    return found & full_ & ~discs;
  }
  // A number that two positions share only when they are the same or mirror images.
  std::uint64_t key(Cells own, Cells taken) const {
    // In each column own + taken + 1 says all, and stays below 2^(rows + 1).
    const std::uint64_t key = own + taken + bottom_;
    const int stride = rows_ + 1;
    const std::uint64_t low = column(0) << 1 | 1;
    std::uint64_t mirrored = 0;
    for (int c = 0; c < columns_; ++c) mirrored |= (key >> c * stride & low) << (columns_ - 1 - c) * stride;
    return key < mirrored ? key : mirrored;
  }

 private:
  static Cells gaps(Cells discs, int step) {
    const Cells left = discs << step & discs << 2 * step, right = discs >> step & discs >> 2 * step;
    return (left & (discs << 3 * step | discs >> step)) | (right & (discs >> 3 * step | discs << step));
  }

  int columns_, rows_;
  Cells bottom_ = 0, full_ = 0;
};

}  // namespace rf
