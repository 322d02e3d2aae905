// Trainers of several ranks, here threads, against one trainer of the whole batch.
#include "learn/rank_share.h"

#include <gtest/gtest.h>

#include <barrier>
#include <cmath>
#include <limits>
#include <thread>

#include "base/error.h"
#include "learn/batch_part.h"
#include "learning_fixtures.h"

namespace rf::testing {
namespace {

constexpr int kRows = 24, kGroup = 4;

// Sums like an all-reduce: in the order of the ranks, the same on all.
class Adder {
 public:
  explicit Adder(int ranks) : barrier_(ranks), parts_(std::size_t(ranks)) {}
  void sum(int rank, std::span<float> values) {
    parts_[std::size_t(rank)].assign(values.begin(), values.end());
    if (rank == 0) ++sums_;
    barrier_.arrive_and_wait();
    std::fill(values.begin(), values.end(), 0.f);
    for (const auto& part : parts_) {
      ASSERT_EQ(part.size(), values.size());
      for (std::size_t i = 0; i < part.size(); ++i) values[i] += part[i];
    }
    barrier_.arrive_and_wait();
  }
  int sums() const { return sums_; }

 private:
  std::barrier<> barrier_;
  std::vector<std::vector<float>> parts_;
  int sums_ = 0;
};

BatchData rows_of(const BatchData& batch, const BatchPart& part) {
  const auto cut = [&](const std::vector<float>& all, std::int64_t width) {
    return std::vector<float>(all.begin() + part.first * width,
                              all.begin() + (part.first + part.rows) * width);
  };
  return {cut(batch.planes, 18), cut(batch.policy, 9), cut(batch.value, 1)};
}

struct Result {
  std::vector<BatchStats> stats;
  std::vector<RankWishes> agreed;
  Weights weights;
  OptimizerState state;
  double rate_multiplier = 1;
  std::uint64_t digest = 0;
  std::string error;
  int sums = 0;
};

class RankShareTest : public ::testing::Test {
 protected:
  RankShareTest() {
    torch::set_num_threads(1);
    config_.batch_size = kRows;
    config_.ghost_batch = kGroup;
    config_.learning_rate = 0.01;
  }

  // One result a rank.
  std::vector<Result> train(int ranks, int steps, const std::function<RankWishes(int)>& wishes = {}) const {
    Adder adder(ranks);
    std::vector<Result> results(std::size_t(ranks), Result{});
    const auto work = [&](int rank) {
      torch::set_num_threads(1);
      Result& result = results[std::size_t(rank)];
      const BatchPart part = part_of_batch(config_, architecture_.network.batch_norm, rank, ranks);
      RankShare share;
      share.of_batch = double(part.rows) / kRows;
      if (ranks > 1) share.sum_in_place = [&, rank](std::span<float> values) { adder.sum(rank, values); };
      if (wishes) share.wishes = [&, rank] { return wishes(rank); };
      Trainer trainer(architecture_, start_, config_, share);
      try {
        for (int i = 0; i < steps; ++i) {
          BatchData batch = random_batch(i, kRows);
          if (i == bad_batch_) batch.value[kRows - 1] = std::numeric_limits<float>::quiet_NaN();
          result.stats.push_back(train_on(trainer, rows_of(batch, part)));
          result.agreed.push_back(trainer.agreed());
        }
      } catch (const Error& error) {
        result.error = error.what();
      }
      result.weights = trainer.weights();
      result.state = trainer.optimizer_state();
      result.rate_multiplier = trainer.rate_multiplier();
      result.digest = trainer.digest();
      result.sums = adder.sums();
    };
    std::vector<std::thread> threads;
    for (int rank = 1; rank < ranks; ++rank) threads.emplace_back(work, rank);
    work(0);
    for (std::thread& thread : threads) thread.join();
    return results;
  }

  TrainConfig config_;
  Architecture architecture_ = small_architecture();
  Weights start_ = initial_weights(architecture_, 5);
  int bad_batch_ = -1;
};

double norm_of(const std::vector<float>& values) {
  double sum = 0;
  for (float value : values) sum += double(value) * value;
  return std::sqrt(sum);
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> difference(a);
  for (std::size_t i = 0; i < a.size(); ++i) difference[i] -= b[i];
  return norm_of(difference);
}

// With sgd the first momentum buffer is the gradient.
TEST_F(RankShareTest, GradientStatisticsAndLossesAreThoseOfTheWholeBatch) {
  config_.optimizer = OptimizerKind::kSgd;
  config_.weight_decay = 0;
  const Result one = train(1, 1)[0];
  ASSERT_GT(norm_of(one.state.first), 0.01);
  for (int ranks : {2, 3, 4, 6}) {  // with 4 the shares are uneven: 1, 2, 1 and 2 groups
    for (const Result& result : train(ranks, 1)) {
      EXPECT_LT(distance(result.state.first, one.state.first), 1e-5 * norm_of(one.state.first)) << ranks;
      for (const auto& [name, values] : one.weights) {
        EXPECT_LT(distance(result.weights.at(name), values), 1e-5 * norm_of(values) + 1e-7) << ranks << name;
      }
      const BatchStats &a = result.stats[0], &b = one.stats[0];
      EXPECT_NEAR(a.policy_loss, b.policy_loss, 1e-6);
      EXPECT_NEAR(a.value_loss, b.value_loss, 1e-6);
      EXPECT_NEAR(a.target_entropy, b.target_entropy, 1e-6);
      EXPECT_NEAR(a.entropy, b.entropy, 1e-6);
      EXPECT_NEAR(a.top1, b.top1, 1e-6);
      EXPECT_NEAR(a.gradient_norm, b.gradient_norm, 1e-5 * b.gradient_norm);
    }
  }
}

TEST_F(RankShareTest, AllRanksTakeTheSameStepsWithEveryKindOfThem) {
  for (OptimizerKind optimizer : {OptimizerKind::kSgd, OptimizerKind::kAdam, OptimizerKind::kAdamw}) {
    for (bool adaptive : {false, true}) {
      for (bool batch_norm : {true, false}) {
        config_.optimizer = optimizer;
        config_.schedule = adaptive ? Schedule::kKlAdaptive : Schedule::kConstant;
        config_.kl_target = 3e-3;
        config_.epochs_per_batch = 3;
        config_.clip_norm = 0.5;
        architecture_.network.batch_norm = batch_norm;
        start_ = initial_weights(architecture_, 5);
        SCOPED_TRACE(std::string(kOptimizerNames[int(optimizer)]) + (adaptive ? " adaptive" : "") +
                     (batch_norm ? " with BN" : " without BN"));
        const Result one = train(1, 8)[0];
        const std::vector<Result> three = train(3, 8);
        for (const Result& result : three) {
          EXPECT_EQ(result.digest, three[0].digest);
          EXPECT_EQ(result.weights, three[0].weights);
          EXPECT_EQ(result.rate_multiplier, one.rate_multiplier);
          EXPECT_EQ(result.state.steps, one.state.steps);
          for (std::size_t i = 0; i < one.stats.size(); ++i) {
            EXPECT_NEAR(result.stats[i].policy_loss, one.stats[i].policy_loss, 1e-4);
            EXPECT_NEAR(result.stats[i].value_loss, one.stats[i].value_loss, 1e-4);
            EXPECT_NEAR(result.stats[i].kl, one.stats[i].kl, 1e-4);
            EXPECT_EQ(result.stats[i].learning_rate, one.stats[i].learning_rate);
            EXPECT_EQ(result.stats[i].steps, one.stats[i].steps);
          }
          for (const auto& [name, values] : one.weights) {
            EXPECT_LT(distance(result.weights.at(name), values), 1e-3 * norm_of(values) + 1e-6) << name;
          }
        }
        // One sum a step; the adaptive schedule adds one number.
        EXPECT_EQ(three[0].sums, one.state.steps * (adaptive ? 2 : 1));
      }
    }
  }
}

TEST_F(RankShareTest, AGroupOfAllRowsTrainsAsWithoutGroups) {
  config_.ghost_batch = kRows;
  const Result ghost = train(1, 5)[0];
  config_.ghost_batch = 0;
  EXPECT_EQ(train(1, 5)[0].digest, ghost.digest);
  config_.ghost_batch = kGroup;
  EXPECT_NE(train(1, 5)[0].digest, ghost.digest);
}

TEST_F(RankShareTest, AWishOfOneRankReachesAll) {
  for (int ranks : {1, 3}) {
    for (int wisher = 0; wisher < ranks; ++wisher) {
      std::vector<int> asked(std::size_t(ranks), 0);
      const auto wishes = [&](int rank) {
        const int step = asked[std::size_t(rank)]++;
        return RankWishes{rank == wisher && step == 2, rank == wisher && step == 1};
      };
      for (const Result& result : train(ranks, 4, wishes)) {
        for (int step = 0; step < 4; ++step) {
          EXPECT_EQ(result.agreed[std::size_t(step)].stop, step == 2);
          EXPECT_EQ(result.agreed[std::size_t(step)].checkpoint, step == 1);
        }
      }
    }
  }
}

TEST_F(RankShareTest, AWishInAnyEpochOfTheBatchCounts) {
  config_.epochs_per_batch = 3;
  int asked = 0;
  const auto wishes = [&](int rank) { return RankWishes{rank == 1 && asked++ == 1, false}; };
  for (const Result& result : train(2, 2, wishes)) {
    EXPECT_TRUE(result.agreed[0].stop);
    EXPECT_FALSE(result.agreed[1].stop);
  }
}

TEST_F(RankShareTest, ABadRowOfOneRankEndsAllWithTheSameError) {
  bad_batch_ = 2;
  const std::vector<Result> results = train(3, 5);
  EXPECT_NE(results[0].error.find("diverged at step 3 "), std::string::npos) << results[0].error;
  for (const Result& result : results) {
    EXPECT_EQ(result.error, results[0].error);
    EXPECT_EQ(result.stats.size(), 2u);
  }
}

}  // namespace
}  // namespace rf::testing
