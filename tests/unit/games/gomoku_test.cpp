#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "base/random_stream.h"
#include "game_settings.h"
#include "solved_positions.h"

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

// Cells without a line for anyone: filler moves for the other player, far from `used`.
std::vector<Action> fillers(int width, int height, const std::set<Action>& used, std::size_t count) {
  std::vector<Action> cells;
  for (int r = 0; r < height && cells.size() < count; ++r) {
    for (int c = r % 2; c < width && cells.size() < count; c += 3) {
      if (!used.contains(r * width + c)) cells.push_back(r * width + c);
    }
  }
  return cells;
}

// Plays `line` (in this order) for the player who moves at even distance from the end, fillers for the other.
void expect_win_by(const Game& game, const std::vector<Action>& line, bool by_black) {
  const int width = game.spec().shape.cols, height = game.spec().shape.rows;
  const std::set<Action> used(line.begin(), line.end());
  const std::vector<Action> other = fillers(width, height, used, line.size() + 1);
  auto state = game.initial_state();
  std::size_t filler = 0;
  if (!by_black) state->apply(other[filler++]);
  for (std::size_t i = 0; i < line.size(); ++i) {
    ASSERT_FALSE(state->terminal()) << state->text();
    state->apply(line[i]);
    if (i + 1 < line.size()) {
      ASSERT_FALSE(state->terminal()) << state->text();
      state->apply(other[filler++]);
    }
  }
  EXPECT_TRUE(state->terminal()) << state->text();
  EXPECT_EQ(state->to_move(), by_black ? 1 : 0);
  EXPECT_EQ(state->outcome(), -1) << "for the player to move, who has lost";
  EXPECT_EQ(state->end_reason(), "line");
}

struct Direction {
  int row, col;
};
constexpr Direction kDirections[] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};

TEST(Gomoku, EveryLineOfTheBoardWinsInAnyOrderForBothColours) {
  const auto game = game_from_text("gomoku width=7 height=9 line=5");
  RandomStream stream = make_stream(3, 0, 0, Purpose::kTest);
  std::set<Action> seen;
  int lines = 0;
  for (const auto& [dr, dc] : kDirections) {
    for (int r = 0; r < 9; ++r) {
      for (int c = 0; c < 7; ++c) {
        const int last_r = r + 4 * dr, last_c = c + 4 * dc;
        if (last_r >= 9 || last_c >= 7 || last_c < 0) continue;
        std::vector<Action> line;
        for (int i = 0; i < 5; ++i) line.push_back((r + i * dr) * 7 + c + i * dc);
        seen.insert(line.begin(), line.end());
        ++lines;
        for (bool by_black : {true, false}) {
          for (int last = 0; last < 5; ++last) {  // each cell of the line completes it once: ends and joins
            std::vector<Action> order = line;
            std::swap(order[std::size_t(last)], order[4]);
            std::swap(order[0], order[stream.below(4)]);
            expect_win_by(*game, order, by_black);
          }
        }
      }
    }
  }
  EXPECT_EQ(lines, 9 * 3 + 5 * 7 + 2 * 5 * 3);  // rows, columns, two diagonals
  EXPECT_EQ(seen.size(), 63u) << "corners and edges included";
}

TEST(Gomoku, LinesDoNotWrapRoundTheEdge) {
  const auto game = game_from_text("gomoku width=7 height=9 line=5");
  // Five cells that follow each other by number or by a diagonal's step, over the right edge.
  for (const std::vector<Action>& cells : {std::vector<Action>{4, 5, 6, 7, 8},
                                           {11, 12, 13, 14, 15},
                                           {12, 20, 28, 36, 44},
                                           {8, 14, 20, 26, 32}}) {
    const std::set<Action> used(cells.begin(), cells.end());
    const std::vector<Action> other = fillers(7, 9, used, 5);
    auto state = game->initial_state();
    for (std::size_t i = 0; i < 5; ++i) {
      state->apply(cells[i]);
      EXPECT_FALSE(state->terminal()) << state->text();
      if (i < 4) state->apply(other[i]);
    }
  }
}

TEST(Gomoku, ShortOfTheLineIsNoWin) {
  const auto game = game_from_text("gomoku width=7 height=9 line=5");
  auto state = after(*game, {21, 0, 22, 2, 23, 4, 24});
  EXPECT_FALSE(state->terminal()) << state->text();
  state->apply(60);
  state->apply(26);  // four, a gap, one
  EXPECT_FALSE(state->terminal()) << state->text();
  state->apply(62);
  state->apply(25);  // the gap: six in a row
  EXPECT_TRUE(state->terminal()) << state->text();
}

TEST(Gomoku, LinesOfTheOtherColourDoNotCount) {
  const auto game = game_from_text("gomoku width=7 height=9 line=5");
  const auto state = after(*game, {21, 24, 22, 25, 23});  // X X X O O
  EXPECT_FALSE(state->terminal()) << state->text();
}

TEST(Gomoku, VerdictsOfLongLinesUnderEveryRule) {
  std::ifstream file(std::string(RF_TEST_DATA) + "/data/gomoku/overline_cases.jsonl");
  int cases = 0;
  for (std::string text; std::getline(file, text); ++cases) {
    const nlohmann::json row = nlohmann::json::parse(text);
    const std::vector<Action> moves = row["moves"];
    for (const std::string rule : {"freestyle", "standard", "renju"}) {
      const auto game = game_from_text("gomoku width=15 height=15 line=5 rule=" + rule);
      const auto state = after(*game, std::vector<Action>(moves.begin(), moves.end() - 1));
      ASSERT_FALSE(state->terminal()) << row["name"];
      EXPECT_EQ(state->to_move(), row["colour"] == "black" ? 0 : 1) << row["name"];
      state->apply(moves.back());
      const std::string verdict = row[rule];
      const std::string seen = !state->terminal()                            ? "continue"
                               : state->end_reason() == "forbidden overline" ? "forbidden_overline"
                               : state->end_reason() == "line"               ? "win"
                                                               : std::string(state->end_reason());
      // "continue_or_other_forbidden" in the file: a broken row of stones that are far from any other.
      EXPECT_EQ(seen, verdict.starts_with("continue") ? "continue" : verdict)
          << row["name"] << " " << rule << "\n"
          << state->text();
      EXPECT_TRUE(!state->terminal() || state->outcome() == (seen == "win" ? -1 : 1)) << row["name"] << rule;
    }
  }
  EXPECT_EQ(cases, 16);
}

TEST(Gomoku, StandardWinsByExactlyTheLine) {
  const auto game = game_from_text("gomoku width=7 height=9 line=4 rule=standard");
  EXPECT_EQ(after(*game, {21, 0, 22, 2, 23, 4, 24})->end_reason(), "line");
  const auto state = after(*game, {21, 0, 22, 2, 23, 4, 25, 6, 24});  // three, a gap, one: joined to five
  EXPECT_FALSE(state->terminal()) << state->text();
  state->apply(44);
  state->apply(28);  // and the row stays useless; a column of two
  EXPECT_FALSE(state->terminal()) << state->text();
}

TEST(Gomoku, FullBoardIsADraw) {
  const auto game = game_from_text("gomoku width=4 height=3 line=4");
  const auto state = after(*game, {0, 1, 2, 3, 5, 4, 7, 6, 8, 9, 10, 11});
  EXPECT_TRUE(state->terminal()) << state->text();
  EXPECT_EQ(state->ply(), 12);
  EXPECT_EQ(state->outcome(), 0);
  EXPECT_EQ(state->end_reason(), "full board");
}

TEST(Gomoku, LastStoneOnAFullBoardCanWin) {
  const auto game = game_from_text("gomoku width=3 height=3 line=3");
  // X O X
  // O O X
  // O X X   with the last stone on the corner i: a column of X
  const auto state = after(*game, {0, 1, 2, 3, 5, 4, 7, 6});
  ASSERT_FALSE(state->terminal()) << state->text();
  state->apply(8);
  EXPECT_EQ(state->ply(), 9);
  EXPECT_TRUE(state->terminal());
  EXPECT_EQ(state->outcome(), -1);
  EXPECT_EQ(state->end_reason(), "line");
}

TEST(Gomoku, OrderOfPlayDoesNotChangeTheHashOfOwn2) {
  const auto own2 = game_from_text("gomoku width=6 height=6 line=4 planes=own2");
  EXPECT_EQ(after(*own2, {0, 1, 8, 9})->hash(), after(*own2, {8, 9, 0, 1})->hash());
  EXPECT_NE(after(*own2, {0, 1, 8, 9})->hash(), after(*own2, {1, 0, 9, 8})->hash()) << "colours swapped";
  const auto classic4 = game_from_text("gomoku width=6 height=6 line=4 planes=classic4");
  EXPECT_NE(after(*classic4, {0, 1, 8, 9})->hash(), after(*classic4, {8, 9, 0, 1})->hash()) << "last move";
  EXPECT_EQ(after(*classic4, {0, 1, 8, 9})->hash(), after(*classic4, {8, 1, 0, 9})->hash());
}

TEST(Gomoku, Classic4ShowsTheLastMoveAndBlack) {
  const auto game = game_from_text("gomoku width=3 height=2 line=3 planes=classic4");
  std::vector<float> planes(24, 9.f);
  game->initial_state()->encode(planes);
  EXPECT_EQ(planes,
            (std::vector<float>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}));
  after(*game, {4})->encode(planes);
  EXPECT_EQ(planes,
            (std::vector<float>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}));
  after(*game, {4, 2})->encode(planes);
  EXPECT_EQ(planes,
            (std::vector<float>{0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1}));
}

TEST(Gomoku, ForbiddenMovesAreLegalAndLose) {
  const auto game = game_from_text("gomoku width=7 height=9 line=5 rule=renju");
  // Black's cross of two threes on d5; white far away.
  const std::vector<Action> moves = {29, 0, 30, 6, 17, 56, 24, 62};
  const auto state = after(*game, moves);
  ASSERT_TRUE(state->is_legal(31));
  state->apply(31);
  EXPECT_TRUE(state->terminal()) << state->text();
  EXPECT_EQ(state->end_reason(), "forbidden double three");
  EXPECT_EQ(state->to_move(), 1);
  EXPECT_EQ(state->outcome(), 1) << "for white, who is to move and has won";
  std::vector<Action> legal;
  state->legal_actions(legal);
  EXPECT_TRUE(legal.empty());
}

TEST(Gomoku, NotationCountsFromTheLowerLeft) {
  const auto game = game_from_text("gomoku width=52 height=12 line=5");
  const auto state = game->initial_state();
  for (const auto& [text, action] : std::vector<std::pair<std::string, Action>>{{"a1", 0},
                                                                                {"b1", 1},
                                                                                {"a2", 52},
                                                                                {"z1", 25},
                                                                                {"aa1", 26},
                                                                                {"az12", 11 * 52 + 51},
                                                                                {"h8", 7 * 52 + 7}}) {
    EXPECT_EQ(game->parse_action(*state, text), action) << text;
    EXPECT_EQ(game->action_text(*state, action), text);
  }
  for (const char* text :
       {"a0", "a01", "a13", "ba1", "zz1", "aaa1", "a", "1", "A1", "h8h8", "a1 ", "0a", "-1"}) {
    EXPECT_FALSE(game->parse_action(*state, text).has_value()) << text;
  }
}

TEST(Gomoku, TextMarksTheLastMove) {
  const auto game = game_from_text("gomoku width=3 height=2 line=3");
  EXPECT_EQ(after(*game, {0, 5})->text(),
            "    a b c\n"
            "  2 . .(O)\n"
            "  1 X . .\n");
}

TEST(Gomoku, SolvedPositionsAreAsTheRulesSay) {
  const auto game = game_from_text(kSolvedGame);
  const std::vector<SolvedPosition> positions = solved_positions();
  ASSERT_EQ(positions.size(), 150u);
  int wins_in_1 = 0, must_block = 0;
  for (const SolvedPosition& position : positions) {
    const auto state = after(*game, position.moves);
    ASSERT_FALSE(state->terminal()) << state->text();
    if (position.winner != "unproven") {
      const int winner = position.winner == "black" ? 0 : 1;
      EXPECT_EQ(winner == state->to_move(), position.kind.starts_with("win")) << state->text();
    }
    std::vector<Action> legal, wins, safe;
    state->legal_actions(legal);
    for (Action a : legal) {
      const auto child = state->clone();
      child->apply(a);
      if (child->terminal() && child->outcome() == -1) wins.push_back(a);
      std::vector<Action> replies;
      child->legal_actions(replies);
      if (std::none_of(replies.begin(), replies.end(), [&](Action reply) {
            const auto grandchild = child->clone();
            grandchild->apply(reply);
            return grandchild->terminal() && grandchild->outcome() == -1;
          })) {
        safe.push_back(a);
      }
    }
    if (position.kind == "win_in_1") {
      EXPECT_EQ(wins, position.best_moves) << state->text();
      ++wins_in_1;
    } else {
      EXPECT_TRUE(wins.empty()) << position.kind << "\n" << state->text();
    }
    if (position.kind == "must_block") {
      EXPECT_EQ(safe, position.best_moves) << state->text();
      ++must_block;
    }
    EXPECT_TRUE(position.kind != "lost_in_2" || safe.empty()) << state->text();
  }
  EXPECT_EQ(wins_in_1, 33);
  EXPECT_EQ(must_block, 33);
}

}  // namespace
}  // namespace rf::testing
