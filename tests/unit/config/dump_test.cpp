#include "config/dump.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "config/compare.h"
#include "config/fields.h"
#include "config/load.h"
#include "config/values.h"

namespace rf {
namespace {

RunConfig changed() {
  RunConfig c;
  c.game.name = "gomoku";
  c.game.values = {{"width", 6}, {"height", 7}, {"line", 4}, {"rule", 0}, {"planes", 1}};
  c.run.seed = 9007199254740991u;
  c.run.progress_seconds = 0.1 + 0.2;
  c.network.kind = NetworkKind::kPlain;
  c.network.plain_channels = {1, 4096, 3};
  c.network.batch_norm = false;
  c.search.c_puct = 1.0 / 3;
  c.search.c_puct_base = 19652;
  c.train.learning_rate = 1e-9;
  c.train.optimizer = OptimizerKind::kSgd;
  c.gate.mode = GateMode::kAlways;
  return c;
}

TEST(DumpConfig, LoadsBackToTheSameConfig) {
  for (const RunConfig& c : {RunConfig{}, changed()}) {
    const std::string dump = dump_config(c);
    const RunConfig back = parse_config(dump, "dump");
    EXPECT_TRUE(back == c);
    EXPECT_EQ(dump_config(back), dump);
  }
  const RunConfig back = parse_config(dump_config(changed()), "dump");
  EXPECT_EQ(back.game, changed().game);  // field by field, not by the dump
  EXPECT_EQ(back.network, changed().network);
  EXPECT_EQ(back.run.seed, changed().run.seed);
  EXPECT_EQ(back.run.progress_seconds, 0.1 + 0.2);
  EXPECT_EQ(back.search.c_puct, 1.0 / 3);
  EXPECT_EQ(back.train.learning_rate, 1e-9);
  EXPECT_EQ(back.train.optimizer, OptimizerKind::kSgd);
  EXPECT_EQ(back.gate.mode, GateMode::kAlways);
}

TEST(DumpConfig, HasEveryKeyInOrder) {
  const std::string dump = dump_config(changed());
  EXPECT_TRUE(
      dump.starts_with("game:\n  name: gomoku\n  width: 6\n  height: 7\n  line: 4\n  rule: freestyle\n  "
                       "planes: classic4\nrun:\n"
                       "  seed: 9007199254740991\n  progress_seconds: 0.30000000000000004\nnetwork:\n"
                       "  kind: plain\n"))
      << dump;
  std::size_t at = 0;
  for (const Key& key : list_keys(changed())) {
    at = dump.find("\n  " + key.name + ": ", at);
    ASSERT_NE(at, std::string::npos) << key.path();
  }
}

TEST(ConfigDigest, FollowsTheValuesAndNotTheSpelling) {
  const RunConfig a = parse_config("game: {name: tic_tac_toe}\ntrain: {learning_rate: 1e-3}\n", "a");
  const RunConfig b = parse_config("train:\n  learning_rate: 0.001\ngame:\n  name: tic_tac_toe\n", "b");
  EXPECT_EQ(config_digest(a), config_digest(b));
  EXPECT_EQ(config_digest(a).size(), 64u);
  RunConfig c = a;
  c.train.learning_rate = std::nextafter(0.001, 1.0);
  EXPECT_NE(config_digest(a), config_digest(c));
}

TEST(NumberText, IsShortAndExact) {
  EXPECT_EQ(number_text(0.0), "0");
  EXPECT_EQ(number_text(0.25), "0.25");
  EXPECT_EQ(number_text(1e-4), "0.0001");
  EXPECT_EQ(number_text(1e-9), "1e-09");
  EXPECT_EQ(number_text(19652.0), "19652");
  EXPECT_EQ(number_text(std::int64_t(-12)), "-12");
  for (double value :
       {0.1 + 0.2, 1.0 / 3, -5e-324, 1.7976931348623157e308, 1e15, 123456789012345.6, 1e-5, 9.9e-6}) {
    EXPECT_EQ(parse_real(number_text(value)), value) << number_text(value);
  }
}

TEST(ParseNumbers, TakeDecimalFormsOnly) {
  for (const char* text : {"0", "-0", "12", "-12", "9223372036854775807"})
    EXPECT_TRUE(parse_whole(text)) << text;
  for (const char* text :
       {"", "-", "+1", "01", "-01", "1.0", "1e3", "0x1", " 1", "1 ", "9223372036854775808"}) {
    EXPECT_FALSE(parse_whole(text)) << text;
  }
  EXPECT_EQ(parse_whole("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  for (const char* text : {"0", "-1.5", ".5", "5.", "1e-4", "1E+4", "007"})
    EXPECT_TRUE(parse_real(text)) << text;
  for (const char* text : {"", ".", "-", "e5", "1e", "1e+", "+1", "nan", "inf", "-inf", "infinity", "0x1p3",
                           "1,5", "1 ", "1e999"}) {
    EXPECT_FALSE(parse_real(text)) << text;
  }
  EXPECT_EQ(parse_real("0.1"), 0.1);
}

}  // namespace
}  // namespace rf
