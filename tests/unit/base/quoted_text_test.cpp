#include "base/quoted_text.h"

#include <gtest/gtest.h>

namespace rf::testing {
namespace {

TEST(QuotedText, InQuotesIsShortAndPrintable) {
  EXPECT_EQ(in_quotes("h2e2"), "'h2e2'");
  EXPECT_EQ(in_quotes("炮二平五"), "'炮二平五'");
  EXPECT_EQ(in_quotes("a\n\x1b[2J\x7f\xff"),
            "'a?"
            "?[2J?"
            "?'");
  const std::string text = in_quotes(std::string(10000, 'x'));
  EXPECT_LT(text.size(), 50u);
  EXPECT_TRUE(text.ends_with("...'"));
}

TEST(QuotedText, ACutLeavesCharactersWhole) {
  for (std::size_t before = 0; before < 8; ++before) {
    const std::string word = std::string(before, 'a') + "炮炮炮炮炮炮炮炮";
    for (std::size_t limit = 1; limit < 40; ++limit) {
      const std::string text = in_quotes(word, limit);
      EXPECT_LE(text.size(), limit + 8);
      for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(utf8_length(rest))) {
        ASSERT_GT(utf8_length(rest), 0u) << text;
      }
    }
  }
}

}  // namespace
}  // namespace rf::testing
