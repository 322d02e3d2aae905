#include "learn/batch_part.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/error.h"

namespace rf::testing {
namespace {

TrainConfig config_of(int batch, int ghost) {
  TrainConfig config;
  config.batch_size = batch;
  config.ghost_batch = ghost;
  return config;
}

// The parts join without a gap, are whole groups, and no two differ by more than a group.
void expect_dealt(const TrainConfig& config, bool batch_norm, int ranks, int group) {
  std::int64_t next = 0, least = config.batch_size, most = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const BatchPart part = part_of_batch(config, batch_norm, rank, ranks);
    EXPECT_EQ(part.first, next);
    EXPECT_GT(part.rows, 0);
    EXPECT_EQ(part.rows % group, 0);
    next += part.rows;
    least = std::min(least, part.rows);
    most = std::max(most, part.rows);
  }
  EXPECT_EQ(next, config.batch_size);
  EXPECT_LE(most - least, group);
}

std::string refusal(const TrainConfig& config, bool batch_norm, int ranks) {
  try {
    part_of_batch(config, batch_norm, 0, ranks);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadConfig);
    return error.what();
  }
  ADD_FAILURE() << "not refused";
  return "";
}

TEST(BatchPart, WholeGroupsAreDealtEvenly) {
  for (int ranks : {1, 2, 3, 4, 5, 7, 8}) expect_dealt(config_of(256, 32), true, ranks, 32);
  for (int ranks : {1, 2, 3, 100}) expect_dealt(config_of(100, 1), true, ranks, 1);
  expect_dealt(config_of(256, 0), true, 1, 256);
  expect_dealt(config_of(256, 256), true, 1, 256);
}

TEST(BatchPart, WithoutBatchNormAnyRowsAreDealt) {
  for (int ranks : {1, 3, 10}) expect_dealt(config_of(10, 0), false, ranks, 1);
  EXPECT_NE(refusal(config_of(10, 0), false, 11).find("start at most 10"), std::string::npos);
}

TEST(BatchPart, MoreRanksThanGroupsAreRefusedWithWhatToDo) {
  const std::string one_group = refusal(config_of(256, 0), true, 3);
  for (const char* words : {"3 ranks", "train.ghost_batch is 0", "train.batch_size 256", "at most 85"}) {
    EXPECT_NE(one_group.find(words), std::string::npos) << one_group;
  }
  const std::string few = refusal(config_of(256, 64), true, 5);
  for (const char* words : {"5 ranks", "train.ghost_batch 64", "4 groups", "start at most 4"}) {
    EXPECT_NE(few.find(words), std::string::npos) << few;
  }
}

}  // namespace
}  // namespace rf::testing
