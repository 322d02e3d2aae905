// Planes as a shard holds them: one bit per cell of a bit plane, one float per scalar plane.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "games/game.h"

namespace rf {

// Bit planes are laid end to end in plane order, each [H, W] row-major, and packed 8 cells a byte, the first
// cell in the highest bit (as numpy.packbits does); the last byte is filled with zeros. Scalar planes give
// one float each, in plane order.
class PlanePacking {
 public:
  explicit PlanePacking(const GameSpec& spec);

  int bits_bytes() const { return bits_bytes_; }  // B, of one position
  int scalars() const { return scalars_; }        // S
  int planes_size() const { return int(kinds_.size()) * cells_; }

  // planes [C, H, W] -> bits [B], scalars [S]. Error(kInternal) when a bit plane has another value than 0 and
  // 1, or a scalar plane differs between cells or is not finite.
  void pack(std::span<const float> planes, std::span<std::uint8_t> bits, std::span<float> scalars) const;
  void unpack(std::span<const std::uint8_t> bits, std::span<const float> scalars,
              std::span<float> planes) const;

 private:
  std::vector<PlaneKind> kinds_;  // [C]
  int cells_, bits_bytes_ = 0, scalars_ = 0;
};

}  // namespace rf
