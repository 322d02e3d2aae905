// What a network is, without any library: the shapes of its tensors by name. Training, inference, the
// network file and every exporter build from this description.
//
//   input [B, C, H, W] -> tower of 3x3 convolutions (padding 1) -> trunk [B, T, H, W]
//   policy: 1x1 convolution -> [B, policy_channels*H*W] -> linear -> logits [B, A]
//   value:  1x1 convolution -> [B, value_channels*H*W] -> linear -> activation -> linear -> tanh -> [B, 1]
// Each convolution is followed by batch norm (if any) and the activation; in a residual block the second
// activation comes after the sum with the block's input.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "net/config.h"

namespace rf {

struct Architecture {
  std::string game_id;  // GameSpec::id
  int planes = 0, rows = 0, cols = 0;
  int num_actions = 0;
  NetworkConfig network;
  int cells() const { return rows * cols; }
  int trunk_channels() const;
  bool operator==(const Architecture&) const = default;
};

struct TensorSpec {
  std::string name;
  std::vector<std::int64_t> shape;
  bool trained;  // false: running statistics of batch norm
  std::int64_t size() const;
};

struct ConvSpec {
  std::string name;  // prefix of its tensors
  int in, out, kernel;
};

inline constexpr float kBatchNormEpsilon = 1e-5f;

// Tower convolutions in order: kind residual: "stem", then "block<i>.conv1", "block<i>.conv2";
// kind plain: "conv<i>". Then "policy.conv" and "value.conv".
std::vector<ConvSpec> tower_convs(const Architecture& a);
std::vector<ConvSpec> head_convs(const Architecture& a);

// Every tensor in file order. A convolution x has x.weight [out, in, k, k], and with batch norm
// x.bn.weight, x.bn.bias, x.bn.running_mean, x.bn.running_var [out], without it x.bias [out].
// Linear layers: policy.linear, value.hidden, value.out, each .weight [out, in] and .bias [out].
std::vector<TensorSpec> tensor_specs(const Architecture& a);

// Named f32 tensors, row-major.
using Weights = std::map<std::string, std::vector<float>>;

// He-normal convolutions and hidden layers, small output layers, from the stream of `seed`.
Weights initial_weights(const Architecture& a, std::uint64_t seed);

// Throws Error(kBadData) that names the first tensor that is missing, foreign, of another size, not finite,
// or a negative variance.
void check_weights(const Architecture& a, const Weights& weights, const std::string& origin);

// The same network with batch norm folded into the convolutions (inference only).
struct FoldedNetwork {
  Architecture architecture;  // batch_norm = false
  Weights weights;
};
FoldedNetwork fold_batch_norm(const Architecture& a, const Weights& weights);

std::int64_t count_parameters(const Architecture& a);
double mflops_per_evaluation(const Architecture& a);  // 2 * multiply-adds, padding counted

// "residual 2x32" or "plain 32-64-128"
std::string architecture_text(const Architecture& a);

}  // namespace rf
