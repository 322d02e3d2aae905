#include "base/random_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace rf {
namespace {

struct Moments {
  double mean = 0, variance = 0;
};
template <class Draw>
Moments moments(int n, Draw draw) {
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    const double x = draw();
    sum += x;
    squares += x * x;
  }
  return {sum / n, squares / n - (sum / n) * (sum / n)};
}

// The published reference generator, seeded with 0 and 1234567.
TEST(RandomStream, IsSplitMix64) {
  RandomStream zero(0);
  EXPECT_EQ(zero.next(), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(zero.next(), 0x6e789e6aa1b965f4ULL);
  EXPECT_EQ(zero.next(), 0x06c45d188009454fULL);
  RandomStream other(1234567);
  EXPECT_EQ(other.next(), 6457827717110365317ULL);
  EXPECT_EQ(other.next(), 3203168211198807973ULL);
}

TEST(RandomStream, SeekGoesToAnyPlace) {
  RandomStream stream(9);
  std::vector<std::uint64_t> numbers;
  for (int i = 0; i < 10; ++i) numbers.push_back(stream.next());
  EXPECT_EQ(stream.counter(), 10u);
  for (std::uint64_t i : {7u, 0u, 3u}) {
    stream.seek(i);
    EXPECT_EQ(stream.next(), numbers[i]);
  }
}

TEST(RandomStream, UniformIsUniform) {
  RandomStream stream(1);
  std::vector<int> bins(20);
  for (int i = 0; i < 200'000; ++i) {
    const double u = stream.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    ++bins[std::size_t(u * 20)];
  }
  double chi2 = 0;
  for (int n : bins) chi2 += (n - 10'000.0) * (n - 10'000.0) / 10'000.0;
  EXPECT_LT(chi2, 43.8) << "19 degrees of freedom, 1 in 1000";
}

TEST(RandomStream, BelowReachesAllAndNoMore) {
  RandomStream stream(2);
  for (std::uint32_t bound : {1u, 2u, 3u, 7u, 361u}) {
    std::vector<int> counts(bound);
    for (std::uint32_t i = 0; i < 1000 * bound; ++i) {
      const std::uint32_t x = stream.below(bound);
      ASSERT_LT(x, bound);
      ++counts[x];
    }
    double chi2 = 0;
    for (int n : counts) chi2 += (n - 1000.0) * (n - 1000.0) / 1000.0;
    EXPECT_LT(chi2, bound + 4 * std::sqrt(2.0 * bound)) << bound;
  }
}

// Of 2^32 inputs, 3 * 2^30 outputs: without rejection every third output comes twice as often.
TEST(RandomStream, BelowHasNoBiasForLargeBounds) {
  RandomStream stream(3);
  int third = 0;
  for (int i = 0; i < 30'000; ++i) third += stream.below(3u << 30) % 3 == 0;
  EXPECT_NEAR(third, 10'000, 400);
}

TEST(RandomStream, NormalHasItsMomentsAndTails) {
  RandomStream stream(4);
  const Moments m = moments(200'000, [&] { return stream.normal(); });
  EXPECT_NEAR(m.mean, 0, 0.01);
  EXPECT_NEAR(m.variance, 1, 0.02);
  const Moments tail = moments(200'000, [&] { return std::fabs(stream.normal()) > 1.959964 ? 1.0 : 0.0; });
  EXPECT_NEAR(tail.mean, 0.05, 0.003);
}

TEST(RandomStream, GammaHasItsMoments) {
  RandomStream stream(5);
  for (double shape : {0.05, 0.3, 1.0, 2.5, 40.0}) {
    const Moments m = moments(200'000, [&] { return stream.gamma(shape); });
    EXPECT_NEAR(m.mean, shape, 0.02 * std::max(shape, 0.3)) << shape;
    EXPECT_NEAR(m.variance, shape, 0.05 * std::max(shape, 0.3)) << shape;
  }
}

TEST(RandomStream, DirichletSumsToOneWithItsMeanAndVariance) {
  RandomStream stream(6);
  for (double alpha : {0.03, 0.3, 1.0, 10.0}) {
    constexpr int kEntries = 10, kDraws = 40'000;
    std::vector<float> draw(kEntries);
    double squares = 0;
    std::vector<double> sums(kEntries);
    for (int i = 0; i < kDraws; ++i) {
      stream.dirichlet(alpha, draw);
      double total = 0;
      for (int k = 0; k < kEntries; ++k) {
        ASSERT_GE(draw[std::size_t(k)], 0);
        total += draw[std::size_t(k)];
        sums[std::size_t(k)] += draw[std::size_t(k)];
        squares += double(draw[std::size_t(k)]) * draw[std::size_t(k)];
      }
      ASSERT_NEAR(total, 1, 1e-5);
    }
    for (double sum : sums) EXPECT_NEAR(sum / kDraws, 0.1, 0.008) << alpha;
    const double variance = squares / (kDraws * kEntries) - 0.01;
    const double expected = (kEntries - 1.0) / (kEntries * kEntries * (kEntries * alpha + 1));
    EXPECT_NEAR(variance, expected, 0.04 * expected) << alpha;
  }
}

TEST(RandomStream, DirichletOfTinyAlphaPutsAllOnOneEntryChosenEvenly) {
  RandomStream stream(7);
  for (double alpha : {1e-3, 1e-5, 1e-12}) {
    std::vector<int> winners(4);
    for (int i = 0; i < 2000; ++i) {
      std::vector<float> draw(4, NAN);
      stream.dirichlet(alpha, draw);
      float total = 0;
      for (float x : draw) total += x;
      ASSERT_NEAR(total, 1, 1e-5) << alpha;
      ++winners[std::size_t(std::max_element(draw.begin(), draw.end()) - draw.begin())];
    }
    for (int n : winners) EXPECT_NEAR(n, 500, 100) << alpha;
  }
}

TEST(RandomStream, DirichletOfOneEntryIsOne) {
  RandomStream stream(8);
  std::vector<float> draw(1);
  stream.dirichlet(0.3, draw);
  EXPECT_EQ(draw[0], 1);
}

TEST(MakeStream, EachArgumentMakesAnotherStream) {
  std::set<std::uint64_t> keys;
  int made = 0;
  for (std::uint64_t seed : {0ULL, 1ULL, ~0ULL}) {
    for (std::uint64_t iteration : {0ULL, 1ULL, 2ULL}) {
      for (std::uint64_t index : {0ULL, 1ULL, 2ULL, 1ULL << 40}) {
        for (Purpose purpose : {Purpose::kSelfPlay, Purpose::kSymmetry, Purpose::kTest}) {
          keys.insert(make_stream(seed, iteration, index, purpose).key());
          ++made;
        }
      }
    }
  }
  EXPECT_EQ(int(keys.size()), made);
  EXPECT_EQ(make_stream(1, 2, 3, Purpose::kMatch).next(), make_stream(1, 2, 3, Purpose::kMatch).next());
}

// The numbers of shards and networks on disk hang on these; a change makes old runs unrepeatable.
TEST(MakeStream, NumbersAreKept) {
  EXPECT_EQ(make_stream(1, 2, 3, Purpose::kSelfPlay).next(), 5624614632454138891ULL);
}

TEST(MakeStream, NeighboursAreUncorrelated) {
  double sum = 0;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    sum += (make_stream(1, 0, i, Purpose::kTest).uniform() - 0.5) *
           (make_stream(1, 0, i + 1, Purpose::kTest).uniform() - 0.5);
  }
  EXPECT_NEAR(sum / 20'000 * 12, 0, 0.03);
}

TEST(Combine64, OrderMatters) {
  EXPECT_NE(combine64(1, 2), combine64(2, 1));
  EXPECT_NE(combine64(0, 0), 0u);
}

}  // namespace
}  // namespace rf
