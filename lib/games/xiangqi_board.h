// The Xiangqi board: who stands where, which moves there are, who is attacked. It knows nothing of
// repetitions and move counts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "games/xiangqi_pieces.h"

namespace rf {

struct XiangqiMove {
  std::uint8_t from = kNoSquare, to = kNoSquare;
  bool operator==(const XiangqiMove&) const = default;
};

struct XiangqiMoves {
  std::array<XiangqiMove, 128> moves;  // two of a long-range type, five soldiers ...: less than 120
  int size = 0;
  const XiangqiMove* begin() const { return moves.data(); }
  const XiangqiMove* end() const { return moves.data() + size; }
};

class XiangqiBoard {
 public:
  XiangqiBoard();  // empty; no question about moves before both generals stand
  static XiangqiBoard start();

  std::uint8_t piece(int square) const { return cells_[std::size_t(square)]; }
  // kNoSquare when captured or never placed.
  std::uint8_t square(int color, int slot) const { return squares_[std::size_t(16 * color + slot)]; }
  std::uint8_t general(int color) const { return squares_[std::size_t(16 * color)]; }

  // Into the first free slot of its type. False when there are too many of them or the square is taken.
  bool place(XiangqiType type, int color, int square);
  // Returns what was captured or kNoPiece; any piece may be captured.
  std::uint8_t play(XiangqiMove move);
  void undo(XiangqiMove move, std::uint8_t captured);

  // Pieces of `color` that could capture on this square, by geometry alone (facing generals count), as bits
  // of slots.
  std::uint16_t attackers(int square, int color) const;
  // Is the general of this color attacked, by the other general too?
  bool in_check(int color) const;
  // Would the general of the mover be attacked after this pseudo-legal move?
  bool leaves_check(XiangqiMove move) const;
  // Pieces strictly between two squares of one line; -1 when they are the same or on no line.
  int count_between(int a, int b) const;

  // What `color` may move, in no particular order. Pseudo-legal: as the pieces go, the capture of a facing
  // general included. Legal: and its own general is not attacked afterwards.
  void pseudo_moves(int color, XiangqiMoves& out) const;
  void legal_moves(int color, XiangqiMoves& out) const;
  int count_legal_moves(int color) const;
  // Lines of `depth` strictly legal plies. The board is as before afterwards.
  long long count_lines(int color, int depth);
  bool has_pseudo_move(int color) const;
  bool has_legal_move(int color) const;
  bool is_pseudo_legal(XiangqiMove move, int color) const;
  bool is_legal(XiangqiMove move, int color) const {
    return is_pseudo_legal(move, color) && !leaves_check(move);
  }

 private:
  struct Danger;

  bool attacked_after(int color, int square, XiangqiMove move) const;
  Danger danger(int color) const;
  template <class Sink>
  bool each_target(int from, Sink sink) const;
  template <class Sink>
  bool each_pseudo(int color, Sink sink) const;
  template <class Sink>
  bool each_legal(int color, Sink sink) const;

  std::array<std::uint8_t, kXiangqiSquares + 1> cells_;  // pieces; the last one is kNoSquare's
  std::array<std::uint8_t, 2 * kXiangqiSlots> squares_;
  std::array<std::uint16_t, kXiangqiRanks> rows_{};   // [rank] bits of files that are taken
  std::array<std::uint16_t, kXiangqiFiles> files_{};  // [file] bits of ranks that are taken
};

}  // namespace rf
