// Keys that are right alone and wrong together.
#pragma once

#include <optional>
#include <string>

#include "config/run_config.h"

namespace rf {

struct Contradiction {
  std::string key;   // "game.line"
  std::string text;  // "problem (why): hint"
};

// The first one, if any; makes the game to ask it. Every value must be within its own range.
std::optional<Contradiction> find_contradiction(const RunConfig& config);

}  // namespace rf
