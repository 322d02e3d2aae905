// What every Evaluator must do, as checks to be run on each.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <memory>
#include <vector>

#include "base/random_stream.h"
#include "eval/evaluator.h"
#include "game_settings.h"

namespace rf::testing {

// Positions of random games, none of them terminal.
inline std::vector<std::unique_ptr<State>> random_positions(const Game& game, int count) {
  std::vector<std::unique_ptr<State>> positions;
  RandomStream stream(99);
  std::vector<Action> legal;
  auto state = game.initial_state();
  while (int(positions.size()) < count) {
    if (state->terminal()) state = game.initial_state();
    positions.push_back(state->clone());
    state->legal_actions(legal);
    state->apply(legal[stream.below(std::uint32_t(legal.size()))]);
  }
  return positions;
}

struct Answer {
  std::vector<float> prior;
  float value = NAN;
};

inline std::vector<Answer> ask(const Game& game, Evaluator& evaluator,
                               const std::vector<std::unique_ptr<State>>& positions, int symmetry = 0,
                               bool one_by_one = false) {
  std::vector<Answer> answers(positions.size());
  std::vector<std::vector<Action>> legal(positions.size());
  std::vector<EvalRequest> batch;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    positions[i]->legal_actions(legal[i]);
    answers[i].prior.assign(legal[i].size(), NAN);
    batch.push_back({positions[i].get(), legal[i], symmetry % int(game.spec().symmetries.size()), 1000 + i,
                     answers[i].prior, &answers[i].value});
  }
  if (one_by_one) {
    for (const EvalRequest& request : batch) evaluator.evaluate({&request, 1});
  } else {
    evaluator.evaluate(batch);
  }
  return answers;
}

inline void expect_close(const std::vector<Answer>& a, const std::vector<Answer>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a[i].value, b[i].value, tolerance) << "position " << i;
    ASSERT_EQ(a[i].prior.size(), b[i].prior.size());
    for (std::size_t k = 0; k < a[i].prior.size(); ++k) {
      EXPECT_NEAR(a[i].prior[k], b[i].prior[k], tolerance) << "position " << i << " action " << k;
    }
  }
}

inline void expect_same_answers(const Game& game, Evaluator& a, Evaluator& b,
                                const std::vector<std::unique_ptr<State>>& positions, double tolerance) {
  expect_close(ask(game, a, positions), ask(game, b, positions), tolerance);
}

// `tolerance`: how much an answer may depend on the batch it comes in.
inline void expect_evaluator_contract(const Game& game, Evaluator& evaluator, double tolerance) {
  EXPECT_FALSE(evaluator.id().empty());
  EXPECT_GE(evaluator.max_batch(), 1);
  const auto positions = random_positions(game, 67);
  const auto together = ask(game, evaluator, positions);
  for (const Answer& answer : together) {
    ASSERT_GE(answer.value, -1);
    ASSERT_LE(answer.value, 1);
    double sum = 0;
    for (float p : answer.prior) {
      ASSERT_GE(p, 0);
      sum += p;
    }
    ASSERT_NEAR(sum, 1, 1e-5);
  }
  expect_close(together, ask(game, evaluator, positions, 0, true), tolerance);  // batch = singles, order kept
  expect_close(together, ask(game, evaluator, positions), 0);  // asked again, the same to the bit
  evaluator.evaluate({});
}

}  // namespace rf::testing
