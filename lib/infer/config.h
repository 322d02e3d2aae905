// Keys of the config's `inference` section.
#pragma once

#include <array>
#include <string_view>

#include "base/describe.h"

namespace rf {

enum class BackendKind { kAuto, kOnednn, kTorch };
inline constexpr std::array<std::string_view, 3> kBackendKindNames = {"auto", "onednn", "torch"};
enum class PrecisionKind { kAuto, kF32, kBf16 };
inline constexpr std::array<std::string_view, 3> kPrecisionKindNames = {"auto", "f32", "bf16"};

struct InferenceConfig {
  BackendKind backend = BackendKind::kAuto;
  PrecisionKind precision = PrecisionKind::kAuto;
};

template <class V>
void describe(V& v, InferenceConfig& c) {
  v.choice("backend", c.backend, kBackendKindNames,
           "what evaluates the network in play: auto = onednn, and torch where onednn has no fast kernel for "
           "the network");
  v.choice(
      "precision", c.precision, kPrecisionKindNames,
      "of weights and activations in play: auto = bf16 where the processor gains by it (AMX, or AVX-512 BF16 "
      "of AMD), else f32; training does not change");
}

}  // namespace rf
