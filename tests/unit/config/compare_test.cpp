#include "config/compare.h"

#include <gtest/gtest.h>

#include "config/fields.h"

namespace rf {
namespace {

TEST(CompareConfigs, EqualConfigsDifferInNothing) {
  EXPECT_TRUE(compare_configs(RunConfig{}, RunConfig{}).empty());
  RunConfig spelled_out;
  spelled_out.game.name = "gomoku";
  RunConfig defaults = spelled_out;
  spelled_out.game.values = {{"width", 15}, {"planes", 0}};
  EXPECT_TRUE(spelled_out == defaults);
}

TEST(CompareConfigs, NamesKeyAndBothValues) {
  RunConfig a, b;
  b.train.learning_rate = 0.5;
  b.run.seed = 7;
  const auto differences = compare_configs(a, b);
  ASSERT_EQ(differences.size(), 2u);
  EXPECT_EQ(differences[0].key, "run.seed");
  EXPECT_EQ(differences[0].was, "1");
  EXPECT_EQ(differences[0].now, "7");
  EXPECT_EQ(differences[1].key, "train.learning_rate");
  EXPECT_EQ(differences[1].was, "0.001");
  EXPECT_EQ(differences[1].now, "0.5");
  EXPECT_FALSE(a == b);
}

TEST(CompareConfigs, AnotherGameHasOtherKeys) {
  RunConfig a, b;
  b.game.name = "gomoku";
  const auto there = compare_configs(a, b), back = compare_configs(b, a);
  ASSERT_EQ(there.size(), 6u);
  ASSERT_EQ(back.size(), 6u);
  EXPECT_EQ(there[0].key, "game.name");
  EXPECT_EQ(there[1].key, "game.width");
  EXPECT_EQ(there[1].was, "-");
  EXPECT_EQ(there[1].now, "15");
  EXPECT_EQ(back[1].was, "15");
  EXPECT_EQ(back[1].now, "-");
}

TEST(CompareConfigs, EveryKeyCounts) {
  for (const Key& key : list_keys(RunConfig{})) {
    if (key.type != KeyType::kWhole && key.type != KeyType::kReal) continue;
    RunConfig changed;
    for (const Field& field : list_fields(changed)) {
      if (field.key.path() != key.path()) continue;
      ConfigNode node;
      node.kind = ConfigNode::Kind::kScalar;
      node.text = key.value == key.max ? key.min : key.max;
      ASSERT_FALSE(field.set(node).has_value()) << key.path();
    }
    const auto differences = compare_configs(RunConfig{}, changed);
    ASSERT_EQ(differences.size(), 1u) << key.path();
    EXPECT_EQ(differences[0].key, key.path());
  }
}

TEST(Harmless, WhatARunConsistsOfMayNotChange) {
  for (const char* key : {"game.name", "game.width", "network.kind", "network.channels", "run.seed"}) {
    EXPECT_FALSE(harmless({key, "1", "2"})) << key;
  }
  for (const char* key : {"run.progress_seconds", "search.simulations", "train.learning_rate",
                          "replay.chunk_rows", "gate.games"}) {
    EXPECT_TRUE(harmless({key, "1", "2"})) << key;
  }
}

}  // namespace
}  // namespace rf
