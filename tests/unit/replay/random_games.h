// Games played at random, with made-up searches: input for the tests of the replay store.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/random_stream.h"
#include "games/registry.h"
#include "replay/game_record.h"
#include "replay/shard_header.h"

namespace rf {

inline GameRecord random_game(const Game& game, std::int64_t index, std::uint64_t seed = 1) {
  RandomStream stream = make_stream(seed, 0, std::uint64_t(index), Purpose::kTest);
  GameRecord record;
  record.game_index = index;
  record.stream_key = stream.key();
  const auto state = game.initial_state();
  std::vector<Action> legal;
  while (!state->terminal()) {
    state->legal_actions(legal);
    PlyRecord ply;
    for (Action a : legal) {
      if (ply.actions.empty() || stream.below(3) == 0) {
        ply.actions.push_back(a);
        ply.visits.push_back(1 + int(stream.below(50)));
      }
    }
    ply.action = legal[stream.below(std::uint32_t(legal.size()))];
    ply.root_value = float(2 * stream.uniform() - 1);
    record.plies.push_back(ply);
    state->apply(ply.action);
  }
  record.outcome_first = state->to_move() == 0 ? state->outcome() : -state->outcome();
  if (record.outcome_first == 0) record.outcome_first = 0;  // not -0
  record.end_reason = std::string(state->end_reason());
  return record;
}

inline std::unique_ptr<Game> gomoku(int width, int height, int line, int planes) {
  return make_game({"gomoku", {{"width", width}, {"height", height}, {"line", line}, {"planes", planes}}});
}

// Every registered game as it is by default, and sizes and planes of Gomoku.
inline std::vector<std::unique_ptr<Game>> sample_games() {
  std::vector<std::unique_ptr<Game>> games;
  for (const GameEntry& entry : game_entries()) games.push_back(make_game({std::string(entry.name), {}}));
  games.push_back(gomoku(5, 8, 4, 0));
  games.push_back(gomoku(6, 6, 4, 1));
  games.push_back(gomoku(7, 1, 3, 1));
  return games;
}

inline ShardHeader header_for(const Game& game, int iteration = 3) {
  return {"run Größe #1", game.spec().id,        iteration, 2,      1,
          "hash:7",       0xfedcba9876543210ULL, "c0ffee",  "0.1.0"};
}

}  // namespace rf
