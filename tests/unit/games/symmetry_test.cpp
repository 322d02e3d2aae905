#include "games/symmetry.h"

#include <gtest/gtest.h>

namespace rf {
namespace {

TEST(Symmetry, NumberOfDistinctMaps) {
  EXPECT_EQ(board_symmetries(3, 3).size(), 8u);
  EXPECT_EQ(board_symmetries(2, 2).size(), 8u);
  EXPECT_EQ(board_symmetries(2, 3).size(), 4u);
}

// A flip across the thin side of a board one cell thin changes nothing: it used to be listed twice.
TEST(Symmetry, ThinBoardsListNoMapTwice) {
  EXPECT_EQ(board_symmetries(1, 5).size(), 2u);
  EXPECT_EQ(board_symmetries(5, 1).size(), 2u);
  EXPECT_EQ(board_symmetries(1, 1).size(), 1u);
}

TEST(Symmetry, OrderIsPartOfTheContract) {
  const auto maps = board_symmetries(2, 3);
  EXPECT_EQ(maps[0], (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(maps[1], (std::vector<int>{2, 1, 0, 5, 4, 3})) << "columns flipped";
  EXPECT_EQ(maps[2], (std::vector<int>{3, 4, 5, 0, 1, 2})) << "rows flipped";
  EXPECT_EQ(maps[3], (std::vector<int>{5, 4, 3, 2, 1, 0})) << "both";
  EXPECT_EQ(board_symmetries(3, 3)[4], (std::vector<int>{0, 3, 6, 1, 4, 7, 2, 5, 8})) << "transposed";
}

TEST(Symmetry, GatherComposeInvert) {
  const std::vector<float> planes = {1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60};  // [2, 2, 3]
  std::vector<float> once(12), twice(12), direct(12);
  const auto maps = board_symmetries(2, 3);
  gather_planes(planes, maps[1], once);
  EXPECT_EQ(once, (std::vector<float>{3, 2, 1, 6, 5, 4, 30, 20, 10, 60, 50, 40}));
  for (const auto& first : board_symmetries(2, 3)) {
    for (const auto& second : board_symmetries(2, 3)) {
      gather_planes(planes, first, once);
      gather_planes(once, second, twice);
      gather_planes(planes, compose_maps(first, second), direct);
      EXPECT_EQ(twice, direct);
    }
    gather_planes(planes, first, once);
    gather_planes(once, inverse_map(first), twice);
    EXPECT_EQ(twice, planes);
  }
}

}  // namespace
}  // namespace rf
