#include "base/random_stream.h"

#include <cmath>

#include "base/error.h"

namespace rf {

double RandomStream::uniform() {
  return double(next() >> 11) * 0x1.0p-53;
}

std::uint32_t RandomStream::below(std::uint32_t bound) {
  RF_ASSERT(bound >= 1);
  // Lemire's multiply-shift with rejection.
  const std::uint32_t threshold = (0u - bound) % bound;
  for (;;) {
    const std::uint64_t product = (next() >> 32) * std::uint64_t(bound);
    if (std::uint32_t(product) >= threshold) return std::uint32_t(product >> 32);
  }
}

double RandomStream::normal() {
  // Box and Muller; the second value is thrown away so that a stream has no hidden state.
  const double u = 1.0 - uniform();
  const double v = uniform();
  return std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586 * v);
}

double RandomStream::gamma(double shape) {
  RF_ASSERT(shape > 0);
  if (shape < 1) {
    const double u = 1.0 - uniform();
    return gamma(shape + 1) * std::pow(u, 1 / shape);
  }
  const double d = shape - 1.0 / 3.0;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = normal();
    const double t = 1 + c * x;
    if (t <= 0) continue;
    const double v = t * t * t;
    const double u = 1.0 - uniform();
    if (std::log(u) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

void RandomStream::dirichlet(double alpha, std::span<float> out) {
  double sum = 0;
  for (float& x : out) {
    const double g = gamma(alpha);
    x = float(g);
    sum += g;
  }
  if (sum < 1e-30) {  // every draw underflowed (tiny alpha): the limit puts all mass on one entry
    const std::uint32_t winner = below(std::uint32_t(out.size()));
    for (float& x : out) x = 0;
    out[winner] = 1;
    return;
  }
  for (float& x : out) x = float(x / sum);
}

RandomStream make_stream(std::uint64_t run_seed, std::uint64_t iteration, std::uint64_t index,
                         Purpose purpose) {
  std::uint64_t key = combine64(run_seed, std::uint64_t(purpose));
  key = combine64(key, iteration);
  return RandomStream(combine64(key, index));
}

}  // namespace rf
