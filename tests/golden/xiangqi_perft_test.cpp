// links: rf_games
// Legal moves of Xiangqi counted to depth 4; tests/slow goes deeper.
#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "games/registry.h"
#include "xiangqi_positions.h"

namespace rf::testing {
namespace {

TEST(XiangqiPerft, CountsAreThoseOfOtherPrograms) {
  const auto game = make_game({"xiangqi", {}});
  int lines = 0;
  for (const XiangqiCount& count : xiangqi_counts()) {
    if (count.depth > 4) continue;
    XiangqiPosition position = xiangqi_parse_fen(count.fen, 120);
    EXPECT_EQ(position.board.count_lines(position.color, count.depth), count.nodes)
        << count.fen << " depth " << count.depth;
    EXPECT_EQ(xiangqi_fen(position), count.fen);
    EXPECT_EQ(game->count_lines(count.fen, count.depth), count.nodes) << count.fen;
    ++lines;
  }
  EXPECT_GT(lines, 160);
}

// No game reaches these: an advisor on d1, elephants on e4 and e5 (their moves are no actions), and black
// soldiers behind their first rank.
const std::set<std::string> kImpossible = {"4k4/9/9/9/9/9/9/4n4/3A5/3K5 w - - 0 1",
                                           "3k5/9/9/9/2b1b4/2B1B4/9/9/9/5K3 w - - 0 1",
                                           "3k5/9/1p1p5/9/1C5C1/9/1P5p1/9/1c5c1/4K4 w - - 0 1"};

TEST(XiangqiPerft, StatesCountAsTheBoardDoes) {
  const auto game = make_game({"xiangqi", {}});
  std::set<std::string> refused;
  for (const XiangqiCount& count : xiangqi_counts()) {
    if (count.depth > 3) continue;
    if (kImpossible.contains(count.fen)) {
      EXPECT_THROW(game->parse_position(count.fen), Error);
      refused.insert(count.fen);
      continue;
    }
    EXPECT_EQ(game->count_lines(*game->parse_position(count.fen), count.depth), count.nodes)
        << count.fen << " depth " << count.depth;
  }
  EXPECT_EQ(refused, kImpossible);
}

}  // namespace
}  // namespace rf::testing
