// The forward pass in plain loops, slow and without a library: what the backends are compared with at start.
#pragma once

#include <span>
#include <vector>

#include "net/architecture.h"

namespace rf {

struct PlainOutput {
  std::vector<float> logits;  // [A]
  float value = 0;            // after tanh
};

// planes [H, W, C]. The network's batch norm must be folded. About a tenth of the speed of the backends.
PlainOutput plain_forward(const FoldedNetwork& network, std::span<const float> planes);

}  // namespace rf
