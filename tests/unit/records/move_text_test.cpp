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

TEST(MoveText, CapitalsAreReadInEveryGame) {
  for (const std::string& text : contract_games()) {
    const auto game = game_from_text(text);
    const auto state = game->initial_state();
    std::vector<Action> legal, moves;
    std::string words, joined;
    RandomStream stream = make_stream(3, 0, 0, Purpose::kTest);
    for (int i = 0; i < 40 && !state->terminal(); ++i) {
      legal.clear();
      state->legal_actions(legal);
      moves.push_back(legal[stream.below(std::uint32_t(legal.size()))]);
      std::string word = game->action_text(*state, moves.back());
      if (i % 3 != 0) word[0] = char(std::toupper(static_cast<unsigned char>(word[0])));
      words += word + " ";
      joined += word;
      state->apply(moves.back());
    }
    EXPECT_EQ(play_moves(*game, *game->initial_state(), words), moves) << text;
    EXPECT_EQ(read_move_text(*game, words)[0].moves, moves) << text;
    if (game->spec().joined_moves) {
      EXPECT_EQ(play_moves(*game, *game->initial_state(), joined), moves) << text;
    }
  }
}

TEST(MoveText, ListsOfXiangqiTakeEveryNotation) {
  const auto game = game_from_text("xiangqi");
  const auto moves = play_moves(*game, *game->initial_state(), "h2e2 h9g7 h0g2 i9h9");
  for (const std::string list :
       {"H2-E2 H9-G7 H0-G2 I9-H9", "h2-e2,h9-g7,h0-g2,i9-h9", "C2=5 H8+7 H2+3 R9=8", "c2.5 n8+7 n2+3 r9.8",
        "炮二平五 马８进７ 马二进三 车９平８", "h2e2 H8+7 马二进三 I9-H9", "H2E2H9G7H0G2I9H9",
        "H2-E2H9-G7H0-G2I9-H9", "C2=5H8+7H2+3R9=8", "炮二平五马８进７马二进三车９平８"}) {
    EXPECT_EQ(play_moves(*game, *game->initial_state(), list), moves) << list;
    EXPECT_EQ(read_move_text(*game, list)[0].moves, moves) << list;
  }
  expect_refusal({"move 2", "'H2-E2'"},
                 [&] { (void)play_moves(*game, *game->initial_state(), "h2e2 H2-E2"); });
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
