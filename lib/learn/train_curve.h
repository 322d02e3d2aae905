// The metrics of a training run: means over stretches of batches, a bounded number of points.
#pragma once

#include <cstdint>
#include <vector>

#include "learn/trainer.h"

namespace rf {

struct CurvePoint {
  std::int64_t batches = 0;  // at the end of the stretch, counted in this iteration
  BatchStats mean;           // `steps` is the sum
};

class TrainCurve {
 public:
  // About `points` points over `num_batches` batches.
  explicit TrainCurve(std::int64_t num_batches = 1, int points = 20);
  void add(const BatchStats& stats);
  const std::vector<CurvePoint>& points() const { return points_; }
  // Mean over the last finished stretch, or over what there is.
  BatchStats latest() const;
  std::int64_t batches() const { return batches_; }

  // Flat numbers for a checkpoint, and back.
  std::vector<float> to_numbers() const;
  void from_numbers(const std::vector<float>& numbers);

 private:
  std::int64_t stretch_;
  std::int64_t batches_ = 0;
  std::int64_t in_stretch_ = 0;
  BatchStats sum_;
  std::vector<CurvePoint> points_;
};

}  // namespace rf
