// links: rf_search
// Whole search trees, every visit count and value, produced with the hash evaluator: tests/golden/trees/.
// And the signature: one digest over searches of all games.
#include <cstdio>
#include <deque>

#include "base/digest.h"
#include "eval/hash_evaluator.h"
#include "game_settings.h"
#include "golden.h"
#include "search_fixtures.h"

namespace rf::testing {
namespace {

// Breadth first: one line a node that was visited.
std::string tree_text(const Game& game, const Search& search) {
  const Tree& tree = search.tree();
  std::string text = game.spec().id + "\n";
  std::deque<std::pair<std::int32_t, std::string>> queue = {{0, "root"}};
  char line[200];
  while (!queue.empty()) {
    const auto [at, path] = queue.front();
    queue.pop_front();
    const Node& node = tree.node(at);
    std::snprintf(line, sizeof line, "%s: N %d Q %+.4f player %d%s\n", path.c_str(), node.visits,
                  node.mean_value(), node.to_move, node.terminal ? " terminal" : "");
    text += line;
    for (const Edge& edge : tree.edges(at)) {
      if (edge.visits == 0) continue;
      std::snprintf(line, sizeof line, "  %d: N %d P %.4f Q %+.4f\n", edge.action, edge.visits, edge.prior,
                    edge.total_value / edge.visits);
      text += line;
      if (edge.visits > 1) queue.push_back({edge.child, path + " " + std::to_string(edge.action)});
    }
  }
  return text;
}

SearchConfig config_of(int simulations, int leaves, double base) {
  SearchConfig config;
  config.simulations = simulations;
  config.leaves_in_flight = leaves;
  config.c_puct_base = base;
  return config;
}

TEST(GoldenTrees, SerialAndParallelAndReused) {
  for (const auto& [file, id] : {std::pair{"tic_tac_toe", "tic_tac_toe"},
                                 {"gomoku_6x6x4", "gomoku width=6 height=6 line=4 planes=own2"}}) {
    const auto game = game_from_text(id);
    HashEvaluator evaluator(1);
    std::string text;
    for (const SearchConfig& config : {config_of(60, 1, 0), config_of(60, 4, 19652)}) {
      Search search(*game, config);
      search.set_root(*game->initial_state());
      RandomStream stream(17);
      run_search(search, evaluator, stream, RootNoise::kOn);
      text += tree_text(*game, search);
      search.advance(most_visited(search.result()));
      run_search(search, evaluator, stream, RootNoise::kOn);
      text += "after " + std::to_string(search.root().ply()) + " ply: " + tree_text(*game, search);
    }
    expect_golden(std::string("trees/") + file + ".txt", text);
  }
}

TEST(GoldenTrees, Signature) {
  std::uint64_t digest = 0;
  long long nodes = 0;
  for (const std::string& id : contract_games()) {
    const auto game = game_from_text(id);
    HashEvaluator evaluator(3);
    Search search(*game, config_of(200, 4, 0));
    search.set_root(*game->initial_state());
    RandomStream stream(1);
    for (int move = 0; move < 6 && !search.root().terminal(); ++move) {
      run_search(search, evaluator, stream, RootNoise::kOn);
      nodes += (long long)(search.tree().num_nodes());
      const SearchResult result = search.result();
      digest = combine64(digest, digest64(std::span<const int>(result.visits)));
      search.advance(most_visited(result));
    }
  }
  expect_golden("signature.txt", "nodes " + std::to_string(nodes) + "\ndigest " + hex64(digest) + "\n");
}

}  // namespace
}  // namespace rf::testing
