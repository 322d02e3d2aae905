#include "records/file_text.h"

#include "records_fixtures.h"

namespace rf::testing {
namespace {

TEST(FileText, Utf8StaysWithoutItsMark) {
  EXPECT_EQ(utf8_text(""), "");
  EXPECT_EQ(utf8_text("炮二平五\n"), "炮二平五\n");
  EXPECT_EQ(utf8_text("\xef\xbb\xbf炮"), "炮");
  EXPECT_EQ(utf8_text("\xf0\x9f\x98\x80\xed\x9f\xbf\xee\x80\x80"),
            "\xf0\x9f\x98\x80\xed\x9f\xbf\xee\x80\x80");
  EXPECT_EQ(utf8_text(std::string_view("a\0b", 3)), std::string("a\0b", 3));
}

TEST(FileText, Gb18030IsRead) {
  EXPECT_EQ(utf8_text("\xc5\xda\xb6\xfe\xc6\xbd\xce\xe5"), "炮二平五");
  EXPECT_EQ(utf8_text("a \xd7\xe4\xa3\xb1\xc6\xbd\xa3\xb2"), "a 卒１平２");
  EXPECT_EQ(utf8_text("\x81\x30\x81\x30 \xc5\xda"), "\xc2\x80 炮");  // four bytes
  EXPECT_EQ(utf8_text("\x84\x31\x95\x33\xc5\xda"), "炮");            // with a byte order mark
  std::string long_text;
  for (int i = 0; i < 10000; ++i) long_text += "\xc5\xda";
  EXPECT_EQ(utf8_text(long_text).size(), 30000u);
}

TEST(FileText, LongFormsAndSurrogatesAreNoUtf8) {
  for (const std::string bytes :
       {"\xc0\xaf", "\xc1\xbf", "\xe0\x80\xaf\xe0\x80\xaf", "\xed\xa0\x80\xed\xa0\x80", "\xf0\x80\x80\xaf",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80"}) {
    try {
      EXPECT_NE(utf8_text(bytes), bytes);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kBadData);
    }
  }
}

TEST(FileText, OtherBytesAreRefusedByLine) {
  for (const std::string bad : {"a\nb\n\xff\xfe\xff", "\n\n\xc5\xda\x81", "\n\n\xc5\xda\xb6\xfe\x80\xff"}) {
    expect_refusal({"line 3", "neither UTF-8 nor GB18030"}, [&] { (void)utf8_text(bad); });
  }
}

TEST(FileText, LinesCountFromOne) {
  EXPECT_EQ(line_at("a\nb\n", 0), 1);
  EXPECT_EQ(line_at("a\nb\n", 1), 1);
  EXPECT_EQ(line_at("a\nb\n", 2), 2);
  EXPECT_EQ(line_at("a\nb\n", 99), 3);
}

}  // namespace
}  // namespace rf::testing
