// Writes one shard: games go in, the file appears at seal() or never.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "games/game.h"
#include "replay/config.h"
#include "replay/game_record.h"
#include "replay/packed_rows.h"
#include "replay/shard_header.h"

namespace rf {

class ShardWriter {
 public:
  // The folder is made if need be; an existing file is refused with Error(kCannotWrite). Nothing is written
  // before seal(): rows are kept packed in memory. `game` must outlive the writer.
  ShardWriter(std::filesystem::path final_path, const Game& game, const ShardHeader& header,
              const ReplayConfig& config);

  // Replays, checks and augments the game (see append_game). A game index may be given once.
  void add(const GameRecord& record);

  std::int64_t rows() const { return rows_.size(); }
  std::int64_t unique_rows() const { return unique_rows_; }
  std::int64_t games() const { return std::int64_t(index_.size()); }

  // Writes the part file, fsyncs and renames; zero games are allowed. With a `draft`, a path on another file
  // system, the file is written there first, and then copied (copy_sealed). An Error (kCannotWrite; kBadData
  // of a damaged copy) leaves no file; the games are still in memory, so that seal() may be tried again.
  ShardSummary seal(const std::filesystem::path& draft = {});
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  const Game& game_;
  ShardHeader header_;
  ReplayConfig config_;
  PackedRows rows_;
  std::int64_t unique_rows_ = 0;
  bool sealed_ = false;
  // Columns of the group `games`.
  std::vector<std::int64_t> index_, rows_offset_ = {0}, game_unique_rows_, moves_offset_ = {0};
  std::vector<std::uint64_t> stream_key_;
  std::vector<std::int32_t> plies_, moves_;
  std::vector<float> outcome_first_, root_value_;
  std::vector<std::string> end_reason_;
  std::vector<std::int64_t> policy_offset_ = {0};
  std::vector<std::int32_t> policy_action_, policy_visits_;
};

}  // namespace rf
