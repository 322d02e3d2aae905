// links: rf_eval
// Every evaluator that needs no network, on every game; the network's are in network_evaluator_test.cpp.
#include "evaluator_contract.h"

#include "eval/hash_evaluator.h"
#include "eval/rollout_evaluator.h"
#include "eval/symmetry_evaluator.h"
#include "eval/uniform_evaluator.h"

namespace rf::testing {
namespace {

class EvaluatorContract : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Game> game_ = game_from_text(GetParam());
};

TEST_P(EvaluatorContract, Uniform) {
  UniformEvaluator evaluator;
  expect_evaluator_contract(*game_, evaluator, 0);
}
TEST_P(EvaluatorContract, Hash) {
  HashEvaluator evaluator(7);
  expect_evaluator_contract(*game_, evaluator, 0);
}
TEST_P(EvaluatorContract, Rollout) {
  RolloutEvaluator evaluator(*game_, 7, 1000);
  expect_evaluator_contract(*game_, evaluator, 0);
}
TEST_P(EvaluatorContract, SymmetryIsTransparentAroundAnEvaluatorThatHasNone) {
  HashEvaluator inner(7);
  SymmetryEvaluator evaluator(*game_, inner);
  expect_evaluator_contract(*game_, evaluator, 0);
  const auto positions = random_positions(*game_, 20);
  expect_same_answers(*game_, inner, evaluator, positions, 0);
}

INSTANTIATE_TEST_SUITE_P(Games, EvaluatorContract, ::testing::ValuesIn(contract_games()), test_name);

TEST(RolloutEvaluator, AverageOfManyIsTheTrueValueOfADecidedPosition) {
  // X to move and any reply loses the last two cells: count the outcomes by hand instead: one free cell that
  // wins.
  const auto game = game_from_text("tic_tac_toe");
  auto state = game->initial_state();
  for (Action a : {0, 1, 2, 4, 3, 5, 7, 6}) state->apply(a);  // X O X / X O O / O X . : X fills 8, a draw
  RolloutEvaluator evaluator(*game, 1, 1000);
  std::vector<Action> legal;
  state->legal_actions(legal);
  ASSERT_EQ(legal.size(), 1u);
  std::vector<float> prior(1);
  float value = 9;
  EvalRequest request{state.get(), legal, 0, 5, prior, &value};
  evaluator.evaluate({&request, 1});
  EXPECT_EQ(value, 0);
}

TEST(RolloutEvaluator, ALongGameCountsAsADraw) {
  const auto game = game_from_text("gomoku width=15 height=15 line=5");
  RolloutEvaluator evaluator(*game, 1, 3);
  const auto state = game->initial_state();
  std::vector<Action> legal;
  state->legal_actions(legal);
  std::vector<float> prior(legal.size());
  float value = 9;
  EvalRequest request{state.get(), legal, 0, 5, prior, &value};
  evaluator.evaluate({&request, 1});
  EXPECT_EQ(value, 0);
}

TEST(RolloutEvaluator, ValueIsForThePlayerToMove) {
  // X has a line in every continuation but needs one ply: O to move at a board where X wins whatever O does.
  const auto game = game_from_text("gomoku width=4 height=2 line=2");
  auto state = game->initial_state();
  state->apply(1);
  RolloutEvaluator evaluator(*game, 1, 100);
  std::vector<Action> legal;
  state->legal_actions(legal);
  std::vector<float> prior(legal.size());
  double sum = 0;
  for (std::uint64_t salt = 0; salt < 2000; ++salt) {
    float value = 9;
    EvalRequest request{state.get(), legal, 0, salt, prior, &value};
    evaluator.evaluate({&request, 1});
    sum += value;
  }
  EXPECT_LT(sum / 2000, -0.3);  // the one who moves second is worse off
}

}  // namespace
}  // namespace rf::testing
