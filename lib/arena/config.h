// Keys of the config's `gate` section.
#pragma once

#include <array>
#include <string_view>

#include "base/describe.h"

namespace rf {

enum class GateMode { kGated, kAlways };
inline constexpr std::array<std::string_view, 2> kGateModeNames = {"gated", "always"};

struct GateConfig {
  GateMode mode = GateMode::kGated;
  int every = 1;
  int games = 40;
  int simulations = 0;
  double threshold = 0.55;
  int opening_plies = 2;
  int games_in_parallel = 32;
  int yardstick_every = 0;
  int yardstick_games = 10;
  int yardstick_playouts = 200;
  int yardstick_raise = 1000;
  int yardstick_max = 5000;
  double yardstick_c_puct = 5;
  int rollout_plies = 1000;
};

template <class V>
void describe(V& v, GateConfig& c) {
  v.choice("mode", c.mode, kGateModeNames,
           "gated = a candidate becomes champion when it reaches the threshold; always = every candidate "
           "does, a match is a report");
  v.number("every", c.every, 1, 1000000, "iterations",
           "a match is played in each k-th iteration; in between the champion stays (gated) or the candidate "
           "is promoted (always)");
  v.number("games", c.games, 2, 1000000, "games",
           "games of the match, half with each colour; odd numbers are rounded up");
  v.number("simulations", c.simulations, 0, 1 << 20, "simulations",
           "per move of both sides; 0 = as in self-play");
  v.number("threshold", c.threshold, 0.0, 1.0, "share", "points needed, a draw counts a half");
  v.number("opening_plies", c.opening_plies, 0, 1000, "plies",
           "random plies that begin each pair of games; every pair has another opening, both sides play it "
           "with each colour");
  v.number("games_in_parallel", c.games_in_parallel, 1, 65536, "games",
           "match games that one rank plays at once");
  v.number("yardstick_every", c.yardstick_every, 0, 1000000, "iterations",
           "each k-th iteration the champion also plays pure MCTS; 0 = never");
  v.number("yardstick_games", c.yardstick_games, 2, 1000000, "games",
           "games of that match, half with each colour");
  v.number("yardstick_playouts", c.yardstick_playouts, 1, 1 << 24, "playouts",
           "per move of pure MCTS in the first such match");
  v.number("yardstick_raise", c.yardstick_raise, 0, 1 << 24, "playouts",
           "added when the champion won every game");
  v.number("yardstick_max", c.yardstick_max, 1, 1 << 24, "playouts", "never more than this");
  v.number("yardstick_c_puct", c.yardstick_c_puct, 0.0, 100.0, "", "exploration constant of pure MCTS");
  v.number("rollout_plies", c.rollout_plies, 1, 1000000, "plies",
           "a rollout of pure MCTS that is longer counts as a draw");
}

}  // namespace rf
