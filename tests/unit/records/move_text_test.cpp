#include "records/move_text.h"

#include "records_fixtures.h"

namespace rf::testing {
namespace {

TEST(MoveText, ReadsOneGameALine) {
  const auto game = game_from_text("tic_tac_toe");
  const auto records = read_move_text(*game, "# two games\n\na1 b2,c3\r\n  \na1 a2 b1 b2 c1");
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(moves_of(*game, records[0]), (std::vector<std::string>{"a1", "b2", "c3"}));
  EXPECT_EQ(records[0].result, "*");
  EXPECT_EQ(records[1].result, "1-0");
}

TEST(MoveText, RefusalNamesLineMoveAndWord) {
  const auto game = game_from_text("tic_tac_toe");
  expect_refusal({"line 3", "move 2", "'z9'", "no legal move"},
                 [&] { (void)read_move_text(*game, "a1\n\na1 z9\n"); });
  expect_refusal({"line 1", "move 6", "over", "line"},
                 [&] { (void)read_move_text(*game, "a1 a2 b1 b2 c1 c2"); });
  expect_refusal({"line 2", "move 2", "'0'"}, [&] { (void)read_action_text(*game, "1\n0 0"); });
  for (const std::string word : {"9", "-1", "1x", "99999999999999999999", "+1", "0x1"}) {
    expect_refusal({"line 1", "move 1", word}, [&] { (void)read_action_text(*game, word); });
  }
}

TEST(MoveText, PositionsAreRefusedWhereThereAreNone) {
  const auto game = game_from_text("tic_tac_toe");
  expect_refusal({"line 2"}, [&] { (void)read_move_text(*game, "a1\nsomething; a1\n"); });
}

}  // namespace
}  // namespace rf::testing
