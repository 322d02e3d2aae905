#include "torchnet/torch_net.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rf::testing {
namespace {

constexpr int kRows = 12, kGroup = 4;

class GhostBatchNorm : public ::testing::Test {
 protected:
  GhostBatchNorm() {
    torch::set_num_threads(1);
    NetworkConfig network;
    network.blocks = 1;
    network.channels = 5;
    architecture_ = {"tic_tac_toe", 2, 3, 3, 9, network};
    weights_ = initial_weights(architecture_, 5);
    for (auto& [name, values] :
         weights_) {  // statistics that are worth moving, and scales that are not all 1
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (name.ends_with("bn.running_mean")) values[i] = 0.3f * float(i) - 0.5f;
        if (name.ends_with("bn.running_var")) values[i] = 1 + 0.2f * float(i);
        if (name.ends_with("bn.weight")) values[i] = 0.7f + 0.1f * float(i);
      }
    }
    torch::manual_seed(3);
    planes_ = (torch::rand({kRows, 2, 3, 3}) + 0.2 * torch::arange(kRows).view({kRows, 1, 1, 1}))
                  .contiguous(torch::MemoryFormat::ChannelsLast);
  }
  torch::Tensor group(int number) const { return planes_.narrow(0, number * kGroup, kGroup); }

  Architecture architecture_;
  Weights weights_;
  torch::Tensor planes_;
};

torch::Tensor loss_of(const NetOutput& out) {
  return out.policy_logits.square().mean() + (out.value - 0.5).abs().mean();
}

// By loops in double, of what the first convolution gives.
TEST_F(GhostBatchNorm, RunningStatisticsMoveByTheMeanOverTheGroups) {
  TorchNet net(architecture_, weights_);
  const torch::Tensor x = torch::conv2d(planes_, net.tensors().at("stem.weight"), {}, 1, 1).contiguous();
  net.forward(planes_, true, kGroup);
  const int cells = 9, per_group = kGroup * cells;
  const auto at = [&](int row, int channel, int cell) {
    return double(x.data_ptr<float>()[(row * 5 + channel) * cells + cell]);
  };
  for (int c = 0; c < 5; ++c) {
    double mean_of_means = 0, mean_of_vars = 0;
    for (int first = 0; first < kRows; first += kGroup) {
      double sum = 0, squares = 0;
      for (int row = first; row < first + kGroup; ++row) {
        for (int cell = 0; cell < cells; ++cell) sum += at(row, c, cell);
      }
      const double mean = sum / per_group;
      for (int row = first; row < first + kGroup; ++row) {
        for (int cell = 0; cell < cells; ++cell) squares += std::pow(at(row, c, cell) - mean, 2);
      }
      mean_of_means += mean / 3;
      mean_of_vars += squares / (per_group - 1) / 3;
    }
    const auto was = [&](const char* name) { return double(weights_.at(name)[std::size_t(c)]); };
    const auto is = [&](const char* name) { return net.tensors().at(name)[c].item<double>(); };
    EXPECT_NEAR(is("stem.bn.running_mean"), 0.9 * was("stem.bn.running_mean") + 0.1 * mean_of_means, 1e-6);
    EXPECT_NEAR(is("stem.bn.running_var"), 0.9 * was("stem.bn.running_var") + 0.1 * mean_of_vars, 1e-6);
  }
}

// Each group goes through a network of its own, in which it is the whole batch.
TEST_F(GhostBatchNorm, EachGroupIsABatchOfItsOwn) {
  TorchNet net(architecture_, weights_);
  for (auto& [name, tensor] : net.tensors()) tensor.requires_grad_(name.find("running") == std::string::npos);
  const NetOutput out = net.forward(planes_, true, kGroup);
  loss_of(out).backward();
  std::map<std::string, torch::Tensor> mean_gradient, mean_statistics;
  for (int g = 0; g < 3; ++g) {
    TorchNet alone(architecture_, weights_);
    for (auto& [name, tensor] : alone.tensors())
      tensor.requires_grad_(name.find("running") == std::string::npos);
    const NetOutput part = alone.forward(group(g), true);
    EXPECT_TRUE(
        torch::allclose(part.policy_logits, out.policy_logits.narrow(0, g * kGroup, kGroup), 1e-5, 1e-6));
    EXPECT_TRUE(torch::allclose(part.value, out.value.narrow(0, g * kGroup, kGroup), 1e-5, 1e-6));
    loss_of(part).backward();
    for (const auto& [name, tensor] : alone.tensors()) {
      auto& mean = (tensor.requires_grad() ? mean_gradient : mean_statistics)[name];
      const torch::Tensor third = (tensor.requires_grad() ? tensor.grad() : tensor) / 3;
      mean = mean.defined() ? mean + third : third;
    }
  }
  for (const auto& [name, mean] : mean_gradient) {
    EXPECT_TRUE(torch::allclose(net.tensors().at(name).grad(), mean, 1e-4, 1e-6)) << name;
  }
  for (const auto& [name, mean] : mean_statistics) {
    EXPECT_TRUE(torch::allclose(net.tensors().at(name), mean, 1e-5, 1e-6)) << name;
  }
  // It is not what one group of all rows gives.
  TorchNet whole(architecture_, weights_);
  EXPECT_FALSE(torch::allclose(whole.forward(planes_, true).policy_logits, out.policy_logits, 1e-2, 1e-3));
}

TEST_F(GhostBatchNorm, OneGroupOfAllRowsIsPlainBatchNormBitForBit) {
  TorchNet plain(architecture_, weights_), ghost(architecture_, weights_);
  const NetOutput a = plain.forward(planes_, true), b = ghost.forward(planes_, true, kRows);
  EXPECT_TRUE(a.policy_logits.equal(b.policy_logits));
  EXPECT_TRUE(a.value.equal(b.value));
  EXPECT_EQ(plain.weights(), ghost.weights());
}

TEST_F(GhostBatchNorm, EvaluationKnowsNoGroups) {
  TorchNet net(architecture_, weights_);
  const NetOutput a = net.forward(planes_, false), b = net.forward(planes_, false, kGroup);
  EXPECT_TRUE(a.policy_logits.equal(b.policy_logits));
  EXPECT_EQ(net.weights(), weights_);
}

}  // namespace
}  // namespace rf::testing
