// A finished self-play game: all that the rows of a shard are computed from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "games/game.h"

namespace rf {

struct PlyRecord {
  Action action = 0;            // played
  float root_value = 0;         // the search's mean value, for the player to move
  std::vector<Action> actions;  // visited actions, ascending; together with `visits` the policy target
  std::vector<int> visits;      // each >= 1
};

struct GameRecord {
  std::int64_t game_index = 0;   // within the iteration
  std::uint64_t stream_key = 0;  // of its self-play stream
  std::vector<PlyRecord> plies;
  float outcome_first = 0;  // z for player 0
  std::string end_reason;
};

}  // namespace rf
