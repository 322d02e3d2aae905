#include "infer/plain_forward.h"

#include <cmath>

#include "base/error.h"
#include "infer/processors.h"

namespace rf {
namespace {

// sums[o] += x[i] * weights[i][o]
RF_FOR_EACH_PROCESSOR void add_products(const float* x, int in, const float* weights, int out, float* sums) {
  for (int i = 0; i < in; ++i) {
    const float xi = x[i];
    if (xi == 0) continue;
    const float* row = weights + std::size_t(i) * std::size_t(out);
    for (int o = 0; o < out; ++o) sums[o] += xi * row[o];
  }
}

class PlainPass {
 public:
  explicit PlainPass(const FoldedNetwork& network) : a_(network.architecture), weights_(network.weights) {}

  std::vector<float> convolve(const std::vector<float>& x, const ConvSpec& conv,
                              const std::vector<float>* skip = nullptr) const {
    const std::vector<float>& weight = weights_.at(conv.name + ".weight");  // [out, in, k, k]
    const std::vector<float>& bias = weights_.at(conv.name + ".bias");
    const int k = conv.kernel, taps = k * k;
    std::vector<float> turned(weight.size());  // [k*k, in, out]
    for (int o = 0; o < conv.out; ++o) {
      for (int i = 0; i < conv.in; ++i) {
        for (int t = 0; t < taps; ++t)
          turned[index(t, conv.in, i, conv.out, o)] = weight[index(o, conv.in, i, taps, t)];
      }
    }
    std::vector<float> y(std::size_t(a_.cells()) * std::size_t(conv.out));
    for (int row = 0; row < a_.rows; ++row) {
      for (int col = 0; col < a_.cols; ++col) {
        float* sums = &y[std::size_t(row * a_.cols + col) * std::size_t(conv.out)];
        for (int o = 0; o < conv.out; ++o) sums[o] = bias[std::size_t(o)];
        for (int t = 0; t < taps; ++t) {
          const int r = row + t / k - k / 2, c = col + t % k - k / 2;
          if (r < 0 || r >= a_.rows || c < 0 || c >= a_.cols) continue;
          add_products(&x[std::size_t(r * a_.cols + c) * std::size_t(conv.in)], conv.in,
                       &turned[index(t, conv.in, 0, conv.out, 0)], conv.out, sums);
        }
      }
    }
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = activate(y[i] + (skip ? (*skip)[i] : 0.f));
    return y;
  }

  // `x` in the order of the columns of the weights.
  std::vector<float> linear(const std::vector<float>& x, const std::string& name) const {
    const std::vector<float>& weight = weights_.at(name + ".weight");
    std::vector<float> y = weights_.at(name + ".bias");
    for (std::size_t o = 0; o < y.size(); ++o) {
      double sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i) sum += double(x[i]) * weight[o * x.size() + i];
      y[o] += float(sum);
    }
    return y;
  }

  float activate(float x) const {
    if (a_.network.activation == Activation::kElu) return x > 0 ? x : std::expm1(x);
    return x > 0 ? x : 0.f;
  }

  // [H*W, C] -> [C, H*W], the order in which a linear layer reads a convolution.
  std::vector<float> by_channel(const std::vector<float>& x) const {
    const std::size_t cells = std::size_t(a_.cells()), channels = x.size() / cells;
    std::vector<float> y(x.size());
    for (std::size_t k = 0; k < cells; ++k) {
      for (std::size_t c = 0; c < channels; ++c) y[c * cells + k] = x[k * channels + c];
    }
    return y;
  }

 private:
  static std::size_t index(int i, int size_j, int j, int size_k, int k) {
    return (std::size_t(i) * std::size_t(size_j) + std::size_t(j)) * std::size_t(size_k) + std::size_t(k);
  }

  const Architecture& a_;
  const Weights& weights_;
};

}  // namespace

PlainOutput plain_forward(const FoldedNetwork& network, std::span<const float> planes) {
  const Architecture& a = network.architecture;
  RF_ASSERT(!a.network.batch_norm && planes.size() == std::size_t(a.planes) * std::size_t(a.cells()));
  const PlainPass pass(network);
  const std::vector<ConvSpec> tower = tower_convs(a), heads = head_convs(a);
  std::vector<float> x(planes.begin(), planes.end());
  if (a.network.kind == NetworkKind::kPlain) {
    for (const ConvSpec& conv : tower) x = pass.convolve(x, conv);
  } else {
    x = pass.convolve(x, tower[0]);
    for (std::size_t i = 1; i + 1 < tower.size(); i += 2) {
      x = pass.convolve(pass.convolve(x, tower[i]), tower[i + 1], &x);
    }
  }
  PlainOutput out;
  out.logits = pass.linear(pass.by_channel(pass.convolve(x, heads[0])), "policy.linear");
  std::vector<float> hidden = pass.linear(pass.by_channel(pass.convolve(x, heads[1])), "value.hidden");
  for (float& h : hidden) h = pass.activate(h);
  out.value = std::tanh(pass.linear(hidden, "value.out")[0]);
  return out;
}

}  // namespace rf
