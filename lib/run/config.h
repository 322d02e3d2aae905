// Keys of the config's `run` section.
#pragma once

#include <cstdint>

#include "base/describe.h"

namespace rf {

struct RunSettings {
  std::uint64_t seed = 1;
  double progress_seconds = 5;
};

template <class V>
void describe(V& v, RunSettings& c) {
  v.number("seed", c.seed, std::uint64_t(0), std::uint64_t(1) << 53, "",
           "every random number of the run follows from it");
  v.number("progress_seconds", c.progress_seconds, 0.1, 3600.0, "s", "time between progress lines");
}

}  // namespace rf
