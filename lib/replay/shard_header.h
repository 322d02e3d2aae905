// What a shard says about itself, and what its writer reports.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace rf {

struct ShardHeader {
  std::string run_id;
  std::string game_id;  // GameSpec::id
  int iteration = 0;
  int rank = 0;
  int part = 0;              // of this rank in this iteration
  std::string evaluator_id;  // of the evaluator that played
  std::uint64_t run_seed = 0;
  std::string config_digest;
  std::string software;  // version and revision
  bool operator==(const ShardHeader&) const = default;
};

struct ShardSummary {
  std::filesystem::path path;
  std::string digest;
  std::int64_t rows = 0;         // with all images
  std::int64_t unique_rows = 0;  // positions as played
  std::int64_t games = 0;
  std::int64_t bytes = 0;  // of the file
};

}  // namespace rf
