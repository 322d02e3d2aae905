#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/random_stream.h"
#include "game_settings.h"
#include "games/symmetry.h"

namespace rf::testing {
namespace {

std::unique_ptr<Game> four(int columns = 7, int rows = 6, int line = 4) {
  return make_game({"connect_four", {{"columns", columns}, {"rows", rows}, {"line", line}}});
}

// `moves` is one digit a column, from 1.
std::unique_ptr<State> played(const Game& game, const std::string& moves) {
  auto state = game.initial_state();
  for (const char& move : moves) {
    const auto action = game.parse_action(*state, {&move, 1});
    EXPECT_TRUE(action) << moves << " at " << move;
    if (action) state->apply(*action);
  }
  return state;
}

TEST(ConnectFour, SpecOfTheUsualBoard) {
  const auto game = make_game({"connect_four", {}});
  EXPECT_EQ(game->spec().id, "connect_four columns=7 rows=6 line=4");
  EXPECT_EQ(game->spec().num_actions, 7);
  EXPECT_EQ(game->spec().shape, (Shape{2, 6, 7}));
  EXPECT_EQ(game->spec().plane_names.size(), 2u);
  EXPECT_EQ(game->spec().max_plies, 42);
  EXPECT_EQ(game->spec().symmetries.size(), 2u);
  EXPECT_TRUE(game->spec().joined_moves);
  EXPECT_TRUE(four(9, 6)->spec().joined_moves);
  EXPECT_FALSE(four(10, 6)->spec().joined_moves);
}

TEST(ConnectFour, DiscsFallAndColumnsFill) {
  const auto game = four();
  const auto state = played(*game, "444444");
  EXPECT_EQ(state->text(),
            " . . .(O). . .\n"
            " . . . X . . .\n"
            " . . . O . . .\n"
            " . . . X . . .\n"
            " . . . O . . .\n"
            " . . . X . . .\n"
            " 1 2 3 4 5 6 7\n");
  EXPECT_FALSE(state->is_legal(3));
  EXPECT_FALSE(game->parse_action(*state, "4"));
  std::vector<Action> legal;
  state->legal_actions(legal);
  EXPECT_EQ(legal, (std::vector<Action>{0, 1, 2, 4, 5, 6}));
}

TEST(ConnectFour, TextMarksTheLastDiscAtTheEdges) {
  const auto game = four(3, 2, 3);
  EXPECT_EQ(played(*game, "")->text(), " . . .\n . . .\n 1 2 3\n");
  EXPECT_EQ(played(*game, "1")->text(), " . . .\n(X). .\n 1 2 3\n");
  EXPECT_EQ(played(*game, "13")->text(), " . . .\n X .(O)\n 1 2 3\n");
  const auto wide = four(10, 1, 3);
  const auto state = wide->initial_state();
  state->apply(9);
  EXPECT_EQ(state->text(), "  .  .  .  .  .  .  .  .  . (X)\n  1  2  3  4  5  6  7  8  9 10\n");
}

TEST(ConnectFour, PlanesShowOwnAndOtherDiscsFromTheBottomRowOn) {
  const auto game = four();
  const auto state = played(*game, "4433");  // player 0 has 4, 3 below; player 1 above them
  std::vector<float> planes(2 * 42), expected(2 * 42, 0.f);
  state->encode(planes);
  expected[3] = expected[2] = 1;
  expected[42 + 7 + 3] = expected[42 + 7 + 2] = 1;
  EXPECT_EQ(planes, expected);
  state->apply(0);  // now it is player 1 who sees its discs first
  state->encode(planes);
  std::rotate(expected.begin(), expected.begin() + 42, expected.end());
  expected[42] = 1;
  EXPECT_EQ(planes, expected);
}

TEST(ConnectFour, TextsThatNameNoColumn) {
  const auto game = four();
  const auto state = game->initial_state();
  for (const char* text : {"", "0", "8", "9", "10", "-1", "+1", "01", "1 ", " 1", "4.", "a", "44", "4\n",
                           "99999999999999999999", "-2147483648"}) {
    EXPECT_FALSE(game->parse_action(*state, text)) << "'" << text << "'";
  }
  for (Action a = 0; a < 7; ++a) {
    EXPECT_EQ(game->action_text(*state, a), std::to_string(a + 1));
    EXPECT_EQ(game->parse_action(*state, std::to_string(a + 1)), a);
  }
  EXPECT_EQ(four(12, 6)->parse_action(*four(12, 6)->initial_state(), "12"), 11);
}

std::vector<std::vector<int>> lines_of(int columns, int rows, int length) {
  std::vector<std::vector<int>> lines;
  for (int cell = 0; cell < columns * rows; ++cell) {
    for (const auto& [dr, dc] : {std::pair(0, 1), {1, 0}, {1, 1}, {1, -1}}) {
      std::vector<int> line;
      for (int i = 0; i < length; ++i) {
        const int r = cell / columns + i * dr, c = cell % columns + i * dc;
        if (r >= 0 && r < rows && c >= 0 && c < columns) line.push_back(r * columns + c);
      }
      if (int(line.size()) == length) lines.push_back(line);
    }
  }
  return lines;
}

// Long games: a move that wins is looked at, but played only when there is no other. What ends a game is
// compared with all lines of the board, listed beforehand.
void expect_every_line_wins(int columns, int rows, int length, int games) {
  const auto game = four(columns, rows, length);
  const std::vector<std::vector<int>> lines = lines_of(columns, rows, length);
  std::set<std::pair<std::size_t, int>> won[2];  // line, cell of its last disc
  RandomStream stream = make_stream(3, 0, 0, Purpose::kTest);
  for (int number = 0; number < games; ++number) {
    std::vector<int> owner(std::size_t(columns * rows), -1), height(std::size_t(columns), 0);
    const auto state = game->initial_state(), child = game->initial_state();
    while (!state->terminal()) {
      std::vector<Action> legal, quiet;
      state->legal_actions(legal);
      const int player = state->ply() % 2;
      for (Action a : legal) {
        const int cell = height[std::size_t(a)] * columns + a;
        owner[std::size_t(cell)] = player;
        bool wins = false;
        for (std::size_t i = 0; i < lines.size(); ++i) {
          if (std::all_of(lines[i].begin(), lines[i].end(),
                          [&](int k) { return owner[std::size_t(k)] == player; })) {
            wins = true;
            won[player].insert({i, cell});
          }
        }
        owner[std::size_t(cell)] = -1;
        child->assign(*state);
        child->apply(a);
        const bool full = state->ply() + 1 == columns * rows;
        ASSERT_EQ(child->terminal(), wins || full) << child->text();
        if (child->terminal()) {
          ASSERT_EQ(child->outcome(), wins ? -1.f : 0.f) << child->text();
          ASSERT_EQ(child->end_reason(), wins ? "line" : "full board") << child->text();
        }
        if (!wins) quiet.push_back(a);
      }
      if (quiet.empty()) quiet = legal;
      const Action a = quiet[stream.below(std::uint32_t(quiet.size()))];
      owner[std::size_t(height[std::size_t(a)]++ * columns + a)] = player;
      state->apply(a);
    }
  }
  // Upright lines have one last cell, the others any of theirs.
  const std::size_t upright = std::size_t(columns * std::max(0, rows - length + 1));
  const std::size_t ways = (lines.size() - upright) * std::size_t(length) + upright;
  EXPECT_EQ(won[0].size(), ways);
  EXPECT_EQ(won[1].size(), ways);
}

TEST(ConnectFour, EveryLineWinsWhicheverDiscIsLast) {
  EXPECT_EQ(lines_of(7, 6, 4).size(), 69u);
  expect_every_line_wins(7, 6, 4, 4000);
  expect_every_line_wins(5, 4, 4, 2000);
  expect_every_line_wins(10, 3, 3, 2000);
}

TEST(ConnectFour, LinesInTheCorners) {
  const auto game = four();
  for (const char* moves : {"1213141",         // upright in the first column
                            "7676767",         // and in the last
                            "1122334",         // along the bottom from the left
                            "7766554",         // and from the right
                            "12233434474",     // rising from the lower left corner
                            "76655454414"}) {  // and from the lower right
    const auto state = played(*game, moves);
    EXPECT_TRUE(state->terminal()) << moves << "\n" << state->text();
    if (!state->terminal()) continue;
    EXPECT_EQ(state->outcome(), -1) << moves;
    EXPECT_EQ(state->end_reason(), "line") << moves;
    EXPECT_FALSE(state->is_legal(1)) << moves;
    EXPECT_FALSE(game->parse_action(*state, "2")) << moves;
  }
}

TEST(ConnectFour, MoreThanALineWinsToo) {
  EXPECT_FALSE(played(*four(), "1122556633")->terminal());          // 1 2 3 . 5 6
  EXPECT_EQ(played(*four(), "11225566334")->end_reason(), "line");  // six in a row
  EXPECT_EQ(played(*four(7, 6, 3), "1122443")->end_reason(), "line");
}

// The last cell of all may complete a line: a win, not a draw.
TEST(ConnectFour, FullBoards) {
  for (const auto& [settings, moves] :
       std::map<std::string, std::string>{{"connect_four", "242377576452737136724411632244356663551115"},
                                          {"connect_four columns=3 rows=3 line=3", "231123123"}}) {
    const auto game = game_from_text(settings);
    const auto won = played(*game, moves);
    EXPECT_EQ(won->ply(), game->spec().max_plies);
    ASSERT_TRUE(won->terminal());
    EXPECT_EQ(won->outcome(), -1) << won->text();
    EXPECT_EQ(won->end_reason(), "line");
  }
  for (const auto& [settings, moves] :
       std::map<std::string, std::string>{{"connect_four", "757341132773575647262416323134652254654611"},
                                          {"connect_four columns=1 rows=4", "1111"}}) {
    const auto game = game_from_text(settings);
    const auto drawn = played(*game, moves);
    EXPECT_EQ(drawn->ply(), game->spec().max_plies);
    ASSERT_TRUE(drawn->terminal());
    EXPECT_EQ(drawn->outcome(), 0) << drawn->text();
    EXPECT_EQ(drawn->end_reason(), "full board");
  }
}

TEST(ConnectFour, TheMirrorExchangesColumnsOfBoardAndPolicy) {
  for (const auto& [columns, rows] : {std::pair(7, 6), {4, 5}}) {
    const auto game = four(columns, rows);
    const Symmetry& mirror = game->spec().symmetries.at(1);
    const auto state = game->initial_state();
    state->apply(0);
    std::vector<float> planes(std::size_t(game->spec().shape.size())), image(planes.size());
    state->encode(planes);
    gather_planes(planes, mirror.cell, image);
    const auto other = game->initial_state();
    other->apply(columns - 1);
    other->encode(planes);
    EXPECT_EQ(image, planes);
    std::vector<float> policy(std::size_t(columns), 0.f);
    policy[0] = 1;
    for (int a = 0; a < columns; ++a) {
      EXPECT_EQ(policy[std::size_t(mirror.action[std::size_t(a)])], a == columns - 1 ? 1 : 0) << a;
    }
  }
  EXPECT_EQ(four(1, 4)->spec().symmetries.size(), 1u);
}

// Numbers of positions with 0, 1, 2, ... discs (OEIS A212693, computed by J. Tromp).
TEST(ConnectFour, DistinctPositionsByPly) {
  const auto game = four();
  std::vector<std::unique_ptr<State>> layer;
  layer.push_back(game->initial_state());
  for (const std::size_t expected : {1, 7, 49, 238, 1120, 4263, 16422}) {
    ASSERT_EQ(layer.size(), expected);
    std::vector<std::unique_ptr<State>> next;
    std::set<std::uint64_t> seen;
    std::vector<Action> legal;
    for (const auto& state : layer) {
      state->legal_actions(legal);
      for (Action a : legal) {
        auto child = state->clone();
        child->apply(a);
        if (seen.insert(child->hash()).second) next.push_back(std::move(child));
      }
    }
    layer = std::move(next);
  }
}

}  // namespace
}  // namespace rf::testing
