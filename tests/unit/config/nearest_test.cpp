#include "config/nearest.h"

#include <gtest/gtest.h>

namespace rf {
namespace {

TEST(EditDistance, CountsLetters) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("simulatoins", "simulations"), 1);  // a swap
  EXPECT_EQ(edit_distance("Batch-Size", "batch_size"), 0);
}

TEST(NearestName, IsTheBestOrNothing) {
  const std::vector<std::string> known = {"games", "gate", "threshold", "games_in_parallel"};
  EXPECT_EQ(nearest_name("gmaes", known), "games");
  EXPECT_EQ(nearest_name("treshold", known), "threshold");
  EXPECT_EQ(nearest_name("xyz", known), std::nullopt);
  EXPECT_EQ(nearest_name("", known), std::nullopt);
  EXPECT_EQ(nearest_name(std::string(100000, 'g'), known), std::nullopt);
}

}  // namespace
}  // namespace rf
