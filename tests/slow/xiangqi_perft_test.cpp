// links: rf_games
// Legal moves of Xiangqi counted to depth 5 and 6: thousands of millions, a minute or two.
#include <gtest/gtest.h>

#include "xiangqi_positions.h"

namespace rf::testing {
namespace {

TEST(XiangqiPerft, DeepCountsAreThoseOfOtherPrograms) {
  int lines = 0;
  for (const XiangqiCount& count : xiangqi_counts()) {
    if (count.depth <= 4) continue;
    XiangqiPosition position = xiangqi_parse_fen(count.fen, 120);
    EXPECT_EQ(position.board.count_lines(position.color, count.depth), count.nodes)
        << count.fen << " depth " << count.depth;
    ++lines;
  }
  EXPECT_GT(lines, 60);
}

}  // namespace
}  // namespace rf::testing
