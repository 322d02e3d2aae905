#include "learn/train_curve.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace rf {
namespace {

// The numbers of a BatchStats, one list for sums, means and checkpoints.
constexpr std::array kNumbers = {
    &BatchStats::policy_loss, &BatchStats::value_loss,   &BatchStats::target_entropy,
    &BatchStats::entropy,     &BatchStats::top1,         &BatchStats::gradient_norm,
    &BatchStats::kl,          &BatchStats::learning_rate};

BatchStats mean_of(const BatchStats& sum, std::int64_t n) {
  BatchStats mean = sum;
  for (auto number : kNumbers) mean.*number /= double(std::max<std::int64_t>(1, n));
  return mean;
}

}  // namespace

TrainCurve::TrainCurve(std::int64_t num_batches, int points)
    : stretch_(std::max<std::int64_t>(1, num_batches / points)) {}

void TrainCurve::add(const BatchStats& stats) {
  for (auto number : kNumbers) sum_.*number += stats.*number;
  sum_.steps += stats.steps;
  ++batches_;
  if (++in_stretch_ < stretch_) return;
  points_.push_back({batches_, mean_of(sum_, in_stretch_)});
  sum_ = {};
  in_stretch_ = 0;
}

BatchStats TrainCurve::latest() const {
  return points_.empty() ? mean_of(sum_, in_stretch_) : points_.back().mean;
}

std::vector<float> TrainCurve::to_numbers() const {
  std::vector<float> numbers = {float(stretch_), float(batches_), float(in_stretch_), float(sum_.steps)};
  for (auto number : kNumbers) numbers.push_back(float(sum_.*number));
  for (const CurvePoint& point : points_) {
    numbers.push_back(float(point.batches));
    numbers.push_back(float(point.mean.steps));
    for (auto number : kNumbers) numbers.push_back(float(point.mean.*number));
  }
  return numbers;
}

void TrainCurve::from_numbers(const std::vector<float>& numbers) {
  const std::size_t head = 4 + kNumbers.size(), row = 2 + kNumbers.size();
  if (numbers.size() < head || (numbers.size() - head) % row != 0) {
    fail(ExitCode::kBadData, "the checkpoint's metrics have " + std::to_string(numbers.size()) + " numbers");
  }
  std::size_t i = 0;
  const auto take = [&] { return double(numbers[i++]); };
  *this = TrainCurve();
  stretch_ = std::int64_t(take());
  batches_ = std::int64_t(take());
  in_stretch_ = std::int64_t(take());
  sum_.steps = int(take());
  for (auto number : kNumbers) sum_.*number = take();
  while (i < numbers.size()) {
    CurvePoint point;
    point.batches = std::int64_t(take());
    point.mean.steps = int(take());
    for (auto number : kNumbers) point.mean.*number = take();
    points_.push_back(point);
  }
}

}  // namespace rf
