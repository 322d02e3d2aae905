#include "net/architecture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "base/error.h"
#include "base/random_stream.h"

namespace rf {
namespace {

Architecture residual() {
  Architecture a{"gomoku", 2, 6, 5, 30, {}};
  a.network.blocks = 2;
  a.network.channels = 8;
  a.network.policy_channels = 4;
  a.network.value_channels = 3;
  a.network.value_width = 16;
  return a;
}

Architecture plain() {
  Architecture a = residual();
  a.network.kind = NetworkKind::kPlain;
  a.network.plain_channels = {32, 64, 128};
  a.network.batch_norm = false;
  return a;
}

std::map<std::string, std::vector<std::int64_t>> shapes(const Architecture& a) {
  std::map<std::string, std::vector<std::int64_t>> by_name;
  for (const TensorSpec& spec : tensor_specs(a)) {
    EXPECT_TRUE(by_name.emplace(spec.name, spec.shape).second) << spec.name << " twice";
  }
  return by_name;
}

TEST(Architecture, TensorsOfAResidualTower) {
  auto by_name = shapes(residual());
  // stem, 2 blocks of 2, 2 heads: 7 convolutions of 5 tensors; 3 linear layers of 2
  EXPECT_EQ(by_name.size(), 7u * 5 + 3 * 2);
  EXPECT_EQ(by_name["stem.weight"], (std::vector<std::int64_t>{8, 2, 3, 3}));
  EXPECT_EQ(by_name["block0.conv1.weight"], (std::vector<std::int64_t>{8, 8, 3, 3}));
  EXPECT_EQ(by_name["block1.conv2.bn.running_var"], (std::vector<std::int64_t>{8}));
  EXPECT_EQ(by_name["policy.conv.weight"], (std::vector<std::int64_t>{4, 8, 1, 1}));
  EXPECT_EQ(by_name["policy.linear.weight"], (std::vector<std::int64_t>{30, 4 * 30}));
  EXPECT_EQ(by_name["value.conv.weight"], (std::vector<std::int64_t>{3, 8, 1, 1}));
  EXPECT_EQ(by_name["value.hidden.weight"], (std::vector<std::int64_t>{16, 3 * 30}));
  EXPECT_EQ(by_name["value.out.weight"], (std::vector<std::int64_t>{1, 16}));
  EXPECT_EQ(by_name.count("stem.bias"), 0u);
}

TEST(Architecture, TensorsOfAPlainTowerWithoutBatchNorm) {
  auto by_name = shapes(plain());
  EXPECT_EQ(by_name.size(), 5u * 2 + 3 * 2);
  EXPECT_EQ(by_name["conv0.weight"], (std::vector<std::int64_t>{32, 2, 3, 3}));
  EXPECT_EQ(by_name["conv2.weight"], (std::vector<std::int64_t>{128, 64, 3, 3}));
  EXPECT_EQ(by_name["conv2.bias"], (std::vector<std::int64_t>{128}));
  EXPECT_EQ(by_name["policy.conv.weight"], (std::vector<std::int64_t>{4, 128, 1, 1}));
}

TEST(Architecture, OnlyRunningStatisticsAreNotTrained) {
  for (const TensorSpec& spec : tensor_specs(residual())) {
    EXPECT_EQ(spec.trained, spec.name.find(".running_") == std::string::npos) << spec.name;
  }
}

TEST(Architecture, ParametersAndCostByHand) {
  // convolutions 2*8*9, 4 of 8*8*9, 8*4, 8*3; batch norm 2 a channel; linear layers with bias
  const std::int64_t convs = 144 + 4 * 576 + 32 + 24;
  const std::int64_t norms = 2 * (5 * 8 + 4 + 3);
  const std::int64_t linear = 120 * 30 + 30 + 90 * 16 + 16 + 16 + 1;
  EXPECT_EQ(count_parameters(residual()), convs + norms + linear);
  EXPECT_NEAR(mflops_per_evaluation(residual()), 2e-6 * (30.0 * convs + 120 * 30 + 90 * 16 + 16), 1e-9);
  Architecture bare = residual();
  bare.network.batch_norm = false;
  EXPECT_EQ(count_parameters(bare), convs + norms / 2 + linear) << "a bias for two norm parameters";
}

TEST(Architecture, Text) {
  EXPECT_EQ(architecture_text(residual()), "residual 2x8");
  EXPECT_EQ(architecture_text(plain()), "plain 32-64-128");
}

TEST(Architecture, WithoutConvolutionsTheTrunkIsTheInput) {
  Architecture a = plain();
  a.network.plain_channels.clear();
  EXPECT_EQ(a.trunk_channels(), 2);
  EXPECT_EQ(shapes(a)["policy.conv.weight"], (std::vector<std::int64_t>{4, 2, 1, 1}));
  a = residual();
  a.network.blocks = 0;
  EXPECT_EQ(tower_convs(a).size(), 1u);
}

TEST(InitialWeights, AreACompleteFiniteSetThatFollowsTheSeed) {
  for (const Architecture& a : {residual(), plain()}) {
    const Weights weights = initial_weights(a, 7);
    check_weights(a, weights, "initial");
    EXPECT_EQ(initial_weights(a, 7), weights);
    EXPECT_NE(initial_weights(a, 8), weights);
    std::set<float> distinct(weights.at("policy.linear.weight").begin(),
                             weights.at("policy.linear.weight").end());
    EXPECT_GT(distinct.size(), 1000u);
  }
  const Weights weights = initial_weights(residual(), 7);
  EXPECT_EQ(weights.at("stem.bn.running_var"), std::vector<float>(8, 1.f));
  EXPECT_EQ(weights.at("stem.bn.running_mean"), std::vector<float>(8, 0.f));
  EXPECT_EQ(weights.at("stem.bn.weight"), std::vector<float>(8, 1.f));
}

TEST(InitialWeights, HaveTheirSpread) {
  const Weights weights = initial_weights(plain(), 1);
  const auto deviation = [&](const std::string& name) {
    double squares = 0;
    for (float w : weights.at(name)) squares += double(w) * w;
    return std::sqrt(squares / double(weights.at(name).size()));
  };
  EXPECT_NEAR(deviation("conv2.weight"), std::sqrt(2.0 / (64 * 9)), 0.001) << "He";
  EXPECT_NEAR(deviation("policy.linear.weight"), 0.1 * std::sqrt(2.0 / 120), 0.001) << "small output layer";
}

// The message of the error that check_weights raises, which must be of bad data.
std::string refusal(const Architecture& a, const Weights& weights) {
  try {
    check_weights(a, weights, "net.h5");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadData);
    return error.what();
  }
  return "accepted";
}

TEST(CheckWeights, NamesTheTensor) {
  const Architecture a = residual();
  const Weights good = initial_weights(a, 1);
  EXPECT_EQ(refusal(a, good), "accepted");
  const auto expect_named = [&](const Weights& weights, const std::string& name) {
    const std::string message = refusal(a, weights);
    EXPECT_NE(message.find(name), std::string::npos) << message;
    EXPECT_NE(message.find("net.h5"), std::string::npos) << message;
  };
  for (const char* name : {"stem.weight", "block1.conv2.bn.running_var", "value.out.bias"}) {
    Weights broken = good;
    broken.erase(name);
    expect_named(broken, name);
    broken = good;
    broken[name].push_back(0);
    expect_named(broken, name);
    broken = good;
    broken[name].clear();
    expect_named(broken, name);
    for (float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
      broken = good;
      broken[name].back() = bad;
      expect_named(broken, name);
    }
  }
  Weights foreign = good;
  foreign["stem.bias"] = {1};
  expect_named(foreign, "stem.bias");
  Weights negative = good;
  negative["stem.bn.running_var"][3] = -0.5f;
  expect_named(negative, "stem.bn.running_var");
}

TEST(CheckWeights, RefusesAnotherArchitecture) {
  EXPECT_NE(refusal(plain(), initial_weights(residual(), 1)), "accepted");
  Architecture wider = residual();
  wider.network.channels = 16;
  const std::string message = refusal(wider, initial_weights(residual(), 1));
  EXPECT_NE(message.find("residual 2x16"), std::string::npos) << message;
}

TEST(FoldBatchNorm, IsTheFormula) {
  const Architecture a = residual();
  Weights weights = initial_weights(a, 3);
  RandomStream stream(11);
  for (auto& [name, tensor] : weights) {
    if (name.find(".bn.") == std::string::npos) continue;
    for (float& w : tensor)
      w = float(name.ends_with("running_var") ? 0.1 + 3 * stream.uniform() : stream.normal());
  }
  const FoldedNetwork folded = fold_batch_norm(a, weights);
  EXPECT_FALSE(folded.architecture.network.batch_norm);
  check_weights(folded.architecture, folded.weights, "folded");
  auto convs = tower_convs(a);
  for (const ConvSpec& head : head_convs(a)) convs.push_back(head);
  for (const ConvSpec& conv : convs) {
    const auto part = [&](const char* name) { return weights.at(conv.name + name); };
    const auto kernel = part(".weight"), kernel_now = folded.weights.at(conv.name + ".weight");
    const std::size_t per_channel = std::size_t(conv.in * conv.kernel * conv.kernel);
    for (std::size_t o = 0; o < std::size_t(conv.out); ++o) {
      // y = gamma * (w x - mean) / sqrt(var + eps) + beta, with eps as in the file format
      const double root = std::sqrt(double(part(".bn.running_var")[o]) + 1e-5);
      const double gamma = part(".bn.weight")[o];
      for (std::size_t i = o * per_channel; i < (o + 1) * per_channel; ++i) {
        const double expected = gamma * kernel[i] / root;
        ASSERT_NEAR(kernel_now[i], expected, 1e-6 * (1 + std::fabs(expected))) << conv.name;
      }
      const double expected = part(".bn.bias")[o] - gamma * part(".bn.running_mean")[o] / root;
      ASSERT_NEAR(folded.weights.at(conv.name + ".bias")[o], expected, 1e-6 * (1 + std::fabs(expected)));
    }
  }
  for (const char* name : {"policy.linear.weight", "value.hidden.bias", "value.out.weight"}) {
    EXPECT_EQ(folded.weights.at(name), weights.at(name));
  }
}

TEST(FoldBatchNorm, LeavesANetworkWithoutItAlone) {
  const Weights weights = initial_weights(plain(), 3);
  const FoldedNetwork folded = fold_batch_norm(plain(), weights);
  EXPECT_EQ(folded.weights, weights);
  EXPECT_EQ(folded.architecture, plain());
}

}  // namespace
}  // namespace rf
