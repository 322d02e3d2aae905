#include "comm/dealer.h"

#include <gtest/gtest.h>

namespace rf {
namespace {

TEST(LocalDealer, DealsAllItemsInOrder) {
  for (std::int64_t items : {0, 1, 2, 7, 100}) {
    for (std::int64_t block : {1, 4, 1000}) {
      Dealer dealer(Communicator::local(), items, block);
      std::vector<std::int64_t> dealt;
      for (int polls = 0; polls < 300; ++polls) {
        for (Dealt d = dealer.next(); d.state == Dealt::kItem; d = dealer.next()) dealt.push_back(d.item);
        dealer.poll();
      }
      EXPECT_EQ(dealer.next().state, Dealt::kNoMore);
      dealer.finish();
      EXPECT_FALSE(dealer.stopped());
      ASSERT_EQ(std::int64_t(dealt.size()), items);
      for (std::int64_t i = 0; i < items; ++i) EXPECT_EQ(dealt[std::size_t(i)], i);
    }
  }
}

TEST(LocalDealer, AStopDropsWhatWasNotHandedOut) {
  Dealer dealer(Communicator::local(), 100, 8);
  EXPECT_EQ(dealer.next().state, Dealt::kItem);
  dealer.request_stop();
  EXPECT_TRUE(dealer.stopped());
  EXPECT_EQ(dealer.next().state, Dealt::kNoMore);
  dealer.poll();
  EXPECT_EQ(dealer.next().state, Dealt::kNoMore);
  dealer.finish();
  EXPECT_TRUE(dealer.stopped());
}

TEST(LocalDealer, FinishBeforeTheEndIsAStop) {
  Dealer dealer(Communicator::local(), 2, 1);
  dealer.finish();
  EXPECT_TRUE(dealer.stopped());
}

TEST(LocalDealer, FewItemsAreInHandAhead) {
  // Not more than two blocks wait on a rank while others could work on them.
  Dealer dealer(Communicator::local(), 1000, 4);
  for (int i = 0; i < 10; ++i) dealer.poll();
  int at_hand = 0;
  while (dealer.next().state == Dealt::kItem) ++at_hand;
  EXPECT_GE(at_hand, 4);
  EXPECT_LE(at_hand, 8);
}

}  // namespace
}  // namespace rf
