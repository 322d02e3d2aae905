// What tests of Dots and Boxes share: a game by its size, a position of a published article, solved
// positions.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "games/registry.h"

namespace rf::testing {

inline GameSettings dots_settings(int rows, int cols) {
  return {"dots_and_boxes", {{"rows", rows}, {"cols", cols}}};
}

inline std::unique_ptr<Game> dots(int rows, int cols) {
  return make_game(dots_settings(rows, cols));
}

// The state after these actions in this order.
inline std::unique_ptr<State> drawn(const Game& game, const std::vector<Action>& edges) {
  auto state = game.initial_state();
  for (Action edge : edges) state->apply(edge);
  return state;
}

// An order of moves that leads to the 3x3 position of a published article (C. Aguayo, "AlphaZero", about Dots
// and Boxes): the second player is to move and 0:2 behind, edges 3 9 12 17 18 19 21 23 are free. Drawing 23,
// then 9 wins 5:4; 23, then 21 loses 3:6; every other first move loses.
inline const std::vector<Action> kArticleMoves = {0, 1, 2, 4, 5, 6, 7, 8, 10, 11, 13, 15, 16, 20, 14, 22};

struct SolvedDots {
  int rows, cols;
  std::vector<Action> edges;    // drawn
  int value;                    // boxes still to come, of the player to move minus the other's
  std::vector<Action> optimal;  // every best edge
};

inline std::vector<SolvedDots> solved_dots() {
  std::vector<SolvedDots> positions;
  std::ifstream file(std::string(RF_TEST_DATA) + "/data/dots_and_boxes/positions.jsonl");
  for (std::string line; std::getline(file, line);) {
    const nlohmann::json row = nlohmann::json::parse(line);
    positions.push_back({row["rows"], row["cols"], row["edges"], row["value"], row["optimal"]});
  }
  return positions;
}

}  // namespace rf::testing
