#include "solve/full_solver.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/error.h"
#include "game_settings.h"

namespace rf::testing {
namespace {

std::unique_ptr<Solver> solver_of(const std::string& settings, const Game& game) {
  return make_solver(settings_from_text(settings), game);
}

// Value, plies to the end and best moves of every state that has moves.
TEST(FullSolver, KnowsTicTacToeAsTheTable) {
  const auto game = game_from_text("tic_tac_toe");
  const auto solver = solver_of("tic_tac_toe", *game);
  std::ifstream file(std::string(RF_TEST_DATA) + "/data/tic_tac_toe_table.txt");
  int states = 0, ended = 0;
  for (std::string text; std::getline(file, text);) {
    if (text[0] == '#') continue;
    std::istringstream words(text);
    std::string board;
    int value = 0, plies = 0, mask = 0;
    words >> board >> value >> plies >> mask;
    auto state = game->initial_state();
    std::vector<Action> stones[2];
    for (Action k = 0; k < 9; ++k) {
      if (board[std::size_t(k)] != '.') stones[board[std::size_t(k)] == 'O'].push_back(k);
    }
    for (std::size_t i = 0; i < stones[0].size() + stones[1].size() && !state->terminal(); ++i) {
      state->apply(stones[i % 2][i / 2]);
    }
    ++states;
    if (mask == 0) {
      ++ended;
      continue;
    }
    ASSERT_FALSE(state->terminal()) << text;
    const Solution solution = *solver->solve(*state);
    EXPECT_EQ(solution.value, value == 0 ? 0 : value * (FullSolver::kWin - plies)) << text;
    EXPECT_EQ(solver->outcome_of(*state, solution.value), value) << text;
    int best = 0;
    for (Action action : solution.best) best |= 1 << action;
    EXPECT_EQ(best, mask) << text;
    EXPECT_TRUE(solution.proven);
  }
  EXPECT_EQ(states, 5478);
  EXPECT_EQ(ended, 958);
}

// Values for the first player, by a search of another kind over sets of stones.
TEST(FullSolver, SolvedBoards) {
  for (const auto& [settings, value] : std::vector<std::pair<std::string, int>>{
           {"gomoku width=3 height=3 line=3", 0},
           {"gomoku width=4 height=3 line=3", 93},
           {"gomoku width=12 height=1 line=2", 97},
           {"gomoku width=3 height=1 line=3", 0},
           {"connect6 width=3 height=1 line=2", 0},
           {"connect6 width=12 height=1 line=2", -97},  // the second player has two stones at once
           {"connect6 width=3 height=4 line=3", 95},
           {"connect6 width=5 height=2 line=3", 0}}) {
    const auto game = game_from_text(settings);
    EXPECT_EQ(solver_of(settings, *game)->solve(*game->initial_state())->value, value) << settings;
  }
}

TEST(FullSolver, SaysWhatIsTooLarge) {
  for (const char* settings : {"connect6", "gomoku width=5 height=5 line=3"}) {
    const auto game = game_from_text(settings);
    try {
      (void)solver_of(settings, *game);
      ADD_FAILURE() << settings;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kUsage);
      EXPECT_NE(std::string(error.what()).find("12"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace rf::testing
