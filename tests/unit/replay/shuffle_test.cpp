#include "replay/shuffle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/error.h"

namespace rf {
namespace {

std::vector<std::int64_t> take(Shuffle& shuffle, std::int64_t from, std::int64_t count) {
  std::vector<std::int64_t> rows;
  for (std::int64_t p = from; p < from + count; ++p) rows.push_back(shuffle.at(p));
  return rows;
}

TEST(Shuffle, EveryPassHasEveryRowOnceInAnotherOrder) {
  Shuffle shuffle(1000, 7, 3);
  std::set<std::vector<std::int64_t>> orders;
  for (int pass = 0; pass < 5; ++pass) {
    auto rows = take(shuffle, pass * 1000, 1000);
    orders.insert(rows);
    std::sort(rows.begin(), rows.end());
    for (std::int64_t i = 0; i < 1000; ++i) EXPECT_EQ(rows[std::size_t(i)], i);
  }
  EXPECT_EQ(orders.size(), 5u);
}

TEST(Shuffle, GoesOnFromAnyPosition) {
  Shuffle through(97, 1, 2);
  const auto all = take(through, 0, 500);
  for (std::int64_t from : {0, 1, 96, 97, 250, 499}) {
    Shuffle resumed(97, 1, 2);
    EXPECT_EQ(take(resumed, from, 500 - from), std::vector<std::int64_t>(all.begin() + from, all.end()));
  }
}

TEST(Shuffle, DependsOnSeedAndIteration) {
  Shuffle a(100, 1, 1), b(100, 2, 1), c(100, 1, 2), d(100, 1, 1);
  const auto first = take(a, 0, 100);
  EXPECT_NE(take(b, 0, 100), first);
  EXPECT_NE(take(c, 0, 100), first);
  EXPECT_EQ(take(d, 0, 100), first);
}

TEST(Shuffle, EveryRowComesFirstEquallyOften) {
  std::vector<int> first(5, 0);
  Shuffle shuffle(5, 11, 1);
  for (std::int64_t pass = 0; pass < 5000; ++pass) ++first[std::size_t(shuffle.at(5 * pass))];
  for (int count : first) EXPECT_NEAR(count, 1000, 130);  // 4.6 standard deviations
}

TEST(Shuffle, RefusesNoRows) {
  EXPECT_THROW(Shuffle(0, 1, 1), Error);
}

}  // namespace
}  // namespace rf
