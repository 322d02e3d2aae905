#include "games/xiangqi_repetition.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "games/registry.h"
#include "games/xiangqi_labels.h"
#include "xiangqi_positions.h"

namespace rf::testing {
namespace {

std::unique_ptr<Game> xiangqi(std::map<std::string, int> values = {}) {
  return make_game({"xiangqi", std::move(values)});
}

const std::string kRepetition = "repetition", kSearch = "search_repetition";
const std::string kStart = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

// Moves one after the other; each must be legal, which it is not once the game has ended.
void play(const Game& game, State& state, const std::vector<std::string>& moves) {
  for (const std::string& move : moves) {
    const auto action = game.parse_action(state, move);
    ASSERT_TRUE(action.has_value()) << move << "\n" << state.text();
    state.apply(*action);
  }
}

// For the player to move, or for another one.
std::string verdict(const State& state, int player = -1) {
  if (!state.terminal()) return "goes on";
  if (state.outcome() == 0) return "draw";
  const bool won = state.outcome() > 0;
  return won == (player < 0 || player == state.to_move()) ? "side_to_move_wins" : "side_to_move_loses";
}

// The endings of tests/data/xiangqi/repetition_cases.jsonl with the verdicts of a judge of checks alone and
// of two engines.
TEST(XiangqiRepetition, EndingsAreJudgedAsByOtherPrograms) {
  const auto checks = xiangqi(), chase = xiangqi({{kRepetition, 1}});
  std::ifstream file(xiangqi_data("repetition_cases.jsonl"));
  int cases = 0, agreed = 0;
  for (std::string line; std::getline(file, line); ++cases) {
    const nlohmann::json row = nlohmann::json::parse(line);
    const std::vector<std::string> moves = row["moves"];
    for (const auto& [game, judge] :
         {std::pair(checks.get(), "check_only"), std::pair(chase.get(), "pikafish")}) {
      const auto state = game->parse_position(std::string(row["fen"]));
      // In one case the same position occurs five times: the third ends the game.
      for (std::size_t i = 0; i < moves.size() && !state->terminal(); ++i) play(*game, *state, {moves[i]});
      const int player = row["side_to_move_after"] == "w" ? 0 : 1;
      EXPECT_EQ(verdict(*state, player), row[judge]) << judge << "\n" << line << "\n" << state->text();
      if (game == chase.get() && row["engines_agree"]) {
        EXPECT_EQ(verdict(*state, player), row["fsf_axf"]) << line;
        ++agreed;
      }
    }
  }
  EXPECT_EQ(cases, 20);
  EXPECT_GE(agreed, 16);
}

TEST(XiangqiRepetition, TheThirdOccurrenceIsADraw) {
  const auto game = xiangqi();
  const auto state = game->initial_state();
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(state->terminal());
    play(*game, *state, {"h0g2", "h9g7", "g2h0", "g7h9"});
  }
  EXPECT_EQ(verdict(*state), "draw");
  EXPECT_EQ(state->end_reason(), "repetition");
}

// A later position may be the first to occur a third time; a capture makes all earlier ones unreachable.
TEST(XiangqiRepetition, OccurrencesCountSinceTheLastCapture) {
  const auto game = xiangqi();
  const auto state = game->initial_state();
  play(*game, *state, {"h0g2", "h9g7", "g2h0", "g7h9", "h2h9", "i9h9"});
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(state->terminal());
    play(*game, *state, {"b0c2", "b9c7", "c2b0", "c7b9"});
  }
  EXPECT_EQ(verdict(*state), "draw");
  // The same board with the other side to move is another position.
  const auto other = game->parse_position("3k5/9/9/9/9/9/9/9/9/R4K3 w - - 0 1");
  play(*game, *other, {"a0b0", "d9d8", "b0a0", "d8d9", "a0c0", "d9d8", "c0b0", "d8d9", "b0a0"});
  EXPECT_FALSE(other->terminal());
}

// The chariot checks with each move, the general runs to and fro.
const std::string kCheckFen = "3k5/9/9/9/9/9/9/9/9/R4K3 w - - 0 1";
const std::vector<std::string> kCheckRound = {"a9a8", "d8d9", "a8a9", "d9d8"};

TEST(XiangqiRepetition, WhoChecksAllTheTimeLoses) {
  const auto game = xiangqi();
  const auto state = game->parse_position(kCheckFen);
  play(*game, *state, {"a0a9", "d9d8", "a9a8", "d8d9", "a8a9", "d9d8", "a9a8", "d8d9"});
  EXPECT_FALSE(state->terminal());
  play(*game, *state, {"a8a9"});  // as after the first move, twice before
  EXPECT_EQ(state->to_move(), 1);
  EXPECT_EQ(verdict(*state), "side_to_move_wins");
  EXPECT_EQ(state->end_reason(), "perpetual check");
}

TEST(XiangqiRepetition, OneQuietMoveAmongTheChecksIsADraw) {
  const auto game = xiangqi();
  const auto state = game->parse_position(kCheckFen);
  play(*game, *state, {"a0a9", "d9d8"});
  play(*game, *state, kCheckRound);
  play(*game, *state, {"a9b9", "d8d7", "b9a9", "d7d8"});  // b9 does not check
  EXPECT_EQ(verdict(*state), "draw");
  EXPECT_EQ(state->end_reason(), "repetition");
}

TEST(XiangqiRepetition, BothCheckingIsADraw) {
  XiangqiHistory history(10);
  for (int i = 0; i < 5; ++i) history.push({std::uint64_t(i % 4), {}, true});
  EXPECT_EQ(perpetual_checker(history, 0, 0), -1);
}

TEST(XiangqiRepetition, ChecksArePerSide) {
  for (int checking = 0; checking < 2; ++checking) {
    XiangqiHistory history(10);
    for (int i = 0; i < 5; ++i) history.push({std::uint64_t(i % 4), {}, i % 2 == checking});
    // The last move, number 4, was that of the side not to move (0 is to move): its checks are at 2 and 4.
    EXPECT_EQ(perpetual_checker(history, 0, 0), checking == 0 ? 1 : 0);
    EXPECT_EQ(perpetual_checker(history, 0, 1), checking == 0 ? 0 : 1);
  }
}

TEST(XiangqiRepetition, GeneralsAndSoldiersMayChase) {
  const auto game = xiangqi({{kRepetition, 1}});
  const std::pair<const char*, std::vector<std::string>> cases[] = {
      {"5k3/2c6/3P5/9/9/9/9/9/9/4K4 w", {"d7c7", "c8d8", "c7d7", "d8c8"}},
      {"5k3/9/9/9/9/9/9/4c4/3K5/9 w", {"d1e1", "e2d2", "e1d1", "d2e2"}},
  };
  for (const auto& [fen, round] : cases) {
    const auto state = game->parse_position(fen);
    for (int i = 0; i < 2; ++i) play(*game, *state, round);
    EXPECT_EQ(verdict(*state), "draw") << fen;
  }
  // A chariot in the place of the soldier may not.
  const auto state = game->parse_position("5k3/2c6/3R5/9/9/9/9/9/9/4K4 w");
  for (int i = 0; i < 2; ++i) play(*game, *state, {"d7c7", "c8d8", "c7d7", "d8c8"});
  EXPECT_EQ(verdict(*state), "side_to_move_loses");
  EXPECT_EQ(state->end_reason(), "perpetual chase");
}

// A check among the chases, by whomever, makes a draw of it.
TEST(XiangqiRepetition, ACheckBreaksAChase) {
  for (int check_at = 0; check_at <= 8; ++check_at) {  // 0: the first position, which is not among the moves
    XiangqiBoard board = xiangqi_parse_fen("5k3/2c6/3R5/9/9/9/9/9/9/4K4 w", 120).board;
    XiangqiHistory history(9);
    history.push({});
    for (int i = 1; i <= 8; ++i) {
      const char* round[] = {"d8c8", "d7c7", "c8d8", "c7d7"};
      const XiangqiMove move = *xiangqi_parse_move(round[i % 4]);
      board.play(move);
      history.push({0, move, i == check_at});
    }
    EXPECT_EQ(perpetual_chaser(board, history, 0, 0), check_at == 0 ? 0 : -1) << check_at;
  }
}

// A position and the same with colors and ranks exchanged look alike to the one who moves.
TEST(XiangqiRepetition, TheOtherColorsMirrorImageIsAnotherPosition) {
  const auto game = xiangqi();
  const auto state = game->initial_state();
  play(*game, *state, {"h2e2"});
  std::vector<float> first(17 * 90), last(17 * 90);
  state->encode(first);
  play(*game, *state, {"h7g7", "e2g2", "g7f7", "g2h2", "f7e7"});
  state->encode(last);
  EXPECT_TRUE(std::equal(first.begin(), first.begin() + 14 * 90, last.begin()));
  EXPECT_EQ(last[14 * 90], 0);
}

TEST(XiangqiRepetition, ASecondOccurrenceEndsASearchNotAGame) {
  const auto game = xiangqi();
  const auto root = game->initial_state();
  root->begin_search();
  const auto leaf = root->clone();
  const std::vector<std::string> round = {"h0g2", "h9g7", "g2h0", "g7h9"};
  play(*game, *leaf, round);
  EXPECT_TRUE(leaf->terminal());
  EXPECT_EQ(leaf->end_reason(), "repetition");
  EXPECT_EQ(leaf->outcome(), 0);
  // In play the game goes on, also from a state that a search had ended.
  const auto played = game->initial_state();
  play(*game, *played, round);
  EXPECT_FALSE(played->terminal());
  std::vector<Action> legal;
  leaf->begin_search();  // it is the root now
  EXPECT_FALSE(leaf->terminal());
  leaf->legal_actions(legal);
  EXPECT_EQ(legal.size(), 44u);
  // What a state shows does not depend on the search around it.
  EXPECT_EQ(leaf->hash(), played->hash());
  EXPECT_EQ(leaf->text(), played->text());
}

TEST(XiangqiRepetition, InASearchOnlyOccurrencesFromTheRootOnCount) {
  const auto game = xiangqi();
  const auto state = game->initial_state();
  play(*game, *state, {"h0g2", "h9g7"});
  state->begin_search();  // the start position is before the root
  play(*game, *state, {"g2h0", "g7h9"});
  EXPECT_FALSE(state->terminal()) << "the second occurrence, but the first was before the root";
  play(*game, *state, {"h0g2"});
  EXPECT_FALSE(state->terminal());
  play(*game, *state, {"h9g7"});  // the root again
  EXPECT_TRUE(state->terminal());
  state->begin_search();
  EXPECT_FALSE(state->terminal());
  play(*game, *state, {"g2h0", "g7h9"});
  EXPECT_TRUE(state->terminal()) << "three times in all";
  state->begin_search();
  EXPECT_TRUE(state->terminal()) << "a third occurrence ends play, too";
}

TEST(XiangqiRepetition, InASearchPerpetualCheckLosesAtTheSecondOccurrence) {
  for (int third = 0; third < 2; ++third) {
    const auto game = xiangqi({{kSearch, third}});
    const auto state = game->parse_position(kCheckFen);
    play(*game, *state, {"a0a9", "d9d8"});
    state->begin_search();
    play(*game, *state, kCheckRound);
    EXPECT_EQ(verdict(*state), third ? "goes on" : "side_to_move_loses");
  }
}

TEST(XiangqiRepetition, EncodingShowsEarlierOccurrences) {
  const auto game = xiangqi(), pieces = xiangqi({{"planes", 1}});
  ASSERT_EQ(game->spec().shape.planes, 17);
  ASSERT_EQ(pieces->spec().shape.planes, 14);
  const auto state = game->initial_state(), bare = pieces->initial_state();
  std::vector<float> planes(17 * 90);
  const std::uint64_t first = bare->hash();
  for (const float expected : {0.f, 0.5f, 1.f}) {
    state->encode(planes);
    EXPECT_EQ(planes[14 * 90], expected);
    EXPECT_EQ(bare->hash(), first) << "pieces14 does not show occurrences";
    if (state->terminal()) break;
    play(*game, *state, {"h0g2", "h9g7", "g2h0", "g7h9"});
    play(*pieces, *bare, {"h0g2", "h9g7", "g2h0", "g7h9"});
  }
  EXPECT_EQ(planes[15 * 90], 8.f / 120.f);
  EXPECT_EQ(planes[16 * 90], 1.f);
}

TEST(XiangqiHistory, CopiesWhatIsInIt) {
  XiangqiHistory a(4), b(4);
  a.push({1, {}, true});
  a.push({2, {}, false});
  b = a;
  b.push({3, {}, true});
  EXPECT_EQ(a.size(), 2);
  EXPECT_EQ(b[0].key, 1u);
  EXPECT_EQ(b.last().key, 3u);
  const XiangqiHistory c(b);
  EXPECT_EQ(c.size(), 3);
  b.clear();
  EXPECT_EQ(c.last().key, 3u);
}

}  // namespace
}  // namespace rf::testing
