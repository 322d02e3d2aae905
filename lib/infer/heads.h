// The linear layers of policy and value, in plain loops: of the policy only the actions that are asked for,
// which are few of many (40 of 2086 in Xiangqi). An answer does not depend on what else is asked.
#pragma once

#include <span>
#include <vector>

#include "net/architecture.h"

namespace rf {

class Heads {
 public:
  explicit Heads(const FoldedNetwork& network);

  // `features`: what the head's convolution gives for one position, [H, W, policy_channels].
  void logits(const float* features, std::span<const int> actions, std::span<float> logits);
  // Likewise, [H, W, value_channels]. After tanh.
  float value(const float* features);

 private:
  Activation activation_;
  std::vector<float> policy_weights_, policy_bias_;  // [A, inputs of the policy, padded]
  std::vector<float> hidden_weights_, hidden_bias_;  // [inputs of the value, value_width padded]
  std::vector<float> out_weights_;                   // [value_width]
  float out_bias_;
  std::vector<float> inputs_, hidden_;  // scratch
  std::size_t policy_inputs_, value_inputs_;
};

}  // namespace rf
