#include "games/xiangqi_pieces.h"

#include <array>

namespace rf {
namespace {

constexpr std::array<XiangqiSlots, 8> kSlots = {
    {{1, 2}, {3, 2}, {9, 2}, {0, 1}, {5, 2}, {7, 2}, {11, 5}, {16, 0}}};

constexpr std::array<XiangqiType, kNoPiece + 1> kTypes = [] {
  std::array<XiangqiType, kNoPiece + 1> types{};
  types[kNoPiece] = XiangqiType::kNone;
  for (int t = 0; t < 7; ++t) {
    for (int i = 0; i < kSlots[std::size_t(t)].number; ++i) {
      const int slot = kSlots[std::size_t(t)].first + i;
      types[std::size_t(slot)] = types[std::size_t(slot + kXiangqiSlots)] = XiangqiType(t);
    }
  }
  return types;
}();

}  // namespace

int xiangqi_color(std::uint8_t piece) {
  return piece >> 4;
}

XiangqiType xiangqi_type(std::uint8_t piece) {
  return kTypes[piece];
}

XiangqiSlots xiangqi_slots(XiangqiType type) {
  return kSlots[std::size_t(type)];
}

bool xiangqi_may_stand(XiangqiType type, int color, int square) {
  const int file = square % kXiangqiFiles, row = square / kXiangqiFiles;
  const int rank = color == 0 ? row : 9 - row;
  const bool palace = file >= 3 && file <= 5 && rank <= 2;
  switch (type) {
    case XiangqiType::kGeneral:
      return palace;
    case XiangqiType::kAdvisor:
      return palace && (file + rank) % 2 == 1;
    case XiangqiType::kElephant:
      return (rank == 2 && file % 4 == 0) || ((rank == 0 || rank == 4) && file % 4 == 2);
    case XiangqiType::kSoldier:
      return rank >= 3;
    default:
      return true;
  }
}

}  // namespace rf
