#include "base/timer.h"

#include <gtest/gtest.h>

#include <regex>

namespace rf {
namespace {

TEST(Timer, GoesForward) {
  const Timer timer;
  const double cpu = cpu_seconds();
  double sum = 0;
  while (timer.seconds() < 0.02) sum += 1;
  EXPECT_GT(sum, 0);
  EXPECT_GE(timer.seconds(), 0.02);
  EXPECT_GE(cpu_seconds(), cpu);
}

TEST(UtcNow, IsIso8601) {
  EXPECT_TRUE(std::regex_match(utc_now(), std::regex(R"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ)"))) << utc_now();
}

}  // namespace
}  // namespace rf
