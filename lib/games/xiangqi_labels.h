// The 2086 policy labels that programs which learn Xiangqi have in common, in their public order: for each
// square (files from a, then ranks from 0) its row, its column and its horse targets, then 16 advisor moves
// and 32 elephant moves. No other move can ever occur.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "games/xiangqi_board.h"

namespace rf {

inline constexpr int kXiangqiLabels = 2086;

// The square or move seen from the other side: ranks are flipped, files are not.
inline constexpr std::uint8_t flip_ranks(std::uint8_t square) {
  return std::uint8_t((9 - square / kXiangqiFiles) * kXiangqiFiles + square % kXiangqiFiles);
}

struct XiangqiLabels {
  std::array<XiangqiMove, kXiangqiLabels> moves;                         // [label]
  std::array<std::int16_t, kXiangqiSquares * kXiangqiSquares> label_of;  // [from * 90 + to], -1: no label
  std::array<std::int16_t, kXiangqiLabels> flipped;                      // [label] with ranks flipped
  std::array<std::int16_t, kXiangqiLabels> mirrored;                     // [label] with files mirrored

  int label(XiangqiMove move) const { return label_of[std::size_t(move.from) * kXiangqiSquares + move.to]; }
};
const XiangqiLabels& xiangqi_labels();

// "h2e2": files a to i, ranks 0 to 9.
std::string xiangqi_move_text(XiangqiMove move);
// Exactly that form; any two squares.
std::optional<XiangqiMove> xiangqi_parse_move(std::string_view text);

}  // namespace rf
