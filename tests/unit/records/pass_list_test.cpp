#include "records/pass_list.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random_stream.h"
#include "dots_fixtures.h"

namespace rf::testing {
namespace {

std::string refusal(const Game& game, const std::string& text) {
  try {
    read_pass_list(game, text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadData) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "read: " << text;
  return {};
}

TEST(PassList, ReadsAGameOfOneBoxAfterTheOther) {
  const auto game = dots(1, 2);  // 7 edges: 7 is the pass
  const auto records = read_pass_list(*game, "# a comment\n0 2 4 5 7 1, 6 3\r\n\n5,0,1\n");
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].moves, (std::vector<Action>{0, 2, 4, 5, 1, 6, 3}));
  EXPECT_EQ(records[0].result, "0-1");  // no pass follows the last edge
  EXPECT_EQ(records[1].moves, (std::vector<Action>{5, 0, 1}));
  EXPECT_EQ(records[1].result, "*");
}

TEST(PassList, ABrokenOffGameMayEndOnItsPass) {
  const auto game = dots(1, 2);
  const std::vector<Action> moves = {0, 2, 4, 5};
  EXPECT_EQ(read_pass_list(*game, "0 2 4 5").at(0).moves, moves);
  EXPECT_EQ(read_pass_list(*game, "0 2 4 5 7").at(0).moves, moves);
}

TEST(PassList, TwoBoxesAtOnceAreOnePass) {
  const auto game = dots(1, 3);  // the pass is 10
  EXPECT_EQ(read_pass_list(*game, "0 3 6 1 4 8 7 10 2").at(0).moves,
            (std::vector<Action>{0, 3, 6, 1, 4, 8, 7, 2}));
  EXPECT_NE(refusal(*game, "0 3 6 1 4 8 7 10 10 2").find("is a pass"), std::string::npos);
}

TEST(PassList, WritesWhatItReads) {
  for (const auto& [rows, cols] : {std::pair{1, 1}, {2, 2}, {3, 3}, {2, 4}}) {
    const auto game = dots(rows, cols);
    const int pass = game->spec().num_actions;
    std::vector<Record> records(40);
    for (std::size_t i = 0; i < records.size(); ++i) {
      RandomStream stream = make_stream(1, 0, i, Purpose::kTest);
      const auto state = game->initial_state();
      std::vector<Action> legal;
      while (!state->terminal() && (i % 2 == 0 || state->ply() < int(i))) {
        state->legal_actions(legal);
        records[i].moves.push_back(legal[stream.below(std::uint32_t(legal.size()))]);
        state->apply(records[i].moves.back());
      }
      records[i].result = result_text(*state);
    }
    const std::string text = write_pass_list(*game, records);
    const auto again = read_pass_list(*game, text);
    ASSERT_EQ(again.size(), records.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
      EXPECT_EQ(again[i].moves, records[i].moves);
      EXPECT_EQ(again[i].result, records[i].result);
    }
    EXPECT_EQ(write_pass_list(*game, again), text);
    // On 1x1 only the last edge closes a box.
    EXPECT_EQ(text.find(std::to_string(pass)) != std::string::npos, rows * cols > 1);
  }
}

TEST(PassList, EntriesAlternateBetweenThePlayers) {
  const auto game = dots(3, 3);
  RandomStream stream(4);
  std::vector<Action> legal;
  Record record;
  std::vector<int> movers;
  const auto state = game->initial_state();
  while (!state->terminal()) {
    state->legal_actions(legal);
    movers.push_back(state->to_move());
    record.moves.push_back(legal[stream.below(std::uint32_t(legal.size()))]);
    state->apply(record.moves.back());
  }
  const std::string text = write_pass_list(*game, {&record, 1});
  std::size_t edge = 0, entry = 0;
  for (std::size_t at = 0; at < text.size(); at = text.find_first_of(" \n", at) + 1, ++entry) {
    if (std::stoi(text.substr(at)) == 24) continue;
    ASSERT_LT(edge, movers.size());
    EXPECT_EQ(movers[edge++], int(entry % 2)) << text;
  }
  EXPECT_EQ(edge, 24u);
}

TEST(PassList, RefusesPassesThatStandElsewhere) {
  const auto game = dots(1, 2);
  const std::string early = refusal(*game, "\n7");
  EXPECT_NE(early.find("line 2: number 1, '7', is a pass"), std::string::npos) << early;
  refusal(*game, "0 7");
  const std::string missing = refusal(*game, "0 2 4 5 1");
  EXPECT_NE(missing.find("line 1: number 5, '1', is not the pass 7"), std::string::npos) << missing;
  const std::string after = refusal(*game, "0 2 4 5 7 1 6 3 7");
  EXPECT_NE(after.find("comes after the end"), std::string::npos) << after;
}

TEST(PassList, RefusesWhatIsNoEdge) {
  const auto game = dots(1, 2);
  for (const char* text : {"0 0", "8", "-1", "x", "0x", "1.5", "99999999999999999999", "[0"}) {
    EXPECT_NE(refusal(*game, text).find("line 1"), std::string::npos) << text;
  }
}

TEST(PassList, IsAFormatOfDotsAndBoxesAlone) {
  EXPECT_EQ(record_format("pass-list", *dots(2, 2)).write, &write_pass_list);
  try {
    record_format("pass-list", *make_game({"gomoku", {}}));
    FAIL() << "gomoku has no such format";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
  }
}

}  // namespace
}  // namespace rf::testing
