// What search tests share: running one search, and looking at a whole tree.
#pragma once

#include <numeric>
#include <string>
#include <vector>

#include "base/random_stream.h"
#include "games/registry.h"
#include "search/search.h"

namespace rf {

inline void run_search(Search& search, Evaluator& evaluator, RandomStream& stream,
                       RootNoise noise = RootNoise::kOff) {
  search.begin(stream, noise);
  std::vector<EvalRequest> batch;
  while (!search.done()) {
    batch.clear();
    search.collect(batch);
    evaluator.evaluate(batch);
    search.absorb();
  }
}

inline int sum_visits(const SearchResult& result) {
  return std::accumulate(result.visits.begin(), result.visits.end(), 0);
}

inline Action most_visited(const SearchResult& result) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < result.visits.size(); ++i) {
    if (result.visits[i] > result.visits[best]) best = i;
  }
  return result.actions[best];
}

inline std::unique_ptr<Game> gomoku(int width, int height, int line, bool classic = false) {
  return make_game(
      {"gomoku", {{"width", width}, {"height", height}, {"line", line}, {"planes", classic ? 1 : 0}}});
}

// The position after some moves from the start.
inline std::unique_ptr<State> after(const Game& game, const std::vector<Action>& moves) {
  auto state = game.initial_state();
  for (Action a : moves) state->apply(a);
  return state;
}

// Every pending counter of the tree, summed.
inline int sum_pending(const Tree& tree) {
  int sum = 0;
  for (std::size_t i = 0; i < tree.num_nodes(); ++i) {
    sum += tree.node(std::int32_t(i)).pending;
    for (const Edge& edge : tree.edges(std::int32_t(i))) sum += edge.pending;
  }
  return sum;
}

}  // namespace rf
