// The contract of Dealer on every number of ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>

#include "base/random_stream.h"
#include "base/timer.h"
#include "comm/dealer.h"
#include "mpi/ranks.h"

namespace rf::test {
namespace {

void nap(int microseconds) {
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
}

// All ranks' items, sorted; at rank 0 only.
std::vector<std::int64_t> gathered(const std::vector<std::int64_t>& own) {
  std::ostringstream text;
  for (std::int64_t item : own) text << item << ' ';
  std::vector<std::int64_t> all;
  for (const std::string& part : world().gather(text.str())) {
    std::istringstream in(part);
    for (std::int64_t item; in >> item;) all.push_back(item);
  }
  std::sort(all.begin(), all.end());
  return all;
}

// Works with `slots` items in hand as self-play does; an item takes up to `longest_us`.
std::vector<std::int64_t> work(Dealer& dealer, int slots, std::uint64_t seed, std::uint32_t longest_us) {
  std::vector<std::int64_t> done, in_hand;
  RandomStream random(seed);
  for (bool more = true; more || !in_hand.empty();) {
    while (more && int(in_hand.size()) < slots) {
      const Dealt dealt = dealer.next();
      more = dealt.state != Dealt::kNoMore;
      if (dealt.state != Dealt::kItem) break;
      in_hand.push_back(dealt.item);
    }
    if (longest_us > 0) nap(int(random.below(longest_us)));
    if (!in_hand.empty()) {
      const std::size_t ready = random.below(std::uint32_t(in_hand.size()));
      done.push_back(in_hand[ready]);
      in_hand.erase(in_hand.begin() + std::ptrdiff_t(ready));
    }
    dealer.poll();
  }
  return done;
}

TEST(DealerRanks, EachItemOnceForManySizesAndSpeeds) {
  std::uint64_t round = 0;
  for (std::int64_t items : {0, 1, 2, 3, 5, 7, 8, 9, 31, 64, 100, 257}) {
    for (std::int64_t block : {1, 3, 16, 1000}) {
      for (int slots : {1, 8}) {
        Dealer dealer(world(), items, block);
        const std::uint64_t seed = combine64(++round, std::uint64_t(world().rank()));
        const auto done = work(dealer, slots, seed, round % 3 == 0 ? 0 : 20 + 200 * (world().rank() % 2));
        EXPECT_EQ(dealer.next().state, Dealt::kNoMore);
        dealer.finish();
        EXPECT_FALSE(dealer.stopped());
        EXPECT_EQ(dealer.next().state, Dealt::kNoMore);
        const auto all = gathered(done);
        if (world().rank() > 0) continue;
        ASSERT_EQ(std::int64_t(all.size()), items) << "block " << block << ", slots " << slots;
        for (std::int64_t i = 0; i < items; ++i) ASSERT_EQ(all[std::size_t(i)], i);
      }
    }
  }
}

TEST(DealerRanks, ABusyRankGetsFewItemsAndStallsNobody) {
  // Each rank in turn is busy for 400 ms with its first item; the others have 1 ms items.
  for (int busy = 0; busy < world().size(); ++busy) {
    world().barrier();
    const Timer timer;
    Dealer dealer(world(), 120, 4);
    std::vector<std::int64_t> done;
    double longest_wait = 0, waiting_since = -1;
    for (Dealt dealt = dealer.next(); dealt.state != Dealt::kNoMore; dealt = dealer.next()) {
      if (dealt.state == Dealt::kItem) {
        if (waiting_since >= 0) longest_wait = std::max(longest_wait, timer.seconds() - waiting_since);
        waiting_since = -1;
        nap(world().rank() == busy && done.empty() ? 400'000 : 1000);
        done.push_back(dealt.item);
      } else {
        if (waiting_since < 0) waiting_since = timer.seconds();
        nap(1000);
      }
      dealer.poll();
    }
    dealer.finish();
    const auto count = std::int64_t(done.size());
    EXPECT_EQ(world().sum(count), 120);
    if (world().size() == 1) continue;
    const bool is_busy = world().rank() == busy;
    if (busy > 0) {  // rank 0 serves while it plays, so the others go on
      const std::int64_t of_busy = world().max(is_busy ? count : 0);
      EXPECT_LT(of_busy, 120 / world().size()) << "the busy rank had too much";
      EXPECT_LT(world().max(longest_wait), 0.3);
    } else {
      world().max(is_busy ? count : 0);
    }
  }
}

TEST(DealerRanks, AStopOnAnyRankReachesAllWithinAFewPolls) {
  for (int stopper = 0; stopper < world().size(); ++stopper) {
    for (std::int64_t items :
         {std::int64_t(1) << 40, std::int64_t(40)}) {  // in the middle, and when all is dealt
      world().barrier();
      Dealer dealer(world(), items, 8);
      std::vector<std::int64_t> taken;
      const Timer timer;
      for (int polls = 0; !dealer.stopped(); ++polls) {  // with items left at hand on every rank
        if (taken.size() < 2) {
          const Dealt dealt = dealer.next();
          if (dealt.state == Dealt::kItem) taken.push_back(dealt.item);
        }
        if (world().rank() == stopper && polls == 5) dealer.request_stop();
        nap(2000);
        dealer.poll();
        ASSERT_LT(timer.seconds(), 20) << "the stop of rank " << stopper << " has not come";
      }
      EXPECT_EQ(dealer.next().state, Dealt::kNoMore);
      const double stop_seen = timer.seconds();
      dealer.finish();
      EXPECT_TRUE(dealer.stopped());
      EXPECT_EQ(dealer.next().state, Dealt::kNoMore);
      EXPECT_LT(world().max(stop_seen), 2.0);  // 6 rounds of 2 ms and two messages, on a loaded machine
      const auto all = gathered(taken);
      EXPECT_TRUE(std::adjacent_find(all.begin(), all.end()) == all.end()) << "an item was dealt twice";
    }
  }
}

TEST(DealerRanks, AllRanksMayAskForAStopAtOnce) {
  for (int round = 0; round < 50; ++round) {
    Dealer dealer(world(), 1000, 4);
    const int polls = round % 4;
    for (int i = 0; i < polls; ++i) dealer.poll();
    if ((round + world().rank()) % 3 != 1) dealer.request_stop();
    dealer.finish();
    EXPECT_TRUE(dealer.stopped());
  }
}

TEST(DealerRanks, AStopWhileWaitingInFinishIsSpread) {
  // The last rank plays on; the others wait in finish(), where rank 0 is told to stop.
  if (world().size() == 1) return;
  const int last = world().size() - 1;
  for (int told = 0; told < last; ++told) {
    world().barrier();
    Dealer dealer(world(), world().size(), 1);
    const Timer timer;
    bool stop_came = false;
    if (world().rank() == last) {
      while (!dealer.stopped() && timer.seconds() < 10) {
        nap(1000);
        dealer.poll();
      }
      stop_came = dealer.stopped();
      dealer.finish();
    } else {
      while (dealer.next().state != Dealt::kNoMore) {  // takes what comes, to the end
        nap(1000);
        dealer.poll();
        if (timer.seconds() > 1) break;
      }
      // `told` alone asks, a little later.
      dealer.finish([&] { return world().rank() == told && timer.seconds() > 0.05; });
    }
    EXPECT_TRUE(dealer.stopped());
    EXPECT_EQ(world().sum(std::int64_t(stop_came)), 1);
  }
}

TEST(DealerRanks, FinishBeforeTheEndIsAStop) {
  for (int early = 0; early < world().size(); ++early) {
    Dealer dealer(world(), 1 << 20, 4);
    if (world().rank() != early) {
      while (dealer.next().state != Dealt::kNoMore) {
        nap(500);
        dealer.poll();
      }
    }
    dealer.finish();
    EXPECT_TRUE(dealer.stopped());
  }
}

TEST(DealerRanks, WaitingCostsLittleProcessorTime) {
  // Rank 0 works for a second; the others wait in finish().
  Dealer dealer(world(), 0, 1);
  const double before = cpu_seconds();
  if (world().rank() == 0) {
    for (int i = 0; i < 100; ++i) {
      nap(10'000);
      dealer.poll();
    }
  }
  dealer.finish();
  EXPECT_LT(cpu_seconds() - before, 0.5);
}

TEST(DealerRanks, NoMessageIsLeftOver) {
  // Two dealers alive at once and others after them do not hear each other.
  Dealer first(world(), 50, 2), second(world(), 70, 3);
  const auto of_second = work(second, 4, 1, 50);
  const auto of_first = work(first, 4, 2, 50);
  first.finish();
  second.finish();
  EXPECT_EQ(world().sum(std::int64_t(of_first.size())), 50);
  EXPECT_EQ(world().sum(std::int64_t(of_second.size())), 70);
}

}  // namespace
}  // namespace rf::test
