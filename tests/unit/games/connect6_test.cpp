#include <gtest/gtest.h>

#include "game_settings.h"

namespace rf::testing {
namespace {

// The state after the moves; each must be legal.
std::unique_ptr<State> after(const Game& game, const std::vector<Action>& moves) {
  auto state = game.initial_state();
  for (Action a : moves) {
    EXPECT_TRUE(state->is_legal(a)) << a << "\n" << state->text();
    if (!state->is_legal(a)) break;
    state->apply(a);
  }
  return state;
}

TEST(Connect6, OneStoneThenTwoEach) {
  const auto game = game_from_text("connect6 width=7 height=9 line=6");
  auto state = game->initial_state();
  std::vector<float> planes(std::size_t(game->spec().shape.size()));
  const std::vector<int> players = {0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1},
                         again = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0};
  for (std::size_t i = 0; i < players.size(); ++i) {
    EXPECT_EQ(state->to_move(), players[i]) << "ply " << i;
    state->encode(planes);
    EXPECT_EQ(planes.back(), float(again[i])) << "ply " << i;
    state->apply(Action(i * 5));
  }
}

TEST(Connect6, PlanesShowWhoseStonesTheyAreAfterHalfATurn) {
  const auto game = game_from_text("connect6 width=3 height=1 line=3");
  std::vector<float> planes(9);
  after(*game, {0, 1})->encode(planes);  // X O ., the second stone of O to come
  EXPECT_EQ(planes, (std::vector<float>{0, 1, 0, 1, 0, 0, 0, 0, 0}));
}

TEST(Connect6, TheFirstStoneOfATurnCanWin) {
  const auto game = game_from_text("connect6 width=9 height=2 line=4");
  // X a1; O b2 d2; X b1 c1; O f2 h2; X d1 makes a1-d1 with its first stone.
  const auto state = after(*game, {0, 10, 12, 1, 2, 14, 16, 3});
  ASSERT_TRUE(state->terminal()) << state->text();
  EXPECT_EQ(state->to_move(), 0) << "half of the turn is left";
  EXPECT_EQ(state->outcome(), 1) << "for the player to move, who has won";
  EXPECT_EQ(state->end_reason(), "line");
}

TEST(Connect6, TheSecondStoneOfATurnCanWinAndLongerRowsDo) {
  const auto game = game_from_text("connect6 width=9 height=2 line=4");
  // X a1 c1 e1 and then b1 d1: five in a row by the second stone.
  const auto state = after(*game, {0, 10, 12, 2, 4, 14, 16, 1, 3});
  ASSERT_TRUE(state->terminal()) << state->text();
  EXPECT_EQ(state->to_move(), 1);
  EXPECT_EQ(state->outcome(), -1);
}

TEST(Connect6, SixAreNeededOnTheFullBoard) {
  const auto game = game_from_text("connect6");
  // White's row of five, then six, on the top edge: 342...
  const auto state = after(*game, {0, 342, 343, 40, 80, 344, 345, 44, 84, 346});
  EXPECT_FALSE(state->terminal()) << state->text();
  state->apply(347);
  ASSERT_TRUE(state->terminal()) << state->text();
  EXPECT_EQ(state->to_move(), 0);
  EXPECT_EQ(state->outcome(), -1);
}

TEST(Connect6, FullBoardIsADrawAndItsLastStoneCanWin) {
  const auto game = game_from_text("connect6 width=3 height=2 line=3");
  const auto draw = after(*game, {0, 1, 2, 4, 3, 5});  // X O O / X X O
  ASSERT_TRUE(draw->terminal()) << draw->text();
  EXPECT_EQ(draw->outcome(), 0);
  EXPECT_EQ(draw->end_reason(), "full board");
  const auto row = after(*game_from_text("connect6 width=5 height=1 line=3"), {1, 0, 4, 3, 2});  // O X X X O
  EXPECT_EQ(row->ply(), 5);
  EXPECT_EQ(row->end_reason(), "line") << row->text();
  EXPECT_EQ(row->outcome(), -1);
}

}  // namespace
}  // namespace rf::testing
