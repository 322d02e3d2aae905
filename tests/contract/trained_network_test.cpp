// links: rf_infer rf_learn
// What training has in its memory and what plays afterwards are the same network.
#include <gtest/gtest.h>

#include <cmath>

#include "base/random_stream.h"
#include "game_settings.h"
#include "infer/network_evaluator.h"
#include "infer/torch_forward.h"
#include "learn/trainer.h"

namespace rf::testing {
namespace {

TEST(TrainedNetwork, PlaysWithTheStatisticsOfTraining) {
  torch::set_num_threads(1);
  const auto game = game_from_text("gomoku width=5 height=4 line=4");
  const GameSpec& spec = game->spec();
  NetworkConfig network;
  network.blocks = 1;
  network.channels = 6;
  const Architecture architecture{spec.id,         spec.shape.planes, spec.shape.rows,
                                  spec.shape.cols, spec.num_actions,  network};
  TrainConfig config;
  config.learning_rate = 0.01;
  Trainer trainer(architecture, initial_weights(architecture, 1), config);

  // Positions of random games, learnt with random targets.
  RandomStream stream(9);
  std::vector<std::unique_ptr<State>> states;
  auto state = game->initial_state();
  const std::size_t P = std::size_t(spec.shape.size()), A = std::size_t(spec.num_actions);
  std::vector<float> planes, policy, value;
  while (states.size() < 64) {
    if (state->terminal()) state = game->initial_state();
    states.push_back(state->clone());
    planes.resize(planes.size() + P);
    state->encode(std::span(planes).last(P));
    policy.resize(policy.size() + A);
    stream.dirichlet(0.3, std::span(policy).last(A));
    value.push_back(float(stream.uniform() * 2 - 1));
    std::vector<Action> legal;
    state->legal_actions(legal);
    state->apply(legal[stream.below(std::uint32_t(legal.size()))]);
  }
  for (int i = 0; i < 20; ++i) trainer.train(planes, policy, value);
  const Weights trained = trainer.weights();
  const std::vector<float>& mean = trained.at("stem.bn.running_mean");
  EXPECT_GT(std::abs(mean[0]) + std::abs(mean[1]), 1e-3);  // the statistics have moved

  NetworkEvaluator evaluator(*game, "test", 64,
                             std::make_unique<TorchForward>(fold_batch_norm(architecture, trained), 64));
  TorchNet net(architecture, trained);
  const torch::NoGradGuard guard;
  const auto n = std::int64_t(states.size());
  const NetOutput out = net.forward(
      torch::from_blob(planes.data(), {n, spec.shape.planes, spec.shape.rows, spec.shape.cols}), false);
  double value_loss = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    std::vector<Action> legal;
    states[std::size_t(i)]->legal_actions(legal);
    std::vector<float> prior(legal.size());
    float v = 0;
    EvalRequest request;
    request.state = states[std::size_t(i)].get();
    request.legal = legal;
    request.prior = prior;
    request.value = &v;
    evaluator.wait(evaluator.submit({&request, 1}));
    EXPECT_NEAR(v, out.value[i][0].item<float>(), 1e-5);
    value_loss += std::pow(double(v) - value[std::size_t(i)], 2) / double(n);
    double sum = 0;
    for (Action a : legal) sum += std::exp(out.policy_logits[i][a].item<double>());
    for (std::size_t k = 0; k < legal.size(); ++k) {
      EXPECT_NEAR(prior[k], std::exp(out.policy_logits[i][legal[k]].item<double>()) / sum, 1e-5);
    }
  }
  EXPECT_NEAR(trainer.evaluate(planes, policy, value).value_loss, value_loss, 1e-5);
}

}  // namespace
}  // namespace rf::testing
