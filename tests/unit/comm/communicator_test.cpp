#include "comm/communicator.h"

#include <gtest/gtest.h>

namespace rf {
namespace {

// What the rank tests ask of MPI on one rank, here without any MPI call.
TEST(LocalCommunicator, IsOneRank) {
  const Communicator ranks = Communicator::local();
  EXPECT_EQ(ranks.rank(), 0);
  EXPECT_EQ(ranks.size(), 1);
  EXPECT_EQ(ranks.local_rank(), 0);
  EXPECT_EQ(ranks.mpi_world(), nullptr);
}

TEST(LocalCommunicator, CollectivesReturnTheOwnValue) {
  const Communicator ranks = Communicator::local();
  ranks.barrier();
  std::string text = "same";
  ranks.broadcast(text);
  EXPECT_EQ(text, "same");
  EXPECT_EQ(ranks.gather("a"), std::vector<std::string>{"a"});
  EXPECT_EQ(ranks.sum(std::int64_t(5)), 5);
  EXPECT_EQ(ranks.sum(0.25), 0.25);
  EXPECT_EQ(ranks.max(std::int64_t(-5)), -5);
  EXPECT_EQ(ranks.max(-0.25), -0.25);
  std::vector<float> values{1, 2};
  ranks.sum_in_place(values);
  EXPECT_EQ(values, (std::vector<float>{1, 2}));
  EXPECT_TRUE(ranks.same_on_all_ranks(17));
}

}  // namespace
}  // namespace rf
