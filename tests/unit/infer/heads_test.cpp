#include "infer/heads.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/random_stream.h"

namespace rf {
namespace {

FoldedNetwork network(int rows, int cols, int policy_channels, int value_channels, int width, int actions,
                      Activation activation) {
  Architecture a{"heads", 2, rows, cols, actions, {}};
  a.network.channels = 3;
  a.network.policy_channels = policy_channels;
  a.network.value_channels = value_channels;
  a.network.value_width = width;
  a.network.activation = activation;
  Weights weights = initial_weights(a, 1);
  RandomStream stream(2);
  for (auto& [name, tensor] : weights) {
    if (name.find("bn") != std::string::npos) continue;
    for (float& w : tensor) w = float(stream.normal());
  }
  return fold_batch_norm(a, weights);
}

std::vector<float> random_features(std::size_t size) {
  RandomStream stream(3);
  std::vector<float> features(size);
  for (float& x : features) x = float(std::max(0.0, stream.normal()));
  return features;
}

// Row r of a linear layer, whose columns go by [C, cells], on features [cells, C].
double product(const std::vector<float>& weights, std::size_t r, const std::vector<float>& features,
               int channels) {
  const std::size_t C = std::size_t(channels), cells = features.size() / C;
  double sum = 0;
  for (std::size_t k = 0; k < cells; ++k) {
    for (std::size_t c = 0; c < C; ++c)
      sum += double(weights[r * features.size() + c * cells + k]) * features[k * C + c];
  }
  return sum;
}

class HeadsOfShape : public ::testing::TestWithParam<std::array<int, 6>> {};

TEST_P(HeadsOfShape, AreTheLinearLayers) {
  const auto [rows, cols, policy_channels, value_channels, width, actions] = GetParam();
  for (Activation activation : {Activation::kRelu, Activation::kElu}) {
    const FoldedNetwork net =
        network(rows, cols, policy_channels, value_channels, width, actions, activation);
    Heads heads(net);
    const auto cells = std::size_t(rows * cols);
    const auto policy = random_features(cells * std::size_t(policy_channels));
    const auto value = random_features(cells * std::size_t(value_channels));
    std::vector<int> all(std::size_t(actions), 0);
    std::iota(all.begin(), all.end(), 0);
    std::vector<float> logits(all.size());
    heads.logits(policy.data(), all, logits);
    for (std::size_t a = 0; a < all.size(); ++a) {
      const double expected = product(net.weights.at("policy.linear.weight"), a, policy, policy_channels) +
                              net.weights.at("policy.linear.bias")[a];
      EXPECT_NEAR(logits[a], expected, 1e-4) << "action " << a;
    }
    double sum = net.weights.at("value.out.bias")[0];
    for (std::size_t h = 0; h < std::size_t(width); ++h) {
      const double x = product(net.weights.at("value.hidden.weight"), h, value, value_channels) +
                       net.weights.at("value.hidden.bias")[h];
      sum += net.weights.at("value.out.weight")[h] * (x > 0                            ? x
                                                      : activation == Activation::kElu ? std::expm1(x)
                                                                                       : 0.0);
    }
    EXPECT_NEAR(heads.value(value.data()), std::tanh(sum), 1e-4);
  }
}

TEST_P(HeadsOfShape, AnActionsLogitDoesNotDependOnWhatElseIsAsked) {
  const auto [rows, cols, policy_channels, value_channels, width, actions] = GetParam();
  const FoldedNetwork net =
      network(rows, cols, policy_channels, value_channels, width, actions, Activation::kRelu);
  Heads heads(net);
  const auto policy = random_features(std::size_t(rows * cols * policy_channels));
  std::vector<int> all(std::size_t(actions), 0);
  std::iota(all.begin(), all.end(), 0);
  std::vector<float> together(all.size());
  heads.logits(policy.data(), all, together);
  for (int a = 0; a < actions; ++a) {
    float alone = 0;
    heads.logits(policy.data(), {&a, 1}, {&alone, 1});
    EXPECT_EQ(alone, together[std::size_t(a)]);  // to the bit
  }
  heads.logits(policy.data(), {}, {});
}

INSTANTIATE_TEST_SUITE_P(Shapes, HeadsOfShape,
                         ::testing::Values(std::array{1, 1, 1, 1, 1, 1}, std::array{3, 3, 2, 1, 16, 9},
                                           std::array{6, 6, 4, 2, 64, 36}, std::array{10, 9, 4, 2, 65, 130},
                                           std::array{5, 7, 3, 5, 100, 7}));

}  // namespace
}  // namespace rf
