// Keys of the config's `selfplay` section.
#pragma once

#include <array>
#include <string_view>

#include "base/describe.h"

namespace rf {

enum class EvaluatorKind { kNetwork, kUniform, kRollout, kHash };
inline constexpr std::array<std::string_view, 4> kEvaluatorKindNames = {"network", "uniform", "rollout",
                                                                        "hash"};

struct SelfplayConfig {
  int games_per_iteration = 200;
  int games_in_parallel = 32;
  int opening_plies = 0;
  double temperature = 1;
  int temperature_plies = 10;
  double temperature_final = 0;
  EvaluatorKind evaluator = EvaluatorKind::kNetwork;
  int shard_rows = 100000;
  double seal_seconds = 30;
};

template <class V>
void describe(V& v, SelfplayConfig& c) {
  v.number("games_per_iteration", c.games_per_iteration, 1, 10000000, "games",
           "self-play games of one iteration, over all ranks");
  v.number("games_in_parallel", c.games_in_parallel, 1, 65536, "games",
           "games that one rank plays at once; their leaves share a batch");
  v.number(
      "opening_plies", c.opening_plies, 0, 100000, "plies",
      "each game begins with 0 to this many random plies, which are no samples: starts with every balance "
      "of forces teach a value early");
  v.number("temperature", c.temperature, 0.0, 100.0, "",
           "actions of the first plies are sampled by visits^(1/temperature)");
  v.number("temperature_plies", c.temperature_plies, 0, 100000, "plies",
           "plies (of both players together) with that temperature");
  v.number("temperature_final", c.temperature_final, 0.0, 100.0, "",
           "temperature of later plies; 0 plays the most visited action");
  v.choice("evaluator", c.evaluator, kEvaluatorKindNames,
           "network = the champion; uniform, rollout (random play) and hash (a fixed function of the "
           "position) need no network and are for tests");
  v.number("shard_rows", c.shard_rows, 1, 100000000, "rows",
           "a shard is sealed when it has this many rows, augmented ones counted");
  v.number("seal_seconds", c.seal_seconds, 0.1, 86400.0, "s",
           "and at the latest after this time: the most that a crash can lose");
}

}  // namespace rf
