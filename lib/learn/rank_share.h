// Data-parallel training: each rank computes the loss of its rows of every batch, and what a step needs of
// all rows is summed over the ranks. Who sums, and what a rank is, is the caller's.
#pragma once

#include <functional>
#include <span>

namespace rf {

// What one rank wants all ranks to do after the batch.
struct RankWishes {
  bool stop = false;
  bool checkpoint = false;
};

// One rank's part. A fresh one is that of a trainer without others.
struct RankShare {
  double of_batch = 1;  // this rank's rows / rows of the batch; those of all ranks sum to 1
  // Elementwise over the ranks, in place: equal lengths, bit-equal results on all ranks. Empty: no others.
  std::function<void(std::span<float>)> sum_in_place = {};
  // Asked just before each sum. Empty: none.
  std::function<RankWishes()> wishes = {};
};

}  // namespace rf
