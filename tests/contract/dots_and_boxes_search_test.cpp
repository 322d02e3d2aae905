// links: rf_search rf_solve nlohmann_json::nlohmann_json
// The search where a player moves several times in a row: signs and moves against exact values.
#include <gtest/gtest.h>

#include <map>

#include "dots_fixtures.h"
#include "eval/rollout_evaluator.h"
#include "eval/uniform_evaluator.h"
#include "search_fixtures.h"
#include "solve/dots_and_boxes_solver.h"

namespace rf::testing {
namespace {

// Equal priors, and the exact result as value.
class ExactEvaluator final : public Evaluator {
 public:
  explicit ExactEvaluator(Solver& solver) : solver_(solver) {}
  std::string id() const override { return "exact"; }
  int max_batch() const override { return 4096; }
  int submit(std::span<const EvalRequest> batch) override {
    for (const EvalRequest& request : batch) {
      fill_uniform(request.prior);
      *request.value = float(solver_.outcome_of(*request.state, solver_.solve(*request.state)->value));
    }
    return 0;
  }
  void wait(int) override {}

 private:
  Solver& solver_;
};

SearchResult searched(const Game& game, const State& state, Evaluator& evaluator, int simulations,
                      std::uint64_t key = 1) {
  SearchConfig config;
  config.simulations = simulations;
  config.leaves_in_flight = 1;
  config.c_puct = 2;
  Search search(game, config);
  search.set_root(state);
  RandomStream stream(key);
  run_search(search, evaluator, stream);
  return search.result();
}

DotsAndBoxesSolver& solver_of(int rows, int cols) {
  static std::map<std::pair<int, int>, DotsAndBoxesSolver> solvers;
  return solvers.try_emplace({rows, cols}, rows, cols).first->second;
}

// Ends of the game are all that a rollout knows.
TEST(DotsAndBoxesSearch, EmptyBoardsHaveTheSolvedSign) {
  const auto thin = dots(1, 3), square = dots(2, 2);
  RolloutEvaluator thin_rollouts(*thin, 1, 100), square_rollouts(*square, 1, 100);
  EXPECT_LT(searched(*thin, *thin->initial_state(), thin_rollouts, 100'000).root_value, -0.5f);
  EXPECT_GT(searched(*square, *square->initial_state(), square_rollouts, 100'000).root_value, 0.05f);
}

// With few edges left the tree holds every line, and no evaluation is needed.
TEST(DotsAndBoxesSearch, ShortEndingsHaveTheSolvedValueWithoutAnyEvaluation) {
  UniformEvaluator uniform;
  std::map<int, int> count;
  for (const SolvedDots& position : solved_dots()) {
    const auto game = dots(position.rows, position.cols);
    const auto state = drawn(*game, position.edges);
    const int free = game->spec().num_actions - state->ply();
    if (free == 0 || free > 6) continue;
    const SearchResult result = searched(*game, *state, uniform, 8'000);
    const int total = state->score_margin() + position.value, z = (total > 0) - (total < 0);
    EXPECT_NEAR(result.root_value, z, 0.35) << state->text();
    ++count[z];
  }
  EXPECT_GT(count[-1], 5);
  EXPECT_GT(count[0], 5);
  EXPECT_GT(count[1], 10);
}

// 3x3 is left out: with up to 24 equal priors its averages need far more simulations.
TEST(DotsAndBoxesSearch, ExactValuesKeepTheirSign) {
  int decided = 0;
  for (const SolvedDots& position : solved_dots()) {
    if (position.rows == 3) continue;
    DotsAndBoxesSolver& solver = solver_of(position.rows, position.cols);
    ExactEvaluator exact(solver);
    const auto game = dots(position.rows, position.cols);
    const auto state = drawn(*game, position.edges);
    const int z = solver.outcome_of(*state, position.value);
    const SearchResult result = searched(*game, *state, exact, 10'000);
    EXPECT_TRUE(z == 0 || result.root_value * float(z) > 0.2f) << result.root_value << "\n" << state->text();
    decided += z != 0;
    // What it plays keeps the result.
    const auto child = state->clone();
    child->apply(most_visited(result));
    const int after =
        child->terminal() ? int(child->outcome()) : solver.outcome_of(*child, solver.solve(*child)->value);
    EXPECT_EQ(child->to_move() == state->to_move() ? after : -after, z) << state->text();
  }
  EXPECT_GT(decided, 80);
}

TEST(DotsAndBoxesSearch, FindsTheArticlesTwoMovesWithRollouts) {
  const auto game = dots(3, 3);
  for (std::uint64_t key : {1, 2, 3}) {
    RolloutEvaluator rollouts(*game, key, 100);
    const auto state = drawn(*game, kArticleMoves);
    for (Action expected : {23, 9}) {
      const SearchResult result = searched(*game, *state, rollouts, 16'000, key);
      EXPECT_EQ(most_visited(result), expected) << key;
      EXPECT_GT(result.root_value, 0.3f) << key;
      state->apply(expected);
    }
  }
}

}  // namespace
}  // namespace rf::testing
