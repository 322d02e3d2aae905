#include "games/xiangqi_board.h"

#include <bit>
#include <cstdlib>

#include "base/error.h"
#include "games/xiangqi_tables.h"

namespace rf {
namespace {

using xiangqi::kBetween;
using xiangqi::kFile;
using xiangqi::kLines;
using xiangqi::kRank;
using xiangqi::Line;
using xiangqi::Steps;

constexpr int kFirstHorse = 5, kFirstChariot = 7, kFirstCannon = 9, kFirstSoldier = 11;

}  // namespace

// Moves of a color that is not in check are safe unless they leave a square of `from` or enter one of `to`.
struct XiangqiBoard::Danger {
  bool check = false;
  std::array<std::uint64_t, 2> from{}, to{};
  static void add(std::array<std::uint64_t, 2>& set, int square) {
    set[std::size_t(square >> 6)] |= 1ULL << (square & 63);
  }
  bool touches(XiangqiMove m) const {
    return (from[m.from >> 6] >> (m.from & 63) & 1) | (to[m.to >> 6] >> (m.to & 63) & 1);
  }
};

XiangqiBoard::XiangqiBoard() {
  cells_.fill(kNoPiece);
  squares_.fill(kNoSquare);
}

XiangqiBoard XiangqiBoard::start() {
  XiangqiBoard board;
  using enum XiangqiType;
  constexpr XiangqiType kBack[] = {kChariot, kHorse,    kElephant, kAdvisor, kGeneral,
                                   kAdvisor, kElephant, kHorse,    kChariot};
  for (int color = 0; color < 2; ++color) {
    const auto at = [&](int rank, int file) { return (color == 0 ? rank : 9 - rank) * kXiangqiFiles + file; };
    for (int file = 0; file < kXiangqiFiles; ++file) board.place(kBack[file], color, at(0, file));
    for (int file : {1, 7}) board.place(kCannon, color, at(2, file));
    for (int file = 0; file < kXiangqiFiles; file += 2) board.place(kSoldier, color, at(3, file));
  }
  return board;
}

bool XiangqiBoard::place(XiangqiType type, int color, int square) {
  if (cells_[std::size_t(square)] != kNoPiece) return false;
  const XiangqiSlots slots = xiangqi_slots(type);
  for (int slot = slots.first; slot < slots.first + slots.number; ++slot) {
    std::uint8_t& place = squares_[std::size_t(kXiangqiSlots * color + slot)];
    if (place != kNoSquare) continue;
    place = std::uint8_t(square);
    cells_[std::size_t(square)] = std::uint8_t(kXiangqiSlots * color + slot);
    rows_[kRank[square]] = std::uint16_t(rows_[kRank[square]] | 1 << kFile[square]);
    files_[kFile[square]] = std::uint16_t(files_[kFile[square]] | 1 << kRank[square]);
    return true;
  }
  return false;
}

std::uint8_t XiangqiBoard::play(XiangqiMove move) {
  const std::uint8_t captured = cells_[move.to], piece = cells_[move.from];
  if (captured != kNoPiece) squares_[captured] = kNoSquare;
  squares_[piece] = move.to;
  cells_[move.to] = piece;
  cells_[move.from] = kNoPiece;
  rows_[kRank[move.from]] = std::uint16_t(rows_[kRank[move.from]] & ~(1 << kFile[move.from]));
  files_[kFile[move.from]] = std::uint16_t(files_[kFile[move.from]] & ~(1 << kRank[move.from]));
  rows_[kRank[move.to]] = std::uint16_t(rows_[kRank[move.to]] | 1 << kFile[move.to]);
  files_[kFile[move.to]] = std::uint16_t(files_[kFile[move.to]] | 1 << kRank[move.to]);
  return captured;
}

void XiangqiBoard::undo(XiangqiMove move, std::uint8_t captured) {
  play({move.to, move.from});
  if (captured == kNoPiece) return;
  squares_[captured] = move.to;
  cells_[move.to] = captured;
  rows_[kRank[move.to]] = std::uint16_t(rows_[kRank[move.to]] | 1 << kFile[move.to]);
  files_[kFile[move.to]] = std::uint16_t(files_[kFile[move.to]] | 1 << kRank[move.to]);
}

int XiangqiBoard::count_between(int a, int b) const {
  if (a == b) return -1;
  if (kFile[a] == kFile[b]) return std::popcount(unsigned(files_[kFile[a]] & kBetween[kRank[a]][kRank[b]]));
  if (kRank[a] == kRank[b]) return std::popcount(unsigned(rows_[kRank[a]] & kBetween[kFile[a]][kFile[b]]));
  return -1;
}

std::uint16_t XiangqiBoard::attackers(int square, int color) const {
  unsigned found = 0;
  for (int slot = 0; slot < kXiangqiSlots; ++slot) {
    const int from = this->square(color, slot);
    if (from == kNoSquare || from == square) continue;
    const XiangqiType type = xiangqi_type(std::uint8_t(slot));
    bool hits = false;
    if (type == XiangqiType::kChariot || type == XiangqiType::kCannon) {
      hits = count_between(from, square) == (type == XiangqiType::kCannon ? 1 : 0);
    } else {
      const Steps& steps = xiangqi::steps(type, color, from);
      for (int i = 0; i < steps.size; ++i) {
        hits |= steps.to[i] == square && cells_[steps.via[i]] == kNoPiece;
      }
      hits |=
          type == XiangqiType::kGeneral && square == general(1 - color) && count_between(from, square) == 0;
    }
    if (hits) found |= 1u << slot;
  }
  return std::uint16_t(found);
}

// Would a general of `color` on `square` be attacked after `move` (which may be no move at all)?
bool XiangqiBoard::attacked_after(int color, int square, XiangqiMove move) const {
  const int file = kFile[square], rank = kRank[square];
  unsigned on_file = files_[std::size_t(file)], on_rank = rows_[std::size_t(rank)];
  if (kFile[move.from] == file) on_file &= ~(1u << kRank[move.from]);
  if (kFile[move.to] == file) on_file |= 1u << kRank[move.to];
  if (kRank[move.from] == rank) on_rank &= ~(1u << kFile[move.from]);
  if (kRank[move.to] == rank) on_rank |= 1u << kFile[move.to];
  const std::uint8_t* other = squares_.data() + kXiangqiSlots * (1 - color);
  const auto between = [&](int s) {  // pieces in between after the move, many when on no line
    if (kFile[s] == file) return std::popcount(on_file & kBetween[rank][kRank[s]]);
    if (kRank[s] == rank) return std::popcount(on_rank & kBetween[file][kFile[s]]);
    return 99;
  };
  const auto captured = [&](int s) { return s == move.to; };
  if (kFile[other[0]] == file && !captured(other[0]) && between(other[0]) == 0) return true;
  for (int i = 0; i < 2; ++i) {
    const int chariot = other[kFirstChariot + i], cannon = other[kFirstCannon + i];
    if (!captured(chariot) && between(chariot) == 0) return true;
    if (!captured(cannon) && between(cannon) == 1) return true;
    const int horse = other[kFirstHorse + i];
    const int leg = xiangqi::kLegs[horse][square];
    if (leg != kNoSquare && !captured(horse) && leg != move.to &&
        (leg == move.from || cells_[std::size_t(leg)] == kNoPiece)) {
      return true;
    }
  }
  const Steps& soldiers = xiangqi::kSoldierAttackers[1 - color][square];
  for (int i = 0; i < soldiers.size; ++i) {
    const int s = soldiers.to[i];
    const int piece = cells_[std::size_t(s)];
    if (piece >> 4 == 1 - color && (piece & 15) >= kFirstSoldier && !captured(s)) return true;
  }
  return false;
}

bool XiangqiBoard::in_check(int color) const {
  return attacked_after(color, general(color), {});
}

bool XiangqiBoard::leaves_check(XiangqiMove move) const {
  const int piece = cells_[move.from], color = piece >> 4;
  return attacked_after(color, (piece & 15) == 0 ? move.to : general(color), move);
}

XiangqiBoard::Danger XiangqiBoard::danger(int color) const {
  Danger danger;
  const int square = general(color);
  danger.check = attacked_after(color, square, {});
  if (danger.check) return danger;
  const std::uint8_t* other = squares_.data() + kXiangqiSlots * (1 - color);
  const auto line = [&](int s, bool cannon) {
    const bool file = kFile[s] == kFile[square];
    if (!file && kRank[s] != kRank[square]) return;
    const unsigned span = file ? kBetween[kRank[square]][kRank[s]] : kBetween[kFile[square]][kFile[s]];
    const unsigned pieces = span & (file ? files_[kFile[square]] : rows_[kRank[square]]);
    const int number = std::popcount(pieces);
    const auto add = [&](std::array<std::uint64_t, 2>& set, unsigned bits) {
      for (; bits; bits &= bits - 1) {
        const int k = std::countr_zero(bits);
        Danger::add(set, file ? k * kXiangqiFiles + kFile[square] : kRank[square] * kXiangqiFiles + k);
      }
    };
    if (number == (cannon ? 2 : 1)) add(danger.from, pieces);
    if (number == 0 && cannon) add(danger.to, span);
  };
  line(other[0], false);
  for (int i = 0; i < 2; ++i) {
    line(other[kFirstChariot + i], false);
    line(other[kFirstCannon + i], true);
    const int leg = xiangqi::kLegs[other[kFirstHorse + i]][square];
    if (leg != kNoSquare) Danger::add(danger.from, leg);
  }
  return danger;
}

// Calls sink(to) for each pseudo-legal target of the piece on `from` until it returns true.
template <class Sink>
inline bool XiangqiBoard::each_target(int from, Sink sink) const {
  const int piece = cells_[std::size_t(from)], color = piece >> 4, slot = piece & 15;
  const auto mine = [&](int square) { return cells_[std::size_t(square)] >> 4 == color; };
  if (slot >= kFirstChariot && slot < kFirstSoldier) {
    const int file = kFile[from], rank = kRank[from];
    const Line& row = kLines[file][rows_[std::size_t(rank)]];
    const Line& column = kLines[rank][files_[std::size_t(file)]];
    const bool cannon = slot >= kFirstCannon;
    for (unsigned bits = row.quiet & 0x1ff; bits; bits &= bits - 1) {
      if (sink(rank * kXiangqiFiles + std::countr_zero(bits))) return true;
    }
    for (unsigned bits = column.quiet; bits; bits &= bits - 1) {
      if (sink(std::countr_zero(bits) * kXiangqiFiles + file)) return true;
    }
    for (unsigned bits = cannon ? row.second : row.first; bits; bits &= bits - 1) {
      const int to = rank * kXiangqiFiles + std::countr_zero(bits);
      if (!mine(to) && sink(to)) return true;
    }
    for (unsigned bits = cannon ? column.second : column.first; bits; bits &= bits - 1) {
      const int to = std::countr_zero(bits) * kXiangqiFiles + file;
      if (!mine(to) && sink(to)) return true;
    }
    return false;
  }
  const Steps& steps = xiangqi::steps(xiangqi_type(std::uint8_t(slot)), color, from);
  for (int i = 0; i < steps.size; ++i) {
    const int to = steps.to[i];
    if (cells_[steps.via[i]] == kNoPiece && !mine(to) && sink(to)) return true;
  }
  if (slot == 0) {
    const int other = general(1 - color);
    if (kFile[from] == kFile[other] && count_between(from, other) == 0) return sink(other);
  }
  return false;
}

template <class Sink>
inline bool XiangqiBoard::each_pseudo(int color, Sink sink) const {
  for (int slot = 0; slot < kXiangqiSlots; ++slot) {
    const std::uint8_t from = squares_[std::size_t(kXiangqiSlots * color + slot)];
    if (from == kNoSquare) continue;
    if (each_target(from, [&](int to) { return sink(XiangqiMove{from, std::uint8_t(to)}); })) return true;
  }
  return false;
}

template <class Sink>
inline bool XiangqiBoard::each_legal(int color, Sink sink) const {
  const Danger danger = this->danger(color);
  const std::uint8_t general = this->general(color);
  return each_pseudo(color, [&](XiangqiMove move) {
    const bool doubtful = danger.check || move.from == general || danger.touches(move);
    return !(doubtful && leaves_check(move)) && sink(move);
  });
}

void XiangqiBoard::pseudo_moves(int color, XiangqiMoves& out) const {
  out.size = 0;
  each_pseudo(color, [&](XiangqiMove move) {
    out.moves[std::size_t(out.size++)] = move;
    return false;
  });
}

void XiangqiBoard::legal_moves(int color, XiangqiMoves& out) const {
  out.size = 0;
  each_legal(color, [&](XiangqiMove move) {
    out.moves[std::size_t(out.size++)] = move;
    return false;
  });
}

int XiangqiBoard::count_legal_moves(int color) const {
  int number = 0;
  each_legal(color, [&](XiangqiMove) {
    ++number;
    return false;
  });
  return number;
}

bool XiangqiBoard::has_pseudo_move(int color) const {
  return each_pseudo(color, [](XiangqiMove) { return true; });
}

bool XiangqiBoard::has_legal_move(int color) const {
  return each_legal(color, [](XiangqiMove) { return true; });
}

bool XiangqiBoard::is_pseudo_legal(XiangqiMove move, int color) const {
  if (cells_[move.from] >> 4 != color) return false;
  return each_target(move.from, [&](int to) { return to == move.to; });
}

long long XiangqiBoard::count_lines(int color, int depth) {
  if (depth == 0) return 1;
  if (depth == 1) return count_legal_moves(color);
  XiangqiMoves moves;
  legal_moves(color, moves);
  long long lines = 0;
  for (const XiangqiMove move : moves) {
    const std::uint8_t captured = play(move);
    lines += count_lines(1 - color, depth - 1);
    undo(move, captured);
  }
  return lines;
}

}  // namespace rf
