#include "infer/heads.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "infer/processors.h"

namespace rf {
namespace {

constexpr std::size_t kLanes = 16;
// Sixteen floats anywhere in memory; narrower processors take them in parts.
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float)), aligned(alignof(float)), may_alias));
using Half = float __attribute__((vector_size(32)));
using Quarter = float __attribute__((vector_size(16)));

std::size_t padded(std::size_t n) {
  return (n + kLanes - 1) / kLanes * kLanes;
}

// out[i] = x . rows[i], n values each, a multiple of kLanes.
RF_FOR_EACH_PROCESSOR void four_products(const float* x, std::size_t n, const float* const rows[4],
                                         float out[4]) {
  Lanes sums[4] = {};
  for (std::size_t k = 0; k < n; k += kLanes) {
    const Lanes part = *reinterpret_cast<const Lanes*>(x + k);
    for (int i = 0; i < 4; ++i) sums[i] += part * *reinterpret_cast<const Lanes*>(rows[i] + k);
  }
  Quarter quarters[4];
  for (int i = 0; i < 4; ++i) {
    const Lanes s = sums[i];
    const Half half = __builtin_shufflevector(s, s, 0, 1, 2, 3, 4, 5, 6, 7) +
                      __builtin_shufflevector(s, s, 8, 9, 10, 11, 12, 13, 14, 15);
    quarters[i] =
        __builtin_shufflevector(half, half, 0, 1, 2, 3) + __builtin_shufflevector(half, half, 4, 5, 6, 7);
  }
  for (int i = 0; i < 4; ++i) out[i] = (quarters[i][0] + quarters[i][1]) + (quarters[i][2] + quarters[i][3]);
}

// sums[j] += x[k] * weights[k][j], `width` of them, a multiple of kLanes.
RF_FOR_EACH_PROCESSOR void add_columns(const float* x, std::size_t n, const float* weights, std::size_t width,
                                       float* sums) {
  constexpr std::size_t kAtOnce = 4;
  std::size_t j = 0;
  for (; j + kAtOnce * kLanes <= width; j += kAtOnce * kLanes) {
    Lanes block[kAtOnce];
    for (std::size_t b = 0; b < kAtOnce; ++b)
      block[b] = *reinterpret_cast<const Lanes*>(sums + j + b * kLanes);
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t b = 0; b < kAtOnce; ++b)
        block[b] += x[k] * *reinterpret_cast<const Lanes*>(weights + k * width + j + b * kLanes);
    }
    for (std::size_t b = 0; b < kAtOnce; ++b) *reinterpret_cast<Lanes*>(sums + j + b * kLanes) = block[b];
  }
  for (; j < width; j += kLanes) {
    Lanes block = *reinterpret_cast<const Lanes*>(sums + j);
    for (std::size_t k = 0; k < n; ++k)
      block += x[k] * *reinterpret_cast<const Lanes*>(weights + k * width + j);
    *reinterpret_cast<Lanes*>(sums + j) = block;
  }
}

}  // namespace

Heads::Heads(const FoldedNetwork& network) {
  const Architecture& a = network.architecture;
  const Weights& weights = network.weights;
  activation_ = a.network.activation;
  const std::size_t cells = std::size_t(a.cells()), width = std::size_t(a.network.value_width);
  const auto transposed = [&](const std::vector<float>& matrix, std::size_t channels, const auto& place) {
    // Columns of the network go by [C, H, W], features by [H, W, C].
    const std::size_t columns = channels * cells, rows = matrix.size() / columns;
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < channels; ++c) {
        for (std::size_t k = 0; k < cells; ++k)
          place(r, k * channels + c) = matrix[r * columns + c * cells + k];
      }
    }
  };
  policy_inputs_ = cells * std::size_t(a.network.policy_channels);
  value_inputs_ = cells * std::size_t(a.network.value_channels);
  policy_weights_.resize(std::size_t(a.num_actions) * padded(policy_inputs_));
  transposed(weights.at("policy.linear.weight"), std::size_t(a.network.policy_channels),
             [&](std::size_t r, std::size_t k) -> float& {
               return policy_weights_[r * padded(policy_inputs_) + k];
             });
  policy_bias_ = weights.at("policy.linear.bias");
  hidden_weights_.resize(value_inputs_ * padded(width));
  transposed(weights.at("value.hidden.weight"), std::size_t(a.network.value_channels),
             [&](std::size_t r, std::size_t k) -> float& { return hidden_weights_[k * padded(width) + r]; });
  hidden_bias_ = weights.at("value.hidden.bias");
  hidden_bias_.resize(padded(width));
  out_weights_ = weights.at("value.out.weight");
  out_bias_ = weights.at("value.out.bias")[0];
  inputs_.resize(padded(policy_inputs_));
  hidden_.resize(padded(width));
}

void Heads::logits(const float* features, std::span<const int> actions, std::span<float> logits) {
  RF_ASSERT(actions.size() == logits.size());
  std::copy_n(features, policy_inputs_, inputs_.begin());
  for (std::size_t i = 0; i < actions.size(); i += 4) {
    const float* rows[4];
    float products[4];
    for (std::size_t j = 0; j < 4; ++j) {
      const int action = actions[std::min(i + j, actions.size() - 1)];
      rows[j] = &policy_weights_[std::size_t(action) * inputs_.size()];
    }
    four_products(inputs_.data(), inputs_.size(), rows, products);
    for (std::size_t j = i; j < std::min(i + 4, actions.size()); ++j)
      logits[j] = products[j - i] + policy_bias_[std::size_t(actions[j])];
  }
}

float Heads::value(const float* features) {
  hidden_ = hidden_bias_;
  add_columns(features, value_inputs_, hidden_weights_.data(), hidden_.size(), hidden_.data());
  float sum = out_bias_;
  for (std::size_t i = 0; i < out_weights_.size(); ++i) {
    const float h = hidden_[i];
    const float active = h > 0 ? h : activation_ == Activation::kElu ? std::expm1(h) : 0.f;
    sum += active * out_weights_[i];
  }
  return std::tanh(sum);
}

}  // namespace rf
