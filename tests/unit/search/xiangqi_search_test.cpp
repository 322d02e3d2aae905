// Search where games can go round in circles.
#include <gtest/gtest.h>
#include <pthread.h>

#include <memory>

#include "eval/uniform_evaluator.h"
#include "search_fixtures.h"

namespace rf {
namespace {

std::unique_ptr<Game> xiangqi() {
  return make_game({"xiangqi", {}});
}

void play(const Game& game, Search& search, const char* move) {
  const auto action = game.parse_action(search.root(), move);
  ASSERT_TRUE(action.has_value()) << move;
  search.advance(*action);
}

// Nothing can be captured or forced: every line is long and comes back on itself.
void* search_on_a_small_stack(void* simulations) {
  const auto game = xiangqi();
  const auto root = game->parse_position("3a1k3/4a4/9/9/9/9/9/9/4A4/3K1A3 b");
  UniformEvaluator evaluator;
  Search search(*game, SearchConfig{}, *static_cast<int*>(simulations));
  search.set_root(*root);
  RandomStream stream = make_stream(1, 0, 0, Purpose::kTest);
  run_search(search, evaluator, stream, RootNoise::kOn);
  EXPECT_EQ(sum_visits(search.result()), *static_cast<int*>(simulations));
  EXPECT_FALSE(search.truncated());
  return nullptr;
}

TEST(XiangqiSearch, ManySimulationsOfEndlessPlayNeedNoStack) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
  pthread_t thread;
  int simulations = 20000;
  ASSERT_EQ(pthread_create(&thread, &attributes, search_on_a_small_stack, &simulations), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

TEST(XiangqiSearch, AMoveToAnEndThatOnlyTheSearchSawGoesOn) {
  const auto game = xiangqi();
  const auto root = game->parse_position("3k5/9/9/9/9/9/9/9/9/5K3 w");
  SearchConfig config;
  config.tree_reuse = true;
  UniformEvaluator evaluator;
  Search search(*game, config, 500);
  search.set_root(*root);
  RandomStream stream = make_stream(1, 0, 1, Purpose::kTest);
  run_search(search, evaluator, stream);
  // Along this line the fourth move repeats the root: an end in the tree, not in play.
  std::int32_t node = 0;
  const char* line[] = {"f0f1", "d9d8", "f1f0", "d8d9"};
  const auto state = root->clone();
  for (const char* move : line) {
    const auto action = game->parse_action(*state, move);
    ASSERT_TRUE(action.has_value());
    std::int32_t child = -1;
    for (const Edge& edge : search.tree().edges(node)) {
      if (edge.action == *action) child = edge.child;
    }
    ASSERT_GE(child, 0) << move << " was never searched";
    node = child;
    state->apply(*action);
  }
  EXPECT_TRUE(search.tree().node(node).terminal);
  EXPECT_FALSE(state->terminal());
  for (const char* move : line) play(*game, search, move);
  ASSERT_FALSE(search.root().terminal());
  run_search(search, evaluator, stream);
  EXPECT_GE(sum_visits(search.result()), 500);
  EXPECT_EQ(search.result().actions.size(), 2u);
}

TEST(XiangqiSearch, AStalemateIsAWin) {
  const auto game = xiangqi();
  const auto root = game->parse_position("3k5/9/9/9/9/9/9/9/1R7/4K4 w");
  UniformEvaluator evaluator;
  Search search(*game, SearchConfig{}, 400);
  search.set_root(*root);
  RandomStream stream = make_stream(1, 0, 2, Purpose::kTest);
  run_search(search, evaluator, stream);
  const SearchResult result = search.result();
  int wins = 0;
  for (std::size_t i = 0; i < result.actions.size(); ++i) {
    const std::string move = game->action_text(*root, result.actions[i]);
    if (move != "b1b8" && move != "b1d1") continue;  // stalemate, checkmate
    EXPECT_GT(result.visits[i], 0) << move;
    EXPECT_EQ(result.mean_value[i], 1.f) << move;
    ++wins;
  }
  EXPECT_EQ(wins, 2);
  EXPECT_GT(result.root_value, 0.8f);
}

}  // namespace
}  // namespace rf
