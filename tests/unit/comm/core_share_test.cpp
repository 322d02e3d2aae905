#include "comm/core_share.h"

#include <gtest/gtest.h>

namespace rf {
namespace {

// C04, C05: a thread a core in every rank, or one thread for all.
TEST(CoreShare, CoresThatRanksHaveInCommonAreShared) {
  EXPECT_EQ(threads_for_each({{"a", {0, 1, 2, 3, 4, 5, 6, 7}}}), 8);
  // Not bound: four ranks may use all eight cores.
  const RankCores all{"a", {0, 1, 2, 3, 4, 5, 6, 7}};
  EXPECT_EQ(threads_for_each({all, all, all, all}), 2);
  EXPECT_EQ(threads_for_each({all, all, all}), 2);
  // Bound: each has its own.
  EXPECT_EQ(threads_for_each({{"a", {0, 1, 2, 3}}, {"a", {4, 5, 6, 7}}}), 4);
  // More ranks than cores.
  EXPECT_EQ(threads_for_each({{"a", {0}}, {"a", {0}}, {"a", {0}}}), 1);
}

TEST(CoreShare, OtherHostsHaveOtherCores) {
  const RankCores a{"a", {0, 1, 2, 3}}, b{"b", {0, 1, 2, 3}};
  EXPECT_EQ(threads_for_each({a, b}), 4);
  EXPECT_EQ(threads_for_each({a, b, b}), 2);  // equally many on all: the rank alone on its host waits
}

TEST(CoreShare, WithoutKnowledgeOneThread) {
  EXPECT_EQ(threads_for_each(std::vector<RankCores>{}), 1);
  EXPECT_EQ(threads_for_each({{"a", {}}, {"a", {}}}), 1);
}

TEST(CoreShare, OneRankHasWhatItMayUse) {
  EXPECT_GE(threads_for_each(Communicator::local()), 1);
}

}  // namespace
}  // namespace rf
