#include "games/xiangqi_labels.h"

#include <gtest/gtest.h>

#include <set>

#include "base/digest.h"
#include "xiangqi_positions.h"

namespace rf::testing {
namespace {

TEST(XiangqiLabels, AreThePublicOnesInTheirOrder) {
  std::ifstream file(xiangqi_data("labels_2086.txt"));
  std::string line, all;
  int label = 0;
  for (; std::getline(file, line); ++label) {
    ASSERT_LT(label, kXiangqiLabels);
    EXPECT_EQ(xiangqi_move_text(xiangqi_labels().moves[std::size_t(label)]), line) << label;
    EXPECT_EQ(xiangqi_labels().label(xiangqi_labels().moves[std::size_t(label)]), label);
  }
  EXPECT_EQ(label, kXiangqiLabels);
  for (const XiangqiMove move : xiangqi_labels().moves) all += xiangqi_move_text(move) + "\n";
  EXPECT_EQ(sha256(all), "8bd1f0871138b0c172a5ea6ae00190bdebcbdc71e25cfecac3b5d35499a86499");
  EXPECT_EQ(xiangqi_labels().label(*xiangqi_parse_move("a0b0")), 0);
  EXPECT_EQ(xiangqi_labels().label(*xiangqi_parse_move("b0c2")), 223);
  EXPECT_EQ(xiangqi_labels().label(*xiangqi_parse_move("h2e2")), 1659);
  EXPECT_EQ(xiangqi_labels().label(*xiangqi_parse_move("i7g9")), 2085);
}

TEST(XiangqiLabels, FlipAndMirrorArePermutations) {
  for (const auto* map : {&xiangqi_labels().flipped, &xiangqi_labels().mirrored}) {
    std::set<int> image;
    for (int a = 0; a < kXiangqiLabels; ++a) {
      const int b = (*map)[std::size_t(a)];
      ASSERT_TRUE(b >= 0 && b < kXiangqiLabels);
      EXPECT_EQ((*map)[std::size_t(b)], a);
      image.insert(b);
    }
    EXPECT_EQ(image.size(), std::size_t(kXiangqiLabels));
  }
  const auto text = [](int label) { return xiangqi_move_text(xiangqi_labels().moves[std::size_t(label)]); };
  EXPECT_EQ(text(xiangqi_labels().flipped[1659]), "h7e7");
  EXPECT_EQ(text(xiangqi_labels().mirrored[1659]), "b2e2");
}

TEST(XiangqiLabels, MovesAreReadInOneFormOnly) {
  EXPECT_EQ(*xiangqi_parse_move("a0i9"), (XiangqiMove{0, 89}));
  for (const char* text : {"", "h2e", "h2e22", "H2E2", "h2-e2", "j0a0", "a0a:", "a10a", " h2e2", "h2e2 "}) {
    EXPECT_FALSE(xiangqi_parse_move(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace rf::testing
