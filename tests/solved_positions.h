// Solved Gomoku 6x6, four in a row, freestyle: tests/data/gomoku/solved_6x6x4.jsonl.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "games/game.h"

namespace rf::testing {

inline constexpr const char* kSolvedGame = "gomoku width=6 height=6 line=4";

struct SolvedPosition {
  std::vector<Action> moves;  // from the empty board, black first
  // win_in_1, win_in_3, win_in_5: the player to move wins in that many plies; must_block: only `best_moves`
  // avoid a loss at once, value unproven; lost_in_2: whatever is played, the other wins next.
  std::string kind;
  std::string winner;              // "black", "white" or "unproven"
  int plies = 0;                   // to the end, 0 when unproven
  std::vector<Action> best_moves;  // all that keep it; empty for lost_in_2
};

inline std::vector<SolvedPosition> solved_positions() {
  std::vector<SolvedPosition> positions;
  std::ifstream file(std::string(RF_TEST_DATA) + "/data/gomoku/solved_6x6x4.jsonl");
  for (std::string line; std::getline(file, line);) {
    const nlohmann::json row = nlohmann::json::parse(line);
    positions.push_back({row["moves"], row["kind"], row["winner"], row["plies"], row["best_moves"]});
  }
  return positions;
}

}  // namespace rf::testing
