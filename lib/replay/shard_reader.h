// Reads one sealed shard. All that is handed out was checked: offsets, actions, visits, players.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "games/game.h"
#include "replay/game_record.h"
#include "replay/packed_rows.h"
#include "replay/shard_header.h"
#include "store/h5.h"

namespace rf {

class ShardReader {
 public:
  // Refuses by name: no such file (kInputMissing), a locked one (kTryAgain), another kind, version, game or
  // shape, a cut or damaged file (kBadData). `expected` must outlive the reader.
  ShardReader(std::filesystem::path path, const Game& expected);

  const std::filesystem::path& path() const { return file_.path(); }
  const ShardHeader& header() const { return header_; }
  const std::string& digest() const { return digest_; }
  std::int64_t rows() const { return rows_; }
  std::int64_t unique_rows() const { return unique_rows_; }
  std::int64_t policy_entries() const { return policy_offset_.back(); }
  std::int64_t games() const { return std::int64_t(game_index_.size()); }
  // Of each game, in file order: its index, its rows [rows_offset[i], rows_offset[i + 1]), how many are
  // unique.
  const std::vector<std::int64_t>& game_index() const { return game_index_; }              // [G]
  const std::vector<std::int64_t>& rows_offset() const { return rows_offset_; }            // [G + 1]
  const std::vector<std::int64_t>& game_unique_rows() const { return game_unique_rows_; }  // [G]

  const std::vector<std::int32_t>& game_plies() const { return game_plies_; }  // [G]

  // Rows [first, first + count) of the file.
  PackedRows read_rows(std::int64_t first, std::int64_t count) const;
  std::vector<GameRecord> read_games() const;
  // Reads all and compares with the digest of the seal; Error(kBadData) when it differs.
  void verify_digest() const { file_.verify_digest(); }

 private:
  [[noreturn]] void damaged(const std::string& why) const;
  void read_header();
  void check_layout() const;
  void check_symmetries() const;
  std::vector<std::int64_t> read_offsets(const std::string& name, std::int64_t entries) const;
  template <class T>
  void read_column(const std::string& name, std::int64_t first, std::int64_t count,
                   std::vector<T>& out) const;
  void check_rows(const PackedRows& rows, std::int64_t first) const;

  H5File file_;
  const Game& game_;
  ShardHeader header_;
  std::string digest_;
  std::int64_t rows_ = 0, unique_rows_ = 0;
  std::vector<std::int64_t> game_index_, rows_offset_, game_unique_rows_;
  std::vector<std::int32_t> game_plies_;
  std::vector<std::int64_t> policy_offset_;  // [N + 1]
};

}  // namespace rf
