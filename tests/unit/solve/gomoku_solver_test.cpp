#include "solve/gomoku_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "game_settings.h"
#include "solved_positions.h"

namespace rf::testing {
namespace {

std::unique_ptr<State> after(const Game& game, const std::vector<Action>& moves) {
  auto state = game.initial_state();
  for (Action a : moves) {
    EXPECT_TRUE(state->is_legal(a)) << a << "\n" << state->text();
    state->apply(a);
  }
  return state;
}

// Can the player to move win at once?
bool wins_at_once(const State& state) {
  std::vector<Action> legal;
  state.legal_actions(legal);
  return std::any_of(legal.begin(), legal.end(), [&](Action action) {
    const auto child = state.clone();
    child->apply(action);
    return child->terminal() && child->outcome() == -1;
  });
}

TEST(GomokuSolver, KnowsTheSolvedPositions) {
  const auto game = game_from_text(kSolvedGame);
  const auto solver = make_solver(settings_from_text(kSolvedGame), *game);
  int positions = 0;
  for (const SolvedPosition& position : solved_positions()) {
    const auto state = after(*game, position.moves);
    const auto solution = solver->solve(*state);
    ASSERT_TRUE(solution.has_value()) << position.kind << "\n" << state->text();
    ++positions;
    if (position.kind == "must_block") {
      // Some of them are won or lost all the same; the move is the only one in any case.
      EXPECT_EQ(solution->best, position.best_moves) << state->text();
    } else if (position.kind == "lost_in_2") {
      EXPECT_EQ(solution->value, 2 - GomokuSolver::kWin) << state->text();
      EXPECT_EQ(solution->best, solution->actions) << "nothing is better than another";
    } else {
      EXPECT_EQ(solution->value, GomokuSolver::kWin - position.plies) << position.kind << "\n"
                                                                      << state->text();
      EXPECT_EQ(solution->best, position.best_moves) << position.kind << "\n" << state->text();
      EXPECT_TRUE(solution->proven);
    }
  }
  EXPECT_EQ(positions, 150);
}

// Each move of the attacker leaves the other one reply that does not lose at once, and the last one wins.
void expect_forced(const State& start, const std::vector<Action>& line) {
  const auto state = start.clone();
  for (std::size_t i = 0; i + 1 < line.size(); i += 2) {
    ASSERT_TRUE(state->is_legal(line[i]));
    state->apply(line[i]);
    ASSERT_FALSE(state->terminal()) << state->text();
    std::vector<Action> replies;
    state->legal_actions(replies);
    for (Action reply : replies) {
      const auto other = state->clone();
      other->apply(reply);
      ASSERT_FALSE(other->terminal()) << state->text();
      ASSERT_TRUE(reply == line[i + 1] || wins_at_once(*other)) << reply << "\n" << state->text();
    }
    state->apply(line[i + 1]);
  }
  ASSERT_TRUE(state->is_legal(line.back()));
  state->apply(line.back());
  EXPECT_TRUE(state->terminal()) << state->text();
  EXPECT_EQ(state->outcome(), -1);
  EXPECT_EQ(state->end_reason(), "line");
}

TEST(GomokuSolver, SolvesThePuzzlesOfContinuousFours) {
  std::ifstream file(std::string(RF_TEST_DATA) + "/data/gomoku/vcf_15x15.jsonl");
  long long most_nodes = 0;
  int puzzles = 0, standard_puzzles = 0;
  for (std::string text; std::getline(file, text); ++puzzles) {
    const nlohmann::json row = nlohmann::json::parse(text);
    for (const std::string rule : {"freestyle", "standard"}) {
      const std::string settings = "gomoku width=15 height=15 line=5 rule=" + rule;
      const auto game = game_from_text(settings);
      const auto state = after(*game, row["moves"]);
      StoneBoard board(15, 15);
      for (std::size_t i = 0; i < row["moves"].size(); ++i) board.put(row["moves"][i], int(i % 2));
      FourSearch search(board, 5, GomokuRule(settings_from_text(settings).values.at("rule")));
      const std::vector<Action> line = search.shortest_win(state->to_move(), GomokuSolver::kNodeBudget);
      most_nodes = std::max(most_nodes, search.nodes());
      const std::size_t moves = row[rule == "freestyle" ? "attacker_moves" : "standard_attacker_moves"];
      standard_puzzles += int(rule == "standard" && moves > 0);
      ASSERT_EQ(line.size(), moves == 0 ? 0 : 2 * moves - 1) << rule << "\n" << state->text();
      ASSERT_FALSE(search.exhausted());
      if (line.empty()) continue;
      ASSERT_NO_FATAL_FAILURE(expect_forced(*state, line));
      const auto solution = make_solver(settings_from_text(settings), *game)->solve(*state);
      ASSERT_TRUE(solution.has_value()) << state->text();
      EXPECT_TRUE(solution->proven && !solution->best.empty());
      EXPECT_GE(solution->value, GomokuSolver::kWin - int(line.size())) << state->text();
    }
  }
  EXPECT_EQ(puzzles, 40);
  EXPECT_EQ(standard_puzzles, 38);
  EXPECT_LE(most_nodes, 1000) << "the budget is ample";
}

TEST(GomokuSolver, RenjuKnowsForbiddenReplies) {
  const std::string settings = "gomoku width=15 height=15 line=5 rule=renju";
  const auto game = game_from_text(settings);
  // Black's column of three above and two below c8 (a six if c8 is filled); white's three d8 e8 f8, blocked
  // at h8.
  const std::vector<std::string> black = {"c11", "c10", "c9", "c7", "c6", "h8"},
                                 white = {"d8", "e8", "f8", "m1", "m3", "o1"};
  auto state = game->initial_state();
  for (std::size_t i = 0; i < black.size(); ++i) {
    state->apply(*game->parse_action(*state, black[i]));
    state->apply(*game->parse_action(*state, white[i]));
  }
  state->apply(*game->parse_action(*state, "o15"));
  const auto solver = make_solver(settings_from_text(settings), *game);
  const auto solution = solver->solve(*state);
  ASSERT_TRUE(solution.has_value()) << state->text();
  EXPECT_EQ(solution->value, GomokuSolver::kWin - 3);
  std::vector<Action> fours;  // b8 and g8 leave only c8 to black, c8 makes a straight four
  for (const char* text : {"b8", "c8", "g8"}) fours.push_back(*game->parse_action(*state, text));
  EXPECT_EQ(solution->best, fours) << state->text();
  state->apply(fours[2]);
  const auto lost = solver->solve(*state);  // black must fill c8, and may not
  ASSERT_TRUE(lost.has_value());
  EXPECT_EQ(lost->value, 2 - GomokuSolver::kWin);
  EXPECT_EQ(lost->best.size() + 1, lost->actions.size()) << "c8 loses sooner";
}

TEST(GomokuSolver, SaysWhenItKnowsNothing) {
  const auto game = game_from_text("gomoku");
  const auto solver = make_solver(settings_from_text("gomoku"), *game);
  EXPECT_FALSE(solver->solve(*game->initial_state()).has_value());
  // Black has four, white one way to stop it and nothing else.
  const auto state = after(*game, {0, 15, 1, 40, 2, 90, 3});
  const auto solution = solver->solve(*state);
  ASSERT_TRUE(solution.has_value());
  EXPECT_FALSE(solution->proven);
  EXPECT_EQ(solution->best, std::vector<Action>{4});
  EXPECT_EQ(solution->values[1], 2 - GomokuSolver::kWin);
}

}  // namespace
}  // namespace rf::testing
