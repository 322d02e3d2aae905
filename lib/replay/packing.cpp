#include "replay/packing.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.h"

namespace rf {

PlanePacking::PlanePacking(const GameSpec& spec) : kinds_(spec.plane_kinds), cells_(spec.shape.cells()) {
  RF_ASSERT(int(kinds_.size()) == spec.shape.planes);
  int bits = 0;
  for (PlaneKind kind : kinds_) (kind == PlaneKind::kBits ? bits : scalars_) += 1;
  bits_bytes_ = (bits * cells_ + 7) / 8;
}

void PlanePacking::pack(std::span<const float> planes, std::span<std::uint8_t> bits,
                        std::span<float> scalars) const {
  RF_ASSERT(int(planes.size()) == planes_size() && int(bits.size()) == bits_bytes_);
  RF_ASSERT(int(scalars.size()) == scalars_);
  std::fill(bits.begin(), bits.end(), std::uint8_t(0));
  std::size_t bit = 0, scalar = 0;
  for (std::size_t plane = 0; plane < kinds_.size(); ++plane) {
    const auto cells = planes.subspan(plane * std::size_t(cells_), std::size_t(cells_));
    if (kinds_[plane] == PlaneKind::kScalar) {
      const bool constant = std::all_of(cells.begin(), cells.end(), [&](float v) { return v == cells[0]; });
      if (!constant || !std::isfinite(cells[0])) {
        fail(ExitCode::kInternal, "plane " + std::to_string(plane) + " has different values in its cells",
             "the game declares it a scalar plane");
      }
      scalars[scalar++] = cells[0];
      continue;
    }
    for (float v : cells) {
      if (v != 0.f && v != 1.f) {
        fail(ExitCode::kInternal, "plane " + std::to_string(plane) + " has the value " + std::to_string(v),
             "the game declares it a plane of bits");
      }
      if (v == 1.f) bits[bit / 8] = std::uint8_t(bits[bit / 8] | (0x80u >> (bit % 8)));
      ++bit;
    }
  }
}

void PlanePacking::unpack(std::span<const std::uint8_t> bits, std::span<const float> scalars,
                          std::span<float> planes) const {
  RF_ASSERT(int(planes.size()) == planes_size() && int(bits.size()) == bits_bytes_);
  RF_ASSERT(int(scalars.size()) == scalars_);
  std::size_t bit = 0, scalar = 0;
  float* cell = planes.data();
  for (PlaneKind kind : kinds_) {
    if (kind == PlaneKind::kScalar) {
      cell = std::fill_n(cell, cells_, scalars[scalar++]);
      continue;
    }
    for (int i = 0; i < cells_; ++i, ++bit) *cell++ = (bits[bit / 8] >> (7 - bit % 8)) & 1 ? 1.f : 0.f;
  }
}

}  // namespace rf
