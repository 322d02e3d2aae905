// The replay window: the latest games of a run, in memory, in an order that does not depend on how shards
// were cut.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "games/game.h"
#include "replay/config.h"
#include "replay/packed_rows.h"

namespace rf {

struct IterationShards {
  int iteration = 0;
  std::vector<std::filesystem::path> shards;  // sealed ones, in any order
};

struct WindowReport {
  std::int64_t rows = 0;                // with all images
  std::int64_t unique_rows = 0;         // positions as played
  std::int64_t distinct_positions = 0;  // different planes among the unique rows
  std::int64_t games = 0;
  std::int64_t shards = 0;                     // that were read
  std::int64_t bytes = 0;                      // of the rows in memory
  std::int64_t left_out_games = 0;             // of the iterations asked for, beyond max_unique_rows
  std::vector<int> missing_iterations;         // between the oldest and the newest, without a shard
  std::vector<std::filesystem::path> damaged;  // left out
  std::vector<std::string> damage;             // what is wrong with each of them
};

// Where a row comes from.
struct RowKey {
  int iteration = 0;
  std::int64_t game = 0;
  int ply = 0;
  int symmetry = 0;
  auto operator<=>(const RowKey&) const = default;
};

class ReplayWindow {
 public:
  // `newest_first`: one entry an iteration, descending. Used are the entries within config.window_iterations
  // of the newest, and of these the latest games (iteration, then game index) whose unique rows fit in
  // config.max_unique_rows; a game is used whole or not at all, the very latest always. Reads each shard
  // once, block by block, and keeps the packed rows. A game that is in two shards is an Error(kBadData).
  ReplayWindow(const Game& game, std::vector<IterationShards> newest_first, const ReplayConfig& config);

  // Rows are numbered by (iteration, game, ply, symmetry), all ascending.
  std::int64_t rows() const { return report_.rows; }
  std::int64_t unique_rows() const { return report_.unique_rows; }
  std::int64_t games() const { return report_.games; }
  const WindowReport& report() const { return report_; }

  // Any rows, in any order, n of them: planes [n, C, H, W]; policy [n, A], visits / their sum, 0 elsewhere;
  // value [n], the outcome for the player to move * value_discount^(plies to the end of the game).
  void gather(std::span<const std::int64_t> rows, std::span<float> planes, std::span<float> policy,
              std::span<float> value) const;
  RowKey key(std::int64_t row) const;
  bool unique(std::int64_t row) const { return packed_.unique[place(row)] == 1; }

 private:
  struct Chosen;                                                  // a game of the window and where it lies
  using Entries = std::map<std::filesystem::path, std::int64_t>;  // policy entries by shard
  bool drop(const std::filesystem::path& path, const Error& error, DamagedShards damaged);
  std::vector<Chosen> list_games(const std::vector<IterationShards>& iterations, DamagedShards damaged,
                                 Entries& entries);
  void keep_latest(std::vector<Chosen>& games, int max_unique_rows);
  bool read_games(const std::vector<Chosen>& games, const Entries& entries, const ReplayConfig& config);
  void weigh_outcomes(const Chosen& game, double discount);
  void sort_rows();
  std::size_t place(std::int64_t row) const { return std::size_t(order_[std::size_t(row)]); }

  PlanePacking packing_;
  const Game& game_;
  PackedRows packed_;                    // as read
  std::vector<float> weight_;            // [N] as read: of the outcome in the value target
  std::vector<std::int32_t> iteration_;  // [N] as read
  std::vector<std::uint32_t> order_;     // [N] row -> place in packed_
  WindowReport report_;
};

}  // namespace rf
