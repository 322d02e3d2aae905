#include "learn/train_curve.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace rf::testing {
namespace {

BatchStats numbered(int i) {
  BatchStats stats;
  stats.policy_loss = i;
  stats.value_loss = 2 * i;
  stats.target_entropy = 3 * i;
  stats.entropy = 4 * i;
  stats.top1 = 5 * i;
  stats.gradient_norm = 6 * i;
  stats.kl = 7 * i;
  stats.learning_rate = 8 * i;
  stats.steps = 2;
  return stats;
}

void expect_equal(const TrainCurve& a, const TrainCurve& b) {
  EXPECT_EQ(a.batches(), b.batches());
  EXPECT_EQ(a.to_numbers(), b.to_numbers());
  ASSERT_EQ(a.points().size(), b.points().size());
}

TEST(TrainCurve, PointsAreMeansOverStretches) {
  TrainCurve curve(40, 4);
  for (int i = 1; i <= 25; ++i) curve.add(numbered(i));
  ASSERT_EQ(curve.points().size(), 2u);  // stretches of 10, the third is not finished
  EXPECT_EQ(curve.points()[0].batches, 10);
  EXPECT_EQ(curve.points()[1].batches, 20);
  const BatchStats& mean = curve.points()[1].mean;  // of 11 .. 20
  EXPECT_DOUBLE_EQ(mean.policy_loss, 15.5);
  EXPECT_DOUBLE_EQ(mean.value_loss, 31);
  EXPECT_DOUBLE_EQ(mean.target_entropy, 46.5);
  EXPECT_DOUBLE_EQ(mean.entropy, 62);
  EXPECT_DOUBLE_EQ(mean.top1, 77.5);
  EXPECT_DOUBLE_EQ(mean.gradient_norm, 93);
  EXPECT_DOUBLE_EQ(mean.kl, 108.5);
  EXPECT_DOUBLE_EQ(mean.learning_rate, 124);
  EXPECT_EQ(mean.steps, 20);
  EXPECT_EQ(curve.batches(), 25);
  EXPECT_DOUBLE_EQ(curve.latest().policy_loss, 15.5);
}

TEST(TrainCurve, LatestIsTheMeanOfWhatThereIsBeforeTheFirstPoint) {
  TrainCurve curve(1000, 10);
  EXPECT_EQ(curve.latest().policy_loss, 0);
  curve.add(numbered(1));
  curve.add(numbered(4));
  EXPECT_TRUE(curve.points().empty());
  EXPECT_DOUBLE_EQ(curve.latest().policy_loss, 2.5);
}

TEST(TrainCurve, NumberOfPointsIsBounded) {
  for (int batches : {1, 7, 20, 39, 1000, 100003}) {
    TrainCurve curve(batches);
    for (int i = 0; i < batches; ++i) curve.add(numbered(1));
    EXPECT_GE(curve.points().size(), std::size_t(std::min(batches, 20))) << batches;
    EXPECT_LE(curve.points().size(), 40u) << batches;
  }
}

TEST(TrainCurve, RoundTripInTheMiddleOfAStretch) {
  TrainCurve whole(40, 4), cut(40, 4);
  for (int i = 1; i <= 37; ++i) {
    whole.add(numbered(i));
    cut.add(numbered(i));
    TrainCurve back;
    back.from_numbers(cut.to_numbers());
    expect_equal(back, cut);
    cut = back;
  }
  expect_equal(cut, whole);
}

TEST(TrainCurve, OddNumbersAreRefused) {
  TrainCurve curve(10);
  curve.add(numbered(1));
  const std::vector<float> good = curve.to_numbers();
  for (std::size_t n : {std::size_t(0), std::size_t(3), good.size() - 1}) {
    TrainCurve back;
    try {
      back.from_numbers({good.begin(), good.begin() + std::ptrdiff_t(n)});
      FAIL() << n << " numbers were taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kBadData);
      EXPECT_NE(std::string(error.what()).find(std::to_string(n) + " numbers"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace rf::testing
