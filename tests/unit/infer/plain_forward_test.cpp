#include "infer/plain_forward.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rf {
namespace {

// One row of three cells, one channel everywhere: small enough to be computed by hand.
FoldedNetwork by_hand(Activation activation) {
  Architecture a{"hand", 1, 1, 3, 2, {}};
  a.network.blocks = 1;
  a.network.channels = a.network.policy_channels = a.network.value_channels = a.network.value_width = 1;
  a.network.activation = activation;
  a.network.batch_norm = false;
  const auto middle_row = [](float left, float center, float right) {
    return std::vector<float>{9, 9, 9, left, center, right, 9, 9, 9};  // the other rows are off the board
  };
  Weights w;
  w["stem.weight"] = middle_row(1, 2, 3);
  w["stem.bias"] = {-4};
  w["block0.conv1.weight"] = middle_row(0, 1, 0);
  w["block0.conv1.bias"] = {0};
  w["block0.conv2.weight"] = middle_row(1, 0, 0);
  w["block0.conv2.bias"] = {-1};
  w["policy.conv.weight"] = {1};
  w["policy.conv.bias"] = {0};
  w["value.conv.weight"] = {0.5};
  w["value.conv.bias"] = {0};
  w["policy.linear.weight"] = {1, 0, 0, 0, 10, 100};
  w["policy.linear.bias"] = {0, 0.5};
  w["value.hidden.weight"] = {1, 1, 1};
  w["value.hidden.bias"] = {-3};
  w["value.out.weight"] = {0.25};
  w["value.out.bias"] = {0.125};
  return {a, w};
}

TEST(PlainForward, IsWhatOneComputesByHand) {
  // planes 1 2 0: stem 2*1+3*2-4=4, 1*1+2*2-4=1, 1*2-4=-2 -> 4 1 0; conv1 the same; conv2 takes the left
  // neighbour: -1+0, -1+4, -1+1 = -1 3 0, with the skip 3 4 0.
  const std::vector<float> planes = {1, 2, 0};
  const PlainOutput out = plain_forward(by_hand(Activation::kRelu), planes);
  EXPECT_EQ(out.logits, (std::vector<float>{3, 40.5}));
  EXPECT_FLOAT_EQ(out.value, std::tanh(0.25f * 0.5f + 0.125f));  // hidden 1.5+2+0-3
}

TEST(PlainForward, EluKeepsWhatReluCuts) {
  const std::vector<float> planes = {1, 2, 0};
  const double cut = std::expm1(-2.0);                   // third cell of the stem
  const double inner = std::expm1(cut);                  // conv1
  const double x[3] = {3, 4, std::expm1(-1 + 1 + cut)};  // conv2 and skip: -1+1 from the left neighbour
  const PlainOutput out = plain_forward(by_hand(Activation::kElu), planes);
  EXPECT_NEAR(out.logits[0], x[0], 1e-6);
  EXPECT_NEAR(out.logits[1], 10 * x[1] + 100 * std::expm1(x[2]) + 0.5, 1e-4);
  EXPECT_LT(inner, 0);  // no right neighbour takes it
}

}  // namespace
}  // namespace rf
