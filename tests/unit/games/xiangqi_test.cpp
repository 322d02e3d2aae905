#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "games/registry.h"
#include "xiangqi_positions.h"

namespace rf::testing {
namespace {

std::unique_ptr<Game> xiangqi(std::map<std::string, int> values = {}) {
  return make_game({"xiangqi", std::move(values)});
}

void play(const Game& game, State& state, const std::vector<std::string>& moves) {
  for (const std::string& move : moves) {
    const auto action = game.parse_action(state, move);
    ASSERT_TRUE(action.has_value()) << move << "\n" << state.text();
    EXPECT_EQ(game.action_text(state, *action), move);
    state.apply(*action);
  }
}

// A whole game of 62 plies, the last of which leaves Black's general attacked.
TEST(Xiangqi, ThePrintedGame) {
  const nlohmann::json printed = nlohmann::json::parse(std::ifstream(xiangqi_data("printed_game.json")));
  const std::vector<std::string> moves = printed["moves"], fens = printed["fens"];
  ASSERT_EQ(moves.size(), 62u);
  for (int loose = 0; loose < 2; ++loose) {
    const auto game = xiangqi({{"rules", loose}});
    const auto state = game->initial_state();
    for (std::size_t i = 0; i < 61; ++i) {
      EXPECT_EQ(state->position_text(), fens[i]);
      play(*game, *state, {moves[i]});
    }
    EXPECT_EQ(state->position_text(), fens[61]);
    EXPECT_FALSE(state->terminal());
    if (!loose) {
      EXPECT_FALSE(game->parse_action(*state, moves[61]).has_value());
      std::vector<Action> legal;
      state->legal_actions(legal);
      ASSERT_EQ(legal.size(), 1u);
      EXPECT_EQ(game->action_text(*state, legal[0]), "f9f8");
      continue;
    }
    play(*game, *state, {moves[61]});
    EXPECT_TRUE(state->terminal());
    EXPECT_EQ(state->end_reason(), "general captured");
    EXPECT_EQ(state->to_move(), 0);
    EXPECT_EQ(state->outcome(), 1);  // Red takes it
  }
}

TEST(Xiangqi, MateAndStalemateLose) {
  const auto game = xiangqi();
  const auto stalemated = game->parse_position("3k5/9/9/9/9/9/9/9/1R7/R3K4 w - - 0 1");
  play(*game, *stalemated, {"b1b8"});
  EXPECT_TRUE(stalemated->terminal());
  EXPECT_EQ(stalemated->end_reason(), "stalemate");
  EXPECT_EQ(stalemated->outcome(), -1);
  const auto mated = game->parse_position("3k5/1R7/9/9/9/9/9/9/9/R3K4 w - - 0 1");
  play(*game, *mated, {"a0a9"});
  EXPECT_TRUE(mated->terminal());
  EXPECT_EQ(mated->end_reason(), "checkmate");
  EXPECT_EQ(mated->outcome(), -1);
  for (const char* fen : {"4k4/9/9/9/9/9/9/9/r8/3K5 w", "3k5/R8/9/9/9/9/9/9/9/4K4 b"}) {
    const auto stalemate = game->parse_position(fen);
    EXPECT_TRUE(stalemate->terminal());
    EXPECT_EQ(stalemate->end_reason(), "stalemate");
    EXPECT_EQ(stalemate->outcome(), -1);
  }
}

TEST(Xiangqi, WhoCanCaptureTheGeneralWinsLooseGames) {
  const auto strict = xiangqi(), loose = xiangqi({{"rules", 1}});
  const std::string fen = "4k4/9/9/9/4N4/9/9/9/9/4K4 w";
  EXPECT_FALSE(strict->parse_action(*strict->parse_position(fen), "e5c4"));  // the generals would face
  const auto state = loose->parse_position(fen);
  play(*loose, *state, {"e5c4"});
  EXPECT_TRUE(state->terminal());
  EXPECT_EQ(state->end_reason(), "general captured");
  EXPECT_EQ(state->to_move(), 1);
  EXPECT_EQ(state->outcome(), 1);
  const auto check = loose->parse_position("4k4/9/9/9/9/9/9/9/R8/3K5 w");
  play(*loose, *check, {"a1a9"});
  EXPECT_FALSE(check->terminal());
  play(*loose, *check, {"e9f9"});  // stays in check
  EXPECT_EQ(check->end_reason(), "general captured");
  EXPECT_EQ(check->outcome(), 1);
}

TEST(Xiangqi, ADrawAfterPliesWithoutCaptureUnlessMated) {
  const auto game = xiangqi({{"no_capture_plies", 10}});
  const auto draw = game->parse_position("3k5/9/9/9/9/9/9/9/1R7/R3K4 w - - 8 30");
  play(*game, *draw, {"b1b7"});
  EXPECT_FALSE(draw->terminal());
  play(*game, *draw, {"d9d8"});
  EXPECT_TRUE(draw->terminal());
  EXPECT_EQ(draw->end_reason(), "no capture");
  EXPECT_EQ(draw->outcome(), 0);
  EXPECT_EQ(draw->position_text(), "9/3k5/1R7/9/9/9/9/9/9/R3K4 w - - 10 31");
  const auto mate = game->parse_position("3k5/1R7/9/9/9/9/9/9/9/R3K4 w - - 9 30");
  play(*game, *mate, {"a0a9"});
  EXPECT_EQ(mate->end_reason(), "checkmate");
  const auto capture = game->parse_position("3k5/9/9/n8/9/9/9/9/1R7/R3K4 w - - 9 30");
  play(*game, *capture, {"a0a6"});
  EXPECT_FALSE(capture->terminal());
  EXPECT_EQ(capture->position_text(), "3k5/9/9/R8/9/9/9/9/1R7/4K4 b - - 0 30");
}

TEST(Xiangqi, ALimitOfPliesIsADraw) {
  const auto game = xiangqi({{"max_plies", 3}});
  EXPECT_EQ(game->spec().max_plies, 3);
  EXPECT_EQ(xiangqi()->spec().max_plies, 31 * 120);
  EXPECT_EQ(xiangqi({{"max_plies", 5000}, {"no_capture_plies", 2}})->spec().max_plies, 62);
  const auto state = game->initial_state();
  play(*game, *state, {"h2e2", "h9g7"});
  EXPECT_FALSE(state->terminal());
  play(*game, *state, {"h0g2"});
  EXPECT_TRUE(state->terminal());
  EXPECT_EQ(state->end_reason(), "move limit");
  EXPECT_EQ(state->outcome(), 0);
}

// Actions are as the mover sees them: ranks flipped for Black, files not.
TEST(Xiangqi, TheSameMoveIsTheSameActionForBothColors) {
  const auto game = xiangqi();
  const auto state = game->initial_state();
  EXPECT_EQ(game->parse_action(*state, "h2e2"), Action(1659));
  state->apply(1659);
  EXPECT_EQ(game->parse_action(*state, "h7e7"), Action(1659));
  EXPECT_FALSE(game->parse_action(*state, "h2e2"));
  state->apply(1659);
  EXPECT_EQ(state->position_text(), "rnbakabnr/9/1c2c4/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2");
}

// The same position with colors and ranks exchanged looks the same but for the side plane.
TEST(Xiangqi, BothColorsSeeTheirPiecesAtTheBottom) {
  for (int pieces14 = 0; pieces14 < 2; ++pieces14) {
    const auto game = xiangqi({{"planes", pieces14}});
    const auto red = game->parse_position("2bak4/4a4/9/9/9/6p2/9/3C5/4N4/3K5 w - - 4 1");
    const auto black = game->parse_position("3k5/4n4/3c5/9/6P2/9/9/9/4A4/2BAK4 b - - 4 1");
    std::vector<float> a(std::size_t(game->spec().shape.size())), b(a.size());
    red->encode(a);
    black->encode(b);
    EXPECT_TRUE(std::equal(a.begin(), a.begin() + 16 * 90 - (pieces14 ? 2 * 90 : 0), b.begin()));
    EXPECT_EQ(a == b, pieces14 == 1);
    EXPECT_EQ(red->hash() == black->hash(), pieces14 == 1);
    EXPECT_EQ(a[3 * 90 + 3], 1);           // own general on d0
    EXPECT_EQ(a[2 * 90 + 2 * 9 + 3], 1);   // own cannon on d2
    EXPECT_EQ(a[13 * 90 + 4 * 9 + 6], 1);  // the other's soldier on g4
  }
}

TEST(Xiangqi, PositionsRoundTrip) {
  const auto game = xiangqi();
  const std::string fen = "3k5/9/9/n8/9/9/9/9/1R7/R3K4 b - - 9 30";
  EXPECT_EQ(game->parse_position(fen)->position_text(), fen);
  EXPECT_EQ(game->parse_position(fen)->ply(), 0);
  EXPECT_THROW(game->parse_position("4k4/9/9/9/9/9/9/9/9/4K4 w"), Error);
  EXPECT_THROW(game->parse_position("3k5/9/9/9/9/9/9/9/9/4K4 w - - 121 1"), Error);
  EXPECT_EQ(xiangqi({{"rules", 1}})->parse_position("4k4/9/9/9/9/9/9/9/9/4K4 w")->outcome(), 1);
}

}  // namespace
}  // namespace rf::testing
