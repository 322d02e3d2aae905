// Which rows of every batch a rank of data-parallel training computes.
#pragma once

#include <cstdint>

#include "learn/config.h"

namespace rf {

struct BatchPart {
  std::int64_t first = 0;  // of the batch's rows
  std::int64_t rows = 0;   // at least 1
};

// Whole groups of batch norm, dealt as evenly as possible: rank r of n has the groups [r * G / n, (r+1) * G /
// n) of G. Without batch norm any rows. Throws Error(kBadConfig), saying what to change, when there are more
// ranks than groups.
BatchPart part_of_batch(const TrainConfig& config, bool batch_norm, int rank, int ranks);

}  // namespace rf
