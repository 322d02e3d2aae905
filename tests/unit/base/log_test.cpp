#include "base/log.h"

#include <gtest/gtest.h>

#include <climits>
#include <clocale>
#include <cmath>
#include <locale>

namespace rf {
namespace {

// Groups of three with a dot, a comma for the point: what a German user's environment asks for.
struct ForeignNumbers : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

class ForeignLocale {
 public:
  ForeignLocale() : before_(std::locale::global(std::locale(std::locale::classic(), new ForeignNumbers))) {
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "pl_PL.UTF-8"}) {
      if (std::setlocale(LC_ALL, name)) break;  // where the system has one, the C library's too
    }
  }
  ~ForeignLocale() {
    std::locale::global(before_);
    std::setlocale(LC_ALL, "C");
  }

 private:
  std::locale before_;
};

void expect_numbers() {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1 000");
  EXPECT_EQ(grouped(-1234567), "-1 234 567");
  EXPECT_EQ(grouped(-999), "-999");
  EXPECT_EQ(grouped(LLONG_MIN), "-9 223 372 036 854 775 808");
  EXPECT_EQ(fixed(0.1234, 3), "0.123");
  EXPECT_EQ(fixed(1234.5678, 2), "1234.57");
  EXPECT_EQ(fixed(-0.05, 2), "-0.05");
  EXPECT_EQ(fixed(-0.001, 2), "0.00");
  EXPECT_EQ(fixed(0.999, 2), "1.00");
  EXPECT_EQ(fixed(2.6, 0), "3");
  EXPECT_EQ(fixed(1e22, 1), "10000000000000000000000.0");
  EXPECT_EQ(fixed(NAN, 2), "nan");
  EXPECT_EQ(fixed(-INFINITY, 2), "-inf");
  EXPECT_EQ(fixed(INFINITY, 2), "inf");
}

TEST(LogText, Numbers) {
  expect_numbers();
}

TEST(LogText, NumbersDoNotFollowTheLocale) {
  const ForeignLocale foreign;
  expect_numbers();
}

TEST(LogText, Duration) {
  EXPECT_EQ(duration(0), "0 s");
  EXPECT_EQ(duration(12.4), "12 s");
  EXPECT_EQ(duration(59.6), "1 min 00 s");
  EXPECT_EQ(duration(185), "3 min 05 s");
  EXPECT_EQ(duration(3720), "1 h 02 min");
  EXPECT_EQ(duration(360000), "100 h 00 min");
  EXPECT_EQ(duration(-5), "0 s");
  EXPECT_EQ(duration(NAN), "0 s");
}

template <class Call>
std::string stderr_of(Call call) {
  ::testing::internal::CaptureStderr();
  call();
  return ::testing::internal::GetCapturedStderr();
}

TEST(Log, LevelsAndRanks) {
  const auto all = [] {
    log_debug("d");
    log_info("i");
    log_warning("w");
    log_error("e");
  };
  set_log(LogLevel::kQuiet, 0);
  EXPECT_EQ(stderr_of(all), "warning: w\nerror: e\n");
  set_log(LogLevel::kInfo, 0);
  EXPECT_EQ(stderr_of(all), "i\nwarning: w\nerror: e\n");
  set_log(LogLevel::kDebug, 3);
  EXPECT_EQ(stderr_of(all), "[rank 3] debug: d\n[rank 3] i\n[rank 3] warning: w\n[rank 3] error: e\n");
  set_log(LogLevel::kInfo, 0);
}

TEST(Progress, ShowsCountRateAndEtaInAForeignLocaleToo) {
  const ForeignLocale foreign;
  Progress progress("self-play", "games", 2000, 0);
  const std::string line = stderr_of([&] { progress.show(1500, "loss 0.5"); });
  EXPECT_TRUE(line.starts_with("self-play: 1 500 of 2 000 games (75 %), ")) << line;
  EXPECT_NE(line.find(" games/s, ETA 0 s, loss 0.5\n"), std::string::npos) << line;
}

TEST(Progress, KeepsItsInterval) {
  Progress progress("train", "steps", 10, 3600);
  EXPECT_FALSE(progress.due());
  EXPECT_EQ(stderr_of([&] { progress.show(5); }), "");
}

TEST(Progress, RateCountsOnlyWhatThisProcessDid) {
  Progress progress("self-play", "games", 100, 0);
  progress.set_before(50);
  const std::string line = stderr_of([&] { progress.show(50); });
  EXPECT_NE(line.find("50 of 100 games (50 %), 0.0 games/s\n"), std::string::npos) << line;
}

}  // namespace
}  // namespace rf
