#include "base/error.h"

#include <gtest/gtest.h>

namespace rf {
namespace {

TEST(ErrorText, ProblemWhyHint) {
  EXPECT_EQ(error_text("cannot write a", "disk full", "free some space"),
            "cannot write a (disk full): free some space");
  EXPECT_EQ(error_text("cannot write a", "disk full", ""), "cannot write a (disk full)");
  EXPECT_EQ(error_text("cannot write a", "", "free some space"), "cannot write a: free some space");
  EXPECT_EQ(error_text("cannot write a", "", ""), "cannot write a");
}

TEST(Fail, CarriesCodeAndText) {
  try {
    fail(ExitCode::kBadData, "shard", "cut", "remove it");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadData);
    EXPECT_STREQ(error.what(), "shard (cut): remove it");
  }
}

TEST(FailSetting, CarriesTheKeyAndIsABadConfig) {
  try {
    fail_setting("game.line", "too long", "6x6");
    FAIL();
  } catch (const BadSetting& error) {
    EXPECT_EQ(error.key(), "game.line");
    EXPECT_EQ(error.code(), ExitCode::kBadConfig);
    EXPECT_STREQ(error.what(), "too long (6x6)");
  }
}

TEST(ExitCodes, AreThoseOfSysexits) {
  EXPECT_EQ(int(ExitCode::kDone), 0);
  EXPECT_EQ(int(ExitCode::kUsage), 64);
  EXPECT_EQ(int(ExitCode::kBadData), 65);
  EXPECT_EQ(int(ExitCode::kInputMissing), 66);
  EXPECT_EQ(int(ExitCode::kInternal), 70);
  EXPECT_EQ(int(ExitCode::kCannotWrite), 73);
  EXPECT_EQ(int(ExitCode::kTryAgain), 75);
  EXPECT_EQ(int(ExitCode::kBadConfig), 78);
}

TEST(Assertion, AbortsAndNamesThePlace) {
  EXPECT_DEATH(assertion_failed("a < b", "x.cpp", 7), "assertion failed: a < b \\(x.cpp:7\\)");
}

}  // namespace
}  // namespace rf
