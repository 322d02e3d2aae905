// A small network, batches of random numbers and the solved Tic-tac-toe, for the tests of learning.
#pragma once

#include <torch/torch.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/random_stream.h"
#include "learn/trainer.h"

namespace rf::testing {

inline Architecture small_architecture(int channels = 4) {
  NetworkConfig network;
  network.blocks = 1;
  network.channels = channels;
  network.policy_channels = 2;
  network.value_channels = 1;
  network.value_width = 8;
  return {"tic_tac_toe", 2, 3, 3, 9, network};
}

struct BatchData {
  std::vector<float> planes, policy, value;  // [B, 2, 3, 3], [B, 9], [B]
};

// The batch of this number, always the same; policy rows sum to 1.
inline BatchData random_batch(int number, int rows = 16) {
  RandomStream stream(mix64(std::uint64_t(number) + 77));
  BatchData batch;
  for (int i = 0; i < rows * 18; ++i) batch.planes.push_back(stream.below(2) ? 1.f : 0.f);
  for (int i = 0; i < rows; ++i) {
    std::vector<float> row(9);
    stream.dirichlet(0.5, row);
    batch.policy.insert(batch.policy.end(), row.begin(), row.end());
    batch.value.push_back(float(int(stream.below(3)) - 1));
  }
  return batch;
}

inline BatchStats train_on(Trainer& trainer, const BatchData& batch) {
  return trainer.train(batch.planes, batch.policy, batch.value);
}

struct SolvedState {
  std::vector<float> planes;  // [2, 3, 3], the player to move first
  float value = 0;            // for the player to move
  int best = 0;               // bit k: cell k keeps the value
};

// All states of Tic-tac-toe in which a move is to be made: tests/data/tic_tac_toe_table.txt.
inline std::vector<SolvedState> solved_tic_tac_toe() {
  std::vector<SolvedState> states;
  std::ifstream file(std::string(RF_TEST_DATA) + "/data/tic_tac_toe_table.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string board;
    int plies = 0;
    SolvedState state;
    words >> board >> state.value >> plies >> state.best;
    if (state.best == 0) continue;
    const auto count = [&](char stone) { return std::count(board.begin(), board.end(), stone); };
    const std::string own_then_other = count('X') == count('O') ? "XO" : "OX";
    for (char stone : own_then_other) {
      for (char cell : board) state.planes.push_back(cell == stone ? 1.f : 0.f);
    }
    states.push_back(state);
  }
  return states;
}

}  // namespace rf::testing
