#include "replay/packing.h"

#include <gtest/gtest.h>

#include "unit/store/expect_error.h"

namespace rf {
namespace {

GameSpec spec_of(std::vector<PlaneKind> kinds, int rows, int cols) {
  GameSpec spec;
  spec.shape = {int(kinds.size()), rows, cols};
  spec.plane_kinds = std::move(kinds);
  return spec;
}

const auto kBits = PlaneKind::kBits;
const auto kScalar = PlaneKind::kScalar;

TEST(PlanePacking, FirstCellIsTheHighestBitAndPlanesFollowEachOther) {
  const PlanePacking packing(spec_of({kBits, kScalar, kBits}, 1, 5));
  EXPECT_EQ(packing.bits_bytes(), 2);
  EXPECT_EQ(packing.scalars(), 1);
  const std::vector<float> planes = {1, 0, 0, 0, 1, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 1, 1, 0, 0, 1};
  std::vector<std::uint8_t> bits(2, 0xff);
  std::vector<float> scalars(1);
  packing.pack(planes, bits, scalars);
  EXPECT_EQ(bits, (std::vector<std::uint8_t>{0b10001110, 0b01000000}));
  EXPECT_EQ(scalars[0], 0.5f);
  std::vector<float> back(planes.size(), -1);
  packing.unpack(bits, scalars, back);
  EXPECT_EQ(back, planes);
}

TEST(PlanePacking, OneKindAloneWorks) {
  const PlanePacking bits_only(spec_of({kBits}, 2, 4));
  EXPECT_EQ(bits_only.bits_bytes(), 1);
  EXPECT_EQ(bits_only.scalars(), 0);
  const PlanePacking scalars_only(spec_of({kScalar, kScalar}, 2, 4));
  EXPECT_EQ(scalars_only.bits_bytes(), 0);
  EXPECT_EQ(scalars_only.scalars(), 2);
}

TEST(PlanePacking, RefusesPlanesThatAreNotWhatTheGameDeclares) {
  std::vector<std::uint8_t> bits(1);
  std::vector<float> scalars(1);
  const PlanePacking packing(spec_of({kBits, kScalar}, 1, 2));
  EXPECT_NO_THROW(packing.pack(std::vector<float>{0, 1, 3, 3}, bits, scalars));
  expect_error(ExitCode::kInternal, {"plane 0", "bits"}, [&] {
    packing.pack(std::vector<float>{0.5f, 1, 3, 3}, bits, scalars);
  });
  expect_error(ExitCode::kInternal, {"plane 1", "scalar"}, [&] {
    packing.pack(std::vector<float>{0, 1, 3, 2}, bits, scalars);
  });
  expect_error(ExitCode::kInternal, {"plane 1"}, [&] {
    packing.pack(std::vector<float>{0, 1, std::numeric_limits<float>::infinity(),
                                    std::numeric_limits<float>::infinity()},
                 bits, scalars);
  });
}

}  // namespace
}  // namespace rf
