#include "replay/shuffle.h"

#include <limits>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/random_stream.h"

namespace rf {

Shuffle::Shuffle(std::int64_t rows, std::uint64_t seed, int iteration) : seed_(seed), iteration_(iteration) {
  if (rows < 1 || rows > std::int64_t(std::numeric_limits<std::uint32_t>::max())) {
    fail(ExitCode::kInternal, "cannot shuffle " + std::to_string(rows) + " rows");
  }
  order_.resize(std::size_t(rows));
}

std::int64_t Shuffle::at(std::int64_t position) {
  RF_ASSERT(position >= 0);
  const std::int64_t rows = std::int64_t(order_.size());
  if (position / rows != pass_) {
    pass_ = position / rows;
    RandomStream stream =
        make_stream(seed_, std::uint64_t(iteration_), std::uint64_t(pass_), Purpose::kShuffle);
    std::iota(order_.begin(), order_.end(), 0u);
    for (std::size_t i = order_.size(); i > 1; --i)
      std::swap(order_[i - 1], order_[stream.below(std::uint32_t(i))]);
  }
  return order_[std::size_t(position % rows)];
}

}  // namespace rf
