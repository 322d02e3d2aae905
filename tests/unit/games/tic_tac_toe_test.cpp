// The whole game, against a table made elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <sstream>

#include "game_settings.h"

namespace rf::testing {
namespace {

struct Solved {
  int value = 0;  // for the player to move
  int plies = 0;  // to the end: the winner hurries, the loser delays
  int best = 0;   // bit k: action k keeps the value
  bool operator==(const Solved&) const = default;
};

std::string board_of(const State& state) {
  std::string planes_text(9, '.');
  std::vector<float> planes(18);
  state.encode(planes);
  const bool x_to_move = state.to_move() == 0;
  for (std::size_t k = 0; k < 9; ++k) {
    if (planes[k] == 1) planes_text[k] = x_to_move ? 'X' : 'O';
    if (planes[9 + k] == 1) planes_text[k] = x_to_move ? 'O' : 'X';
  }
  return planes_text;
}

// Negamax over our rules; fills every state that play reaches.
Solved solve(const State& state, std::map<std::string, Solved>& table) {
  const std::string board = board_of(state);
  if (const auto known = table.find(board); known != table.end()) return known->second;
  Solved solved;
  if (state.terminal()) {
    solved.value = int(state.outcome());
  } else {
    std::vector<Action> legal;
    state.legal_actions(legal);
    solved.value = -2;
    for (Action a : legal) {
      const auto child = state.clone();
      child->apply(a);
      const Solved next = solve(*child, table);
      const int value = -next.value, plies = next.plies + 1;
      if (value > solved.value) solved = {value, plies, 0};
      if (value < solved.value) continue;
      solved.best |= 1 << a;
      solved.plies = value > 0 ? std::min(solved.plies, plies) : std::max(solved.plies, plies);
    }
  }
  return table[board] = solved;
}

TEST(TicTacToe, EveryStateIsSolvedAsInTheTable) {
  const auto game = game_from_text("tic_tac_toe");
  std::map<std::string, Solved> ours;
  solve(*game->initial_state(), ours);
  EXPECT_EQ(ours.size(), 5478u);

  std::map<std::string, Solved> kept;
  std::ifstream file(std::string(RF_TEST_DATA) + "/data/tic_tac_toe_table.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string board;
    Solved solved;
    words >> board >> solved.value >> solved.plies >> solved.best;
    ASSERT_FALSE(words.fail()) << line;
    kept[board] = solved;
  }
  ASSERT_EQ(kept.size(), 5478u);
  for (const auto& [board, solved] : kept) {
    const auto found = ours.find(board);
    ASSERT_NE(found, ours.end()) << board;
    EXPECT_EQ(found->second.value, solved.value) << board;
    EXPECT_EQ(found->second.plies, solved.plies) << board;
    EXPECT_EQ(found->second.best, solved.best) << board;
  }
}

TEST(TicTacToe, StatesByPlyAreKnown) {
  const auto game = game_from_text("tic_tac_toe");
  std::map<std::string, Solved> table;
  solve(*game->initial_state(), table);
  std::array<int, 10> by_ply{};
  for (const auto& [board, solved] : table) {
    ++by_ply[std::size_t(9 - std::count(board.begin(), board.end(), '.'))];
  }
  EXPECT_EQ(by_ply, (std::array<int, 10>{1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78}));
}

void count_games(const State& state, std::array<long long, 3>& results) {
  if (state.terminal()) {
    const bool drawn = state.outcome() == 0;
    EXPECT_EQ(state.end_reason(), drawn ? "full board" : "line");
    ++results[drawn ? 2 : std::size_t(1 - state.to_move())];  // the one who just moved has won
    EXPECT_TRUE(drawn || state.outcome() == -1);
    return;
  }
  std::vector<Action> legal;
  state.legal_actions(legal);
  const auto child = state.clone();
  for (Action a : legal) {
    child->assign(state);
    child->apply(a);
    count_games(*child, results);
  }
}

TEST(TicTacToe, GamesByResultAreKnown) {
  std::array<long long, 3> results{};  // won by X, won by O, drawn
  count_games(*game_from_text("tic_tac_toe")->initial_state(), results);
  EXPECT_EQ(results, (std::array<long long, 3>{131184, 77904, 46080}));
  EXPECT_EQ(results[0] + results[1] + results[2], 255168);
}

}  // namespace
}  // namespace rf::testing
