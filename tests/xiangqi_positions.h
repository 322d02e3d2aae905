// Positions and counts of Xiangqi from elsewhere: tests/data/xiangqi.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "games/xiangqi_fen.h"

namespace rf::testing {

inline std::string xiangqi_data(const std::string& name) {
  return std::string(RF_TEST_DATA) + "/data/xiangqi/" + name;
}

struct XiangqiCount {
  std::string fen;
  int depth = 0;
  long long nodes = 0;  // sequences of that many strictly legal moves
};

inline std::vector<XiangqiCount> xiangqi_counts() {
  std::vector<XiangqiCount> counts;
  std::ifstream file(xiangqi_data("perft.txt"));
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    XiangqiCount count;
    const std::size_t nodes = line.rfind(' '), depth = line.rfind(' ', nodes - 1);
    count.nodes = std::atoll(line.c_str() + nodes);
    count.depth = std::atoi(line.c_str() + depth);
    count.fen = line.substr(0, depth);
    counts.push_back(count);
  }
  return counts;
}

}  // namespace rf::testing
