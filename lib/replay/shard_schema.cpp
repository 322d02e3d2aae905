#include "replay/shard_schema.h"

#include "base/error.h"

namespace rf {

H5Dims shard_dims(std::string_view shape, const ShardLengths& lengths) {
  H5Dims dims;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto length = [&](char letter) -> std::int64_t {
      switch (letter) {
        case 'N':
          return lengths.n;
        case 'M':
          return lengths.m;
        case 'B':
          return lengths.b;
        case 'S':
          return lengths.s;
        case 'G':
          return lengths.g;
        case 'P':
          return lengths.p;
        case 'Q':
          return lengths.q;
        case 'K':
          return lengths.k;
        case 'L':
          return lengths.l;
        case 'A':
          return lengths.a;
      }
      fail(ExitCode::kInternal, "the schema of shards has an unknown length");
    };
    if (shape[i] == ',' || shape[i] == ' ') continue;
    if (shape[i] == '+') {
      dims.back() += shape[++i] - '0';
    } else {
      dims.push_back(length(shape[i]));
    }
  }
  return dims;
}

const ShardDataset& shard_dataset(std::string_view name) {
  for (const ShardDataset& dataset : kShardDatasets) {
    if (dataset.name == name) return dataset;
  }
  fail(ExitCode::kInternal, "the schema of shards has no dataset " + std::string(name));
}

}  // namespace rf
