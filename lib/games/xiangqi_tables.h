// Tables of how Xiangqi pieces go on an empty board, computed when compiled; for xiangqi_board.cpp alone.
#pragma once

#include <array>
#include <cstdint>

#include "games/xiangqi_board.h"

namespace rf::xiangqi {

// File and rank of a square; kNoSquare is on no line with any other.
inline constexpr std::array<std::uint8_t, kXiangqiSquares + 1> kFile = [] {
  std::array<std::uint8_t, kXiangqiSquares + 1> table{};
  for (int s = 0; s < kXiangqiSquares; ++s) table[std::size_t(s)] = std::uint8_t(s % kXiangqiFiles);
  table[kNoSquare] = 15;
  return table;
}();
inline constexpr std::array<std::uint8_t, kXiangqiSquares + 1> kRank = [] {
  std::array<std::uint8_t, kXiangqiSquares + 1> table{};
  for (int s = 0; s < kXiangqiSquares; ++s) table[std::size_t(s)] = std::uint8_t(s / kXiangqiFiles);
  table[kNoSquare] = 15;
  return table;
}();

// [i][k] bits strictly between i and k.
inline constexpr std::array<std::array<std::uint16_t, 10>, 10> kBetween = [] {
  std::array<std::array<std::uint16_t, 10>, 10> table{};
  for (int i = 0; i < 10; ++i) {
    for (int k = 0; k < 10; ++k) {
      unsigned bits = 0;
      for (int x = (i < k ? i : k) + 1; x < (i < k ? k : i); ++x) bits |= 1u << x;
      table[std::size_t(i)][std::size_t(k)] = std::uint16_t(bits);
    }
  }
  return table;
}();

// What a piece sees along a line of ten (a rank has nine: its bit 9 is to be masked).
struct Line {
  std::uint16_t quiet = 0;   // empty, nothing before them
  std::uint16_t first = 0;   // the first piece of each direction: a chariot's captures
  std::uint16_t second = 0;  // the second one: a cannon's
};
inline constexpr std::array<std::array<Line, 1024>, 10> kLines = [] {
  std::array<std::array<Line, 1024>, 10> table{};
  for (int at = 0; at < 10; ++at) {
    for (int taken = 0; taken < 1024; ++taken) {
      Line& line = table[std::size_t(at)][std::size_t(taken)];
      for (int step = -1; step <= 1; step += 2) {
        int pieces = 0;
        for (int x = at + step; x >= 0 && x < 10 && pieces < 2; x += step) {
          const bool piece = taken >> x & 1;
          pieces += piece;
          std::uint16_t& set = pieces == 0 ? line.quiet : pieces == 1 ? line.first : line.second;
          if (piece || pieces == 0) set = std::uint16_t(set | 1 << x);
        }
      }
    }
  }
  return table;
}();

// Targets of a step, and the square that must be empty for each (kNoSquare always is).
struct Steps {
  std::array<std::uint8_t, 8> to{}, via{};
  int size = 0;
  constexpr void add(int file, int rank, int via_square = kNoSquare) {
    to[std::size_t(size)] = std::uint8_t(rank * kXiangqiFiles + file);
    via[std::size_t(size++)] = std::uint8_t(via_square);
  }
};

constexpr bool on_board(int file, int rank) {
  return file >= 0 && file < kXiangqiFiles && rank >= 0 && rank < kXiangqiRanks;
}
constexpr bool in_palace(int file, int rank) {
  return file >= 3 && file <= 5 && rank >= 0 && rank < kXiangqiRanks && (rank <= 2 || rank >= 7);
}

inline constexpr int kStraight[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
inline constexpr int kDiagonal[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};

// [type as XiangqiType, advisor elephant general horse alone][square]
using StepTable = std::array<Steps, kXiangqiSquares>;
constexpr StepTable make_steps(XiangqiType type) {
  StepTable table{};
  for (int s = 0; s < kXiangqiSquares; ++s) {
    Steps& steps = table[std::size_t(s)];
    const int file = s % kXiangqiFiles, rank = s / kXiangqiFiles;
    for (int d = 0; d < 4; ++d) {
      const int df = kDiagonal[d][0], dr = kDiagonal[d][1];
      const int sf = kStraight[d][0], sr = kStraight[d][1];
      if (type == XiangqiType::kAdvisor && in_palace(file + df, rank + dr)) steps.add(file + df, rank + dr);
      if (type == XiangqiType::kGeneral && in_palace(file + sf, rank + sr)) steps.add(file + sf, rank + sr);
      if (type == XiangqiType::kElephant && on_board(file + 2 * df, rank + 2 * dr) &&
          rank / 5 == (rank + 2 * dr) / 5) {
        steps.add(file + 2 * df, rank + 2 * dr, s + dr * kXiangqiFiles + df);
      }
      if (type == XiangqiType::kHorse) {  // one step straight, then one outward to each side
        for (int side = -1; side <= 1; side += 2) {
          const int f = file + 2 * sf + side * sr, r = rank + 2 * sr + side * sf;
          if (on_board(f, r)) steps.add(f, r, s + sr * kXiangqiFiles + sf);
        }
      }
    }
  }
  return table;
}
inline constexpr StepTable kAdvisorSteps = make_steps(XiangqiType::kAdvisor);
inline constexpr StepTable kElephantSteps = make_steps(XiangqiType::kElephant);
inline constexpr StepTable kGeneralSteps = make_steps(XiangqiType::kGeneral);
inline constexpr StepTable kHorseSteps = make_steps(XiangqiType::kHorse);

// [color][square] where a soldier goes, and from where soldiers of that color attack the square.
inline constexpr std::array<StepTable, 2> kSoldierSteps = [] {
  std::array<StepTable, 2> table{};
  for (int color = 0; color < 2; ++color) {
    for (int s = 0; s < kXiangqiSquares; ++s) {
      Steps& steps = table[std::size_t(color)][std::size_t(s)];
      const int file = s % kXiangqiFiles, rank = s / kXiangqiFiles, forward = color == 0 ? 1 : -1;
      if (on_board(file, rank + forward)) steps.add(file, rank + forward);
      if (color == 0 ? rank < 5 : rank > 4) continue;
      if (file > 0) steps.add(file - 1, rank);
      if (file < 8) steps.add(file + 1, rank);
    }
  }
  return table;
}();
inline constexpr std::array<StepTable, 2> kSoldierAttackers = [] {
  std::array<StepTable, 2> table{};
  for (std::size_t color = 0; color < 2; ++color) {
    for (int s = 0; s < kXiangqiSquares; ++s) {
      const Steps& steps = kSoldierSteps[color][std::size_t(s)];
      for (int i = 0; i < steps.size; ++i) {
        table[color][steps.to[std::size_t(i)]].add(s % kXiangqiFiles, s / kXiangqiFiles);
      }
    }
  }
  return table;
}();

// [horse][target] the leg, next to the horse; kNoSquare where no horse step leads.
inline constexpr std::array<std::array<std::uint8_t, kXiangqiSquares>, kXiangqiSquares + 1> kLegs = [] {
  std::array<std::array<std::uint8_t, kXiangqiSquares>, kXiangqiSquares + 1> table{};
  for (auto& row : table) row.fill(kNoSquare);
  for (std::size_t s = 0; s < kXiangqiSquares; ++s) {
    const Steps& steps = kHorseSteps[s];
    for (std::size_t i = 0; i < std::size_t(steps.size); ++i) table[s][steps.to[i]] = steps.via[i];
  }
  return table;
}();

// Of a type that steps; advisors, elephants and generals on squares where they may stand.
inline const Steps& steps(XiangqiType type, int color, int square) {
  const std::size_t s = std::size_t(square);
  switch (type) {
    case XiangqiType::kAdvisor:
      return kAdvisorSteps[s];
    case XiangqiType::kElephant:
      return kElephantSteps[s];
    case XiangqiType::kGeneral:
      return kGeneralSteps[s];
    case XiangqiType::kHorse:
      return kHorseSteps[s];
    default:
      return kSoldierSteps[std::size_t(color)][s];
  }
}

}  // namespace rf::xiangqi
