// Keys of the config's `search` section.
#pragma once

#include <array>
#include <string_view>

#include "base/describe.h"

namespace rf {

enum class AlphaRule { kFixed, kByLegal };
inline constexpr std::array<std::string_view, 2> kAlphaRuleNames = {"fixed", "by_legal"};

struct SearchConfig {
  int simulations = 100;
  double c_puct = 1.25;
  double c_puct_base = 0;
  double fpu_reduction = 0.25;
  double fpu_reduction_root = 0;
  AlphaRule dirichlet_rule = AlphaRule::kByLegal;
  double dirichlet_alpha = 0.3;
  double dirichlet_total = 10.83;
  double dirichlet_epsilon = 0.25;
  bool tree_reuse = true;
  int leaves_in_flight = 4;
  double virtual_loss = 1;
  bool random_symmetry = true;
  int max_nodes = 1 << 22;
};

template <class V>
void describe(V& v, SearchConfig& c) {
  v.number("simulations", c.simulations, 1, 1 << 20, "simulations",
           "new descents of the tree per move, beyond what a reused tree already holds");
  v.number("c_puct", c.c_puct, 0.0, 100.0, "",
           "exploration constant of PUCT, c * P * sqrt(N) / (1 + n) (Silver et al. 2017)");
  v.number(
      "c_puct_base", c.c_puct_base, 0.0, 1e9, "visits",
      "0 keeps c_puct constant; else c = c_puct + log((N + base + 1) / base) (Silver et al. 2018: 19652)");
  v.number(
      "fpu_reduction", c.fpu_reduction, 0.0, 2.0, "value",
      "an action not yet visited counts as the node's value minus this times the square root of the visited "
      "prior mass (first play urgency)");
  v.number("fpu_reduction_root", c.fpu_reduction_root, 0.0, 2.0, "value", "the same at the root");
  v.choice("dirichlet_rule", c.dirichlet_rule, kAlphaRuleNames,
           "alpha of the root noise: fixed = dirichlet_alpha, by_legal = dirichlet_total / number of legal "
           "actions");
  v.number("dirichlet_alpha", c.dirichlet_alpha, 1e-3, 100.0, "", "alpha under the rule fixed");
  v.number("dirichlet_total", c.dirichlet_total, 1e-3, 1e4, "",
           "sum of all alphas under the rule by_legal (KataGo: 10.83)");
  v.number("dirichlet_epsilon", c.dirichlet_epsilon, 0.0, 1.0, "share",
           "share of noise in the root prior, drawn once per root, in self-play only; 0 turns noise off");
  v.flag("tree_reuse", c.tree_reuse, "keep the subtree of the action that was played; noise is drawn afresh");
  v.number("leaves_in_flight", c.leaves_in_flight, 1, 1024, "leaves",
           "leaves of one tree that may wait for evaluation at the same time; never depends on the load");
  v.number("virtual_loss", c.virtual_loss, 0.0, 100.0, "visits",
           "lost visits that a waiting leaf counts as on its path");
  v.flag("random_symmetry", c.random_symmetry,
         "look at each leaf through a symmetry chosen by the game's stream and the position");
  v.number("max_nodes", c.max_nodes, 16, 1 << 30, "nodes",
           "a tree that is full ends its search early and says so");
}

}  // namespace rf
