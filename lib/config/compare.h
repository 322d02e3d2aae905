// What differs between two configs, and whether a run may go on with the other one.
#pragma once

#include <string>
#include <vector>

#include "config/run_config.h"

namespace rf {

struct ConfigDifference {
  std::string key;       // "train.learning_rate"
  std::string was, now;  // as YAML; "-" where the game does not have the key
};

// In the order of the reference, then keys that only `a` has.
std::vector<ConfigDifference> compare_configs(const RunConfig& a, const RunConfig& b);
bool operator==(const RunConfig& a, const RunConfig& b);

// May an existing run change this key? Not game.*, network.* and run.seed: the shards and networks that the
// run has would belong to something else.
bool harmless(const ConfigDifference& difference);

}  // namespace rf
