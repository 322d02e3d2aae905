// The squares and pieces of Xiangqi, as numbers.
#pragma once

#include <cstdint>

namespace rf {

inline constexpr int kXiangqiFiles = 9, kXiangqiRanks = 10, kXiangqiSquares = 90;

// Squares are rank * 9 + file; rank 0 is Red's back rank, file 0 is a. kNoSquare: off the board, captured.
inline constexpr std::uint8_t kNoSquare = 90;

// In the order of the input planes.
enum class XiangqiType : std::uint8_t {
  kAdvisor,
  kElephant,
  kCannon,
  kGeneral,
  kHorse,
  kChariot,
  kSoldier,
  kNone
};

// A piece is 16 * color + slot (color 0 is Red), so that its square can be kept; a slot belongs to one type.
inline constexpr std::uint8_t kNoPiece = 32;
inline constexpr int kXiangqiSlots = 16;
int xiangqi_color(std::uint8_t piece);  // 2 for kNoPiece
XiangqiType xiangqi_type(std::uint8_t piece);
// Slots of a type: [first, first + number).
struct XiangqiSlots {
  int first, number;
};
XiangqiSlots xiangqi_slots(XiangqiType type);
// Advisors and elephants stand on the points that their steps lead to from the start (5 and 7), generals in
// the palace, soldiers not behind their first rank, all others anywhere.
bool xiangqi_may_stand(XiangqiType type, int color, int square);

}  // namespace rf
