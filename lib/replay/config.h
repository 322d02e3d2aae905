// Keys of the config's `replay` section.
#pragma once

#include <array>
#include <string_view>

#include "base/describe.h"

namespace rf {

enum class DamagedShards { kRefuse, kSkip };
inline constexpr std::array<std::string_view, 2> kDamagedShardsNames = {"refuse", "skip"};

struct ReplayConfig {
  int window_iterations = 20;
  int max_unique_rows = 200000;
  int chunk_rows = 1024;
  int compression = 4;
  DamagedShards damaged_shards = DamagedShards::kRefuse;
  double value_discount = 1;
};

template <class V>
void describe(V& v, ReplayConfig& c) {
  v.number("window_iterations", c.window_iterations, 1, 1000000, "iterations",
           "training reads the shards of this many latest iterations");
  v.number("max_unique_rows", c.max_unique_rows, 1, 2000000000, "rows",
           "and at most this many unique rows (symmetric images not counted), the latest games first");
  v.number("value_discount", c.value_discount, 0.5, 1.0, "",
           "the value target is outcome * this^(plies to the end of the game): below 1 a near win is worth "
           "more than a far one, and play makes progress");
  v.number("chunk_rows", c.chunk_rows, 1, 1 << 20, "rows", "rows in one HDF5 chunk of a shard");
  v.number("compression", c.compression, 0, 9, "level",
           "deflate level of the shards; 0 stores them as they are");
  v.choice("damaged_shards", c.damaged_shards, kDamagedShardsNames,
           "what training does with a shard that cannot be read or is gone: refuse = stop and name it, skip "
           "= warn, "
           "count it and use the others");
}

}  // namespace rf
