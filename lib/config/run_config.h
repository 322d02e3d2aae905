// The whole config of a run: one struct a section, in file order.
#pragma once

#include "arena/config.h"
#include "games/game.h"
#include "infer/config.h"
#include "learn/config.h"
#include "net/config.h"
#include "replay/config.h"
#include "run/config.h"
#include "search/config.h"
#include "selfplay/config.h"

namespace rf {

struct RunConfig {
  GameSettings game;  // section `game`: name and the game's own options
  RunSettings run;
  NetworkConfig network;
  InferenceConfig inference;
  SearchConfig search;
  SelfplayConfig selfplay;
  ReplayConfig replay;
  TrainConfig train;
  GateConfig gate;
};

// Calls v.section(name, sentence, struct) for every section but `game`.
template <class V>
void describe_sections(V& v, RunConfig& c) {
  v.section("run", "the run as a whole", c.run);
  v.section("network", "the network's shape; fixed for the life of a run", c.network);
  v.section("inference", "how the network is evaluated in play", c.inference);
  v.section("search", "tree search, in self-play and in matches", c.search);
  v.section("selfplay", "how rf-generate plays", c.selfplay);
  v.section("replay", "shards, and the rows that training reads", c.replay);
  v.section("train", "how rf-train learns", c.train);
  v.section("gate", "how rf-gate judges", c.gate);
}

}  // namespace rf
