// Checkpoints: everything that training needs to go on exactly, as one HDF5 file of named f32 tensors.
// While a candidate is trained the file holds the weights too; when it is finished, weights and the rest are
// two files of one set (network.h5 and training.h5, tied by the network's digest).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "learn/train_curve.h"
#include "learn/trainer.h"
#include "net/architecture.h"

namespace rf {

struct Checkpoint {
  std::string set_id;        // run, iteration and batch that it was taken at
  std::int64_t batches = 0;  // finished in this iteration
  double rate_multiplier = 1;
  OptimizerState optimizer;
  std::optional<Weights> weights;  // only while the candidate is being trained
  TrainCurve curve;                // metrics so far, only while the candidate is being trained
  std::string network_digest;      // of the finished set's network.h5, else empty
};

// Throws Error(kCannotWrite).
void write_checkpoint(const std::filesystem::path& path, const Architecture& architecture,
                      const Checkpoint& checkpoint);
// Throws Error(kBadData) when the file is damaged or belongs to another architecture.
Checkpoint read_checkpoint(const std::filesystem::path& path, const Architecture& architecture);

}  // namespace rf
