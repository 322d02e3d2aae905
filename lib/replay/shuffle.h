// The order in which training sees the rows of a window: endless passes, each another permutation.
#pragma once

#include <cstdint>
#include <vector>

namespace rf {

// A function of (rows, seed, iteration) alone: a training that goes on from position p sees what it would
// have seen.
class Shuffle {
 public:
  // rows in [1, 2^32).
  Shuffle(std::int64_t rows, std::uint64_t seed, int iteration);

  // The row at `position` >= 0. Within a pass, positions [k * rows, (k + 1) * rows), every row comes once.
  // Cheap as long as positions stay in one pass.
  std::int64_t at(std::int64_t position);

 private:
  std::uint64_t seed_;
  int iteration_;
  std::int64_t pass_ = -1;            // whose permutation is in order_
  std::vector<std::uint32_t> order_;  // [rows]
};

}  // namespace rf
