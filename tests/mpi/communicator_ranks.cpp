// The contract of Communicator on every number of ranks; the tests state what local() does on one.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "comm/communicator.h"
#include "comm/core_share.h"
#include "mpi/ranks.h"

namespace rf::test {
namespace {

// On one rank the same lines are run with local(): both must do the same.
std::vector<Communicator> both_kinds() {
  std::vector<Communicator> kinds{world()};
  if (world().size() == 1) kinds.push_back(Communicator::local());
  return kinds;
}

TEST(CommunicatorRanks, SizeIsWhatTheLauncherAnnounced) {
  const char* announced = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (announced) {
    EXPECT_EQ(world().size(), std::atoi(announced));
  }
  EXPECT_NE(world().mpi_world(), nullptr);
  EXPECT_GE(world().rank(), 0);
  EXPECT_LT(world().rank(), world().size());
}

TEST(CommunicatorRanks, LocalRanksOfOneHostAreDistinct) {
  const auto texts = world().gather(std::to_string(world().local_rank()));
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(texts[i], std::to_string(i));
}

TEST(CommunicatorRanks, ThreadsForEachAreTheSameOnAll) {
  for (const Communicator& ranks : both_kinds()) {
    const int threads = threads_for_each(ranks);
    EXPECT_GE(threads, 1);
    EXPECT_TRUE(ranks.same_on_all_ranks(std::uint64_t(threads)));
  }
}

TEST(CommunicatorRanks, SumsAndMaxima) {
  for (const Communicator& ranks : both_kinds()) {
    const std::int64_t n = ranks.size();
    const std::int64_t big = std::int64_t(1) << 53;  // a double would lose the 1
    EXPECT_EQ(ranks.sum(big + 1 + ranks.rank()), n * (big + 1) + n * (n - 1) / 2);
    EXPECT_DOUBLE_EQ(ranks.sum(0.5 + ranks.rank()), 0.5 * double(n) + double(n * (n - 1) / 2));
    EXPECT_EQ(ranks.max(std::int64_t(-7) - ranks.rank()), -7);
    EXPECT_EQ(ranks.max(-7.5 + ranks.rank()), -7.5 + double(n - 1));
  }
}

TEST(CommunicatorRanks, SumInPlaceIsBitEqualOnAllRanks) {
  for (const Communicator& ranks : both_kinds()) {
    std::vector<float> values(1003);
    std::vector<double> expected(values.size(), 0);
    for (int rank = 0; rank < ranks.size(); ++rank) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        const float value = std::sin(float(i) * 0.37f + float(rank));
        if (rank == ranks.rank()) values[i] = value;
        expected[i] += double(value);
      }
    }
    ranks.sum_in_place(values);
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-6 * ranks.size());
    std::uint64_t digest = 0;
    for (float value : values) digest = digest * 31 + std::uint64_t(std::int64_t(double(value) * 1e15));
    EXPECT_TRUE(ranks.same_on_all_ranks(digest));
    ranks.sum_in_place({});
  }
}

TEST(CommunicatorRanks, BroadcastAndGatherKeepAllBytes) {
  for (const Communicator& ranks : both_kinds()) {
    const std::string all_bytes = [] {
      std::string text;
      for (int byte = 0; byte < 256; ++byte) text.push_back(char(byte));
      return text;
    }();
    for (const std::string& original : {std::string(), all_bytes, std::string(3'000'000, 'x')}) {
      std::string text = ranks.rank() == 0 ? original : "something of another length";
      ranks.broadcast(text);
      EXPECT_EQ(text, original);
    }
    std::int64_t value = ranks.rank() == 0 ? -5 : ranks.rank();
    ranks.broadcast(value);
    EXPECT_EQ(value, -5);

    // Rank r sends r * 100 000 bytes, rank 0 none.
    const auto texts =
        ranks.gather(std::string(std::size_t(ranks.rank()) * 100'000, char('a' + ranks.rank())));
    ASSERT_EQ(texts.size(), ranks.rank() == 0 ? std::size_t(ranks.size()) : 0);
    for (std::size_t i = 0; i < texts.size(); ++i)
      EXPECT_EQ(texts[i], std::string(i * 100'000, char('a' + i)));
  }
}

TEST(CommunicatorRanks, OneDifferentDigestIsSeenByAll) {
  for (const Communicator& ranks : both_kinds()) {
    for (std::uint64_t digest : {std::uint64_t(0), ~std::uint64_t(0), std::uint64_t(1) << 63}) {
      EXPECT_TRUE(ranks.same_on_all_ranks(digest));
      for (int odd = 0; odd < ranks.size(); ++odd) {
        EXPECT_EQ(ranks.same_on_all_ranks(ranks.rank() == odd ? digest ^ 1 : digest), ranks.size() == 1);
      }
    }
    ranks.barrier();
  }
}

}  // namespace
}  // namespace rf::test
