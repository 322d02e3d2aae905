#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "dots_fixtures.h"
#include "games/symmetry.h"

namespace rf::testing {
namespace {

TEST(DotsAndBoxes, EdgesAreNumberedHorizontalThenVertical) {
  EXPECT_EQ(drawn(*dots(2, 3), {})->text(),
            "+ 0  + 1  + 2  +\n"
            "9    10   11   12\n"
            "+ 3  + 4  + 5  +\n"
            "13   14   15   16\n"
            "+ 6  + 7  + 8  +\n"
            "A 0, B 0, A to move\n");
}

TEST(DotsAndBoxes, TextShowsLinesOwnersAndScores) {
  const auto game = dots(1, 2);
  EXPECT_EQ(drawn(*game, {0, 2, 4, 5, 1})->text(),
            "+---+---+\n"
            "| B |   6\n"
            "+---+ 3 +\n"
            "A 0, B 1, A to move\n");
  EXPECT_EQ(drawn(*game, {0, 2, 4, 5, 1, 6, 3})->text(),
            "+---+---+\n"
            "| B | B |\n"
            "+---+---+\n"
            "A 0, B 2\n");
}

TEST(DotsAndBoxes, WhoClosesABoxMovesAgain) {
  const auto game = dots(1, 2);
  const auto state = drawn(*game, {0, 2, 4});
  EXPECT_EQ(state->to_move(), 1);
  state->apply(5);  // closes the left box
  EXPECT_EQ(state->to_move(), 1);
  EXPECT_EQ(state->score_margin(), 1);
  state->apply(1);  // closes nothing
  EXPECT_EQ(state->to_move(), 0);
  EXPECT_EQ(state->score_margin(), -1);
}

TEST(DotsAndBoxes, TwoBoxesAtOnceGiveOneMoreMove) {
  const auto game = dots(1, 3);  // verticals 6 7 8 9
  const auto state = drawn(*game, {0, 3, 6, 1, 4, 8});
  EXPECT_EQ(state->to_move(), 0);
  state->apply(7);  // between the first two boxes
  EXPECT_EQ(state->to_move(), 0);
  EXPECT_EQ(state->score_margin(), 2);
  state->apply(2);
  EXPECT_EQ(state->to_move(), 1);
  EXPECT_EQ(state->score_margin(), -2);
}

TEST(DotsAndBoxes, ABoxMayBeLeft) {
  const auto game = dots(1, 2);
  const auto state = drawn(*game, {0, 2, 4});
  EXPECT_TRUE(state->is_legal(5) && state->is_legal(1));
  state->apply(1);
  EXPECT_EQ(state->to_move(), 0);
  EXPECT_EQ(state->score_margin(), 0);
}

TEST(DotsAndBoxes, EqualNumbersOfBoxesAreADraw) {
  const auto game = dots(1, 2);
  const auto draw = drawn(*game, {5, 0, 1, 2, 4, 3, 6});
  ASSERT_TRUE(draw->terminal());
  EXPECT_EQ(draw->score_margin(), 0);
  EXPECT_EQ(draw->outcome(), 0);
  EXPECT_EQ(draw->end_reason(), "all edges drawn");
}

TEST(DotsAndBoxes, TheOneBoxGoesToTheSecondPlayer) {
  const auto state = drawn(*dots(1, 1), {3, 1, 0, 2});
  ASSERT_TRUE(state->terminal());
  EXPECT_EQ(state->to_move(), 1);  // who took the last box has the move that nobody can make
  EXPECT_EQ(state->outcome(), 1);
}

TEST(DotsAndBoxes, ArticlePositionIsReachedWithItsScoreAndMover) {
  const auto game = dots(3, 3);
  const auto state = drawn(*game, kArticleMoves);
  EXPECT_EQ(state->to_move(), 1);
  EXPECT_EQ(state->score_margin(), -2);
  std::vector<Action> legal;
  state->legal_actions(legal);
  EXPECT_EQ(legal, (std::vector<Action>{3, 9, 12, 17, 18, 19, 21, 23}));
  state->apply(23);
  EXPECT_EQ(state->to_move(), 1);
  EXPECT_EQ(state->score_margin(), -1);
  state->apply(9);
  EXPECT_EQ(state->to_move(), 0);
  for (Action edge : {21, 12, 3, 17, 18, 19}) state->apply(edge);  // A takes two, B the rest
  ASSERT_TRUE(state->terminal());
  EXPECT_EQ(state->to_move(), 1);
  EXPECT_EQ(state->score_margin(), 1) << state->text();
  EXPECT_EQ(state->outcome(), 1);
}

TEST(DotsAndBoxes, PlanesShowEdgesBoxesAndTheScoreOfThePlayerToMove) {
  const auto game = dots(1, 2);
  const Shape grid{5, 3, 5};
  ASSERT_EQ(game->spec().shape, grid);
  std::vector<float> planes(std::size_t(grid.size()));
  drawn(*game, {0, 2, 4, 5, 1})->encode(planes);  // the left box is B's, A is to move
  const std::vector<float> expected = {
      0,   1,   0,   1,   0,   1,   0,   1,
      0,   0,   0,   1,   0,   0,   0,  // drawn
      0,   0,   0,   0,   0,   0,   0,   0,
      0,   1,   0,   0,   0,   1,   0,  // free
      0,   0,   0,   0,   0,   0,   1,   0,
      0,   0,   0,   0,   0,   0,   0,  // closed
      0,   0,   0,   0,   0,   0,   0,   0,
      0,   0,   0,   0,   0,   0,   0,  // three sides: none, the right box has two
      -.5, -.5, -.5, -.5, -.5, -.5, -.5, -.5,
      -.5, -.5, -.5, -.5, -.5, -.5, -.5};
  EXPECT_EQ(planes, expected);
  drawn(*game, {0, 2, 4, 5, 1, 6})->encode(planes);
  EXPECT_EQ(planes[3 * 15 + 8], 1);  // now it has three
  EXPECT_EQ(planes[4 * 15], .5f);
}

// Another program's list for its turn of 3x3: edge i of the image was edge list[i].
TEST(DotsAndBoxes, SymmetriesHoldAKnownPermutation) {
  const std::vector<int> turn = {23, 19, 15, 22, 18, 14, 21, 17, 13, 20, 16, 12,
                                 11, 8,  5,  2,  10, 7,  4,  1,  9,  6,  3,  0};
  const auto game = dots(3, 3);
  const auto& group = game->spec().symmetries;
  EXPECT_EQ(group.size(), 8u);
  EXPECT_EQ(std::count_if(group.begin(), group.end(), [&](const Symmetry& s) { return s.action == turn; }),
            1);
}

TEST(DotsAndBoxes, EverySymmetryMovesEdgesApart) {
  for (const auto& [rows, cols, count] : {std::tuple{3, 3, 8}, {1, 1, 8}, {1, 4, 4}, {4, 1, 4}, {2, 3, 4}}) {
    std::vector<std::vector<int>> maps;
    const auto game = dots(rows, cols);
    for (const Symmetry& symmetry : game->spec().symmetries) maps.push_back(symmetry.action);
    EXPECT_EQ(int(maps.size()), count) << rows << "x" << cols;
    std::sort(maps.begin(), maps.end());
    EXPECT_EQ(std::adjacent_find(maps.begin(), maps.end()), maps.end()) << rows << "x" << cols;
  }
}

TEST(DotsAndBoxes, TheLargestBoardIsPlayedToItsEnd) {
  const auto game = dots(12, 12);
  EXPECT_EQ(game->spec().num_actions, 312);
  const auto state = game->initial_state();
  for (Action edge = 0; edge < 312; ++edge) {
    ASSERT_TRUE(state->is_legal(edge));
    state->apply(edge);
    EXPECT_FALSE(state->is_legal(edge));
    EXPECT_EQ(game->parse_action(*state, std::to_string(edge)), std::nullopt);
  }
  // The 156 horizontal edges close nothing. A draws the left end of the first row, which B then takes; B has
  // to begin the next row, which A takes, and so on: six rows each.
  ASSERT_TRUE(state->terminal());
  EXPECT_EQ(state->score_margin(), 0);
  EXPECT_EQ(state->outcome(), 0);
}

// Games by their result for the first player. The expected numbers were counted over sets of edges as
// coordinates, by another program; here states with the same hash and player are taken together.
TEST(DotsAndBoxes, EveryGameEndsAsCounted) {
  using Results = std::map<int, long long>;
  const std::vector<std::tuple<int, int, Results>> cases = {
      {1, 1, {{-1, 24}}},
      {1, 2, {{-2, 3168}, {0, 1152}, {2, 720}}},
      {2, 1, {{-2, 3168}, {0, 1152}, {2, 720}}},
      {1, 3, {{-3, 1415808}, {-1, 932544}, {1, 569088}, {3, 711360}}},
      {2, 2, {{-4, 116660736}, {-2, 84828672}, {0, 76096512}, {2, 82192896}, {4, 119222784}}}};
  for (const auto& [rows, cols, expected] : cases) {
    const auto game = dots(rows, cols);
    struct Class {
      std::unique_ptr<State> state;
      long long ways = 0;
    };
    using Layer = std::map<std::pair<std::uint64_t, int>, Class>;
    Layer layer;
    layer[{0, 0}] = {game->initial_state(), 1};
    Results results;
    std::vector<Action> legal;
    while (!layer.empty()) {
      Layer next;
      for (const auto& [key, entry] : layer) {
        const State& state = *entry.state;
        if (state.terminal()) {
          const int margin = state.to_move() == 0 ? state.score_margin() : -state.score_margin();
          const float z = state.to_move() == 0 ? state.outcome() : -state.outcome();
          EXPECT_EQ(z, float((margin > 0) - (margin < 0)));
          results[margin] += entry.ways;
          continue;
        }
        state.legal_actions(legal);
        for (Action a : legal) {
          auto child = state.clone();
          child->apply(a);
          Class& merged = next[{child->hash(), child->to_move()}];
          if (!merged.state) merged.state = std::move(child);
          merged.ways += entry.ways;
        }
      }
      layer = std::move(next);
    }
    EXPECT_EQ(results, expected) << rows << "x" << cols;
  }
}

}  // namespace
}  // namespace rf::testing
