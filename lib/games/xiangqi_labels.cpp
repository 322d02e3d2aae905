#include "games/xiangqi_labels.h"

#include "base/error.h"

namespace rf {
namespace {

XiangqiLabels make_labels() {
  XiangqiLabels labels;
  labels.label_of.fill(-1);
  int size = 0;
  const auto square = [](int file, int rank) { return std::uint8_t(rank * kXiangqiFiles + file); };
  const auto add = [&](std::uint8_t from, std::uint8_t to) {
    labels.label_of[std::size_t(from) * kXiangqiSquares + to] = std::int16_t(size);
    labels.moves[std::size_t(size++)] = {from, to};
  };
  const auto add_both = [&](std::uint8_t a, std::uint8_t b) {
    add(a, b);
    add(b, a);
  };

  constexpr int kHorse[8][2] = {{-2, -1}, {-1, -2}, {-2, 1}, {1, -2}, {2, -1}, {-1, 2}, {2, 1}, {1, 2}};
  for (int file = 0; file < kXiangqiFiles; ++file) {
    for (int rank = 0; rank < kXiangqiRanks; ++rank) {
      const std::uint8_t from = square(file, rank);
      for (int f = 0; f < kXiangqiFiles; ++f) {
        if (f != file) add(from, square(f, rank));
      }
      for (int r = 0; r < kXiangqiRanks; ++r) {
        if (r != rank) add(from, square(file, r));
      }
      for (const auto& [df, dr] : kHorse) {
        const int f = file + df, r = rank + dr;
        if (f >= 0 && f < kXiangqiFiles && r >= 0 && r < kXiangqiRanks) add(from, square(f, r));
      }
    }
  }
  // Diagonals to the upper right, then to the lower right: of the palaces, of the two halves.
  for (int base : {7, 0}) {
    add_both(square(3, base), square(4, base + 1));
    add_both(square(4, base + 1), square(5, base + 2));
  }
  for (int base : {0, 7}) {
    add_both(square(3, base + 2), square(4, base + 1));
    add_both(square(4, base + 1), square(5, base));
  }
  for (int base : {0, 5}) {
    for (int file : {0, 2, 4, 6}) {
      const int rank = base + (file % 4 == 0 ? 2 : 0);
      add_both(square(file, rank), square(file + 2, rank + 2));
    }
  }
  for (int base : {0, 5}) {
    for (int file : {0, 2, 4, 6}) {
      const int rank = base + (file % 4 == 0 ? 2 : 4);
      add_both(square(file, rank), square(file + 2, rank - 2));
    }
  }
  RF_ASSERT(size == kXiangqiLabels);

  const auto mirror = [&](std::uint8_t s) { return square(8 - s % kXiangqiFiles, s / kXiangqiFiles); };
  for (std::size_t a = 0; a < labels.moves.size(); ++a) {
    const XiangqiMove move = labels.moves[a];
    labels.flipped[a] = std::int16_t(labels.label({flip_ranks(move.from), flip_ranks(move.to)}));
    labels.mirrored[a] = std::int16_t(labels.label({mirror(move.from), mirror(move.to)}));
  }
  return labels;
}

}  // namespace

const XiangqiLabels& xiangqi_labels() {
  static const XiangqiLabels labels = make_labels();
  return labels;
}

std::string xiangqi_move_text(XiangqiMove move) {
  std::string text;
  for (std::uint8_t s : {move.from, move.to}) {
    text += char('a' + s % kXiangqiFiles);
    text += char('0' + s / kXiangqiFiles);
  }
  return text;
}

std::optional<XiangqiMove> xiangqi_parse_move(std::string_view text) {
  if (text.size() != 4) return {};
  std::uint8_t squares[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const int file = text[2 * i] - 'a', rank = text[2 * i + 1] - '0';
    if (file < 0 || file >= kXiangqiFiles || rank < 0 || rank >= kXiangqiRanks) return {};
    squares[i] = std::uint8_t(rank * kXiangqiFiles + file);
  }
  return XiangqiMove{squares[0], squares[1]};
}

}  // namespace rf
