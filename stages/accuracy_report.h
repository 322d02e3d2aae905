// What rf-gate --accuracy counts, file by file, and how it is shown.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "run/json_file.h"

namespace rf {

// Right answers of the network alone (policy) and of the search: those that keep the outcome, and those that
// are best by value.
enum Measure { kPolicy, kSearch, kPolicyBest, kSearchBest, kMeasures };
inline constexpr std::array<const char*, kMeasures> kMeasureNames = {"policy", "search", "policy_best",
                                                                     "search_best"};
using Answer = std::array<std::optional<bool>, kMeasures>;  // nothing: it cannot be judged

struct Share {
  int right = 0, judged = 0;
};

struct FileCount {
  std::string name;
  int positions = 0;  // that were looked at
  int finished = 0;   // finished games, left out
  int other = 0;      // positions of another board than the run's, left out
  int unknown = 0;    // positions of which nothing can be judged
  std::array<Share, kMeasures> shares{};

  void add(const Answer& answer);
};

// The table for people.
std::string accuracy_table(const std::vector<FileCount>& files);
// [{file, positions, finished, other, unknown, policy: {right, judged, share, interval_95: [low, high]} or
// null,
// ...}]
Json accuracy_json(const std::vector<FileCount>& files);

// The 95 % interval of a share of `right` in `all`, by Wilson's score (Wilson 1927). [0, 1] when all = 0.
std::pair<double, double> wilson_interval(int right, int all);

}  // namespace rf
