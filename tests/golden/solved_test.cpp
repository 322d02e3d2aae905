// links: rf_search nlohmann_json::nlohmann_json
// The search on the solved positions of Gomoku 6x6, four in a row: with random rollouts, no network.
#include "solved_positions.h"

#include <gtest/gtest.h>

#include <map>

#include "eval/rollout_evaluator.h"
#include "game_settings.h"
#include "search_fixtures.h"

namespace rf::testing {
namespace {

TEST(SolvedPositions, PureSearchPlaysThem) {
  const auto game = game_from_text(kSolvedGame);
  SearchConfig config;
  config.simulations = 4000;
  config.leaves_in_flight = 1;
  config.c_puct = 5;
  config.fpu_reduction = 0;
  std::map<std::string, std::pair<int, int>> right;  // kind: played well, of how many
  std::uint64_t number = 0;
  for (const SolvedPosition& position : solved_positions()) {
    RolloutEvaluator evaluator(*game, 1, 1000);
    RandomStream stream(number++);
    Search search(*game, config);
    search.set_root(*after(*game, position.moves));
    run_search(search, evaluator, stream);
    const SearchResult result = search.result();
    const Action played = most_visited(result);
    const bool well = position.kind == "lost_in_2"
                          ? result.root_value < -0.3
                          : std::find(position.best_moves.begin(), position.best_moves.end(), played) !=
                                position.best_moves.end();
    auto& [good, all] = right[position.kind];
    good += well;
    ++all;
  }
  for (const auto& [kind, count] : right) {
    std::printf("%s: %d of %d\n", kind.c_str(), count.first, count.second);
    RecordProperty(kind, std::to_string(count.first) + "/" + std::to_string(count.second));
  }
  // Wins and losses at hand must be seen always; deeper ones mostly, with this budget.
  EXPECT_EQ(right["win_in_1"].first, right["win_in_1"].second);
  EXPECT_EQ(right["must_block"].first, right["must_block"].second);
  EXPECT_EQ(right["lost_in_2"].first, right["lost_in_2"].second);
  EXPECT_GE(right["win_in_3"].first, right["win_in_3"].second * 9 / 10);
  EXPECT_GE(right["win_in_5"].first, right["win_in_5"].second * 6 / 10);
}

}  // namespace
}  // namespace rf::testing
