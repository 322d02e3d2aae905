#include "replay/window.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "base/digest.h"
#include "base/error.h"
#include "base/log.h"
#include "replay/shard_reader.h"

namespace rf {
namespace {

constexpr std::int64_t kBlockRows = 8192;

bool is_skipped(const std::vector<std::filesystem::path>& damaged, const std::filesystem::path& path) {
  return std::find(damaged.begin(), damaged.end(), path) != damaged.end();
}

// One entry an iteration within the window, descending; reports the gaps.
std::vector<IterationShards> latest(std::vector<IterationShards> all, int window, std::vector<int>& missing) {
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i].iteration >= all[i - 1].iteration) {
      fail(ExitCode::kInternal, "the iterations of a replay window do not descend");
    }
  }
  std::erase_if(all, [](const IterationShards& i) { return i.shards.empty(); });
  if (all.empty()) return all;
  const int newest = all.front().iteration;
  std::erase_if(all, [&](const IterationShards& i) { return i.iteration <= newest - window; });
  for (std::size_t i = 1; i < all.size(); ++i) {
    for (int gap = all[i - 1].iteration - 1; gap > all[i].iteration; --gap) missing.push_back(gap);
  }
  std::reverse(missing.begin(), missing.end());
  return all;
}

std::int64_t count_distinct(const PackedRows& rows, const PlanePacking& packing) {
  const std::size_t b = std::size_t(packing.bits_bytes()), s = std::size_t(packing.scalars());
  std::vector<std::uint64_t> digests;
  for (std::size_t i = 0; i < std::size_t(rows.size()); ++i) {
    if (rows.unique[i] == 0) continue;
    const auto bits = digest64(std::span<const std::uint8_t>(rows.planes_bits).subspan(i * b, b));
    const auto scalars = digest64(std::span<const float>(rows.planes_scalar).subspan(i * s, s));
    digests.push_back(bits ^ (scalars * 0x9e3779b97f4a7c15ULL));
  }
  std::sort(digests.begin(), digests.end());
  return std::unique(digests.begin(), digests.end()) - digests.begin();
}

}  // namespace

struct ReplayWindow::Chosen {
  int iteration;
  std::int64_t game;
  std::filesystem::path shard;
  std::int64_t first, last;  // rows of the shard
  std::int64_t unique;
  int plies;
};

ReplayWindow::ReplayWindow(const Game& game, std::vector<IterationShards> newest_first,
                           const ReplayConfig& config)
    : packing_(game.spec()), game_(game) {
  const auto iterations =
      latest(std::move(newest_first), config.window_iterations, report_.missing_iterations);
  // A shard that turns out damaged while its rows are read may change which games fit: begin again without
  // it.
  for (bool whole = false; !whole;) {
    Entries entries;
    std::vector<Chosen> games = list_games(iterations, config.damaged_shards, entries);
    keep_latest(games, config.max_unique_rows);
    whole = read_games(games, entries, config);
  }
  sort_rows();
  report_.bytes = packed_.bytes() + std::int64_t(order_.size() * sizeof order_[0]) +
                  std::int64_t(iteration_.size() * sizeof iteration_[0] + weight_.size() * sizeof weight_[0]);
  report_.distinct_positions = count_distinct(packed_, packing_);
}

// True: the shard is left out from now on. False: the error stands.
bool ReplayWindow::drop(const std::filesystem::path& path, const Error& error, DamagedShards damaged) {
  if (damaged == DamagedShards::kRefuse || error.code() != ExitCode::kBadData) return false;
  report_.damaged.push_back(path);
  report_.damage.push_back(error.what());
  return true;
}

// All games of the iterations, the latest first.
std::vector<ReplayWindow::Chosen> ReplayWindow::list_games(const std::vector<IterationShards>& iterations,
                                                           DamagedShards damaged, Entries& entries) {
  std::vector<Chosen> games;
  for (const IterationShards& of : iterations) {
    for (const std::filesystem::path& path : of.shards) {
      if (is_skipped(report_.damaged, path)) continue;
      try {
        const ShardReader reader(path, game_);
        if (reader.header().iteration != of.iteration) {
          fail(ExitCode::kBadData,
               "shard " + path.string() + " is of iteration " + std::to_string(reader.header().iteration),
               "it lies with iteration " + std::to_string(of.iteration));
        }
        entries[path] = reader.policy_entries();
        for (std::size_t g = 0; g < reader.game_index().size(); ++g) {
          games.push_back({of.iteration, reader.game_index()[g], path, reader.rows_offset()[g],
                           reader.rows_offset()[g + 1], reader.game_unique_rows()[g],
                           reader.game_plies()[g]});
        }
      } catch (const Error& error) {
        if (!drop(path, error, damaged)) throw;
      }
    }
  }
  const auto newer = [](const Chosen& a, const Chosen& b) {
    return std::tie(a.iteration, a.game) > std::tie(b.iteration, b.game);
  };
  std::sort(games.begin(), games.end(), newer);
  for (std::size_t i = 1; i < games.size(); ++i) {
    if (newer(games[i - 1], games[i])) continue;
    fail(ExitCode::kBadData,
         "game " + std::to_string(games[i].game) + " of iteration " + std::to_string(games[i].iteration) +
             " is in two shards",
         games[i - 1].shard.string() + " and " + games[i].shard.string());
  }
  return games;
}

void ReplayWindow::keep_latest(std::vector<Chosen>& games, int max_unique_rows) {
  std::int64_t unique = 0, rows = 0;
  std::size_t used = 0;
  for (; used < games.size(); ++used) {
    if (used > 0 && unique + games[used].unique > max_unique_rows) break;
    unique += games[used].unique;
    rows += games[used].last - games[used].first;
  }
  if (rows > std::int64_t(std::numeric_limits<std::uint32_t>::max())) {
    fail(ExitCode::kBadConfig, "the replay window has " + grouped(rows) + " rows",
         "at most 4 294 967 295 can be kept", "lower replay.max_unique_rows");
  }
  report_.left_out_games = std::int64_t(games.size() - used);
  games.resize(used);
  report_.rows = rows;
  report_.unique_rows = unique;
  report_.games = std::int64_t(used);
}

// False when a damaged shard was dropped on the way.
bool ReplayWindow::read_games(const std::vector<Chosen>& games, const Entries& entries,
                              const ReplayConfig& config) {
  std::map<std::filesystem::path, std::vector<const Chosen*>> by_shard;
  for (const Chosen& game : games) by_shard[game.shard].push_back(&game);
  std::int64_t policy_entries = 0;
  for (const auto& [path, chosen] : by_shard) policy_entries += entries.at(path);
  packed_ = {};
  packed_.reserve(report_.rows, policy_entries, packing_);
  weight_.clear();
  iteration_.clear();
  iteration_.reserve(std::size_t(report_.rows));
  for (auto& [path, chosen] : by_shard) {
    try {
      const ShardReader reader(path, game_);
      std::sort(chosen.begin(), chosen.end(), [](auto* a, auto* b) { return a->first < b->first; });
      for (std::size_t g = 0; g < chosen.size();) {  // neighbours in the shard are read together
        const std::int64_t first = chosen[g]->first;
        std::int64_t last = first;
        const std::size_t begin = g;
        while (g < chosen.size() && chosen[g]->first == last) last = chosen[g++]->last;
        for (std::int64_t at = first; at < last; at += kBlockRows) {
          packed_.append(reader.read_rows(at, std::min(kBlockRows, last - at)));
        }
        for (std::size_t of = begin; of < g; ++of) weigh_outcomes(*chosen[of], config.value_discount);
      }
      iteration_.resize(std::size_t(packed_.size()), reader.header().iteration);
    } catch (const Error& error) {
      if (!drop(path, error, config.damaged_shards)) throw;
      return false;
    }
  }
  report_.shards = std::int64_t(by_shard.size());
  return true;
}

// Of the next rows without a weight, which are those of the game.
void ReplayWindow::weigh_outcomes(const Chosen& game, double discount) {
  for (std::int64_t row = game.first; row < game.last; ++row) {
    weight_.push_back(float(std::pow(discount, game.plies - packed_.ply[weight_.size()])));
  }
}

void ReplayWindow::sort_rows() {
  order_.resize(std::size_t(packed_.size()));
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(iteration_[a], packed_.game[a], packed_.ply[a], packed_.symmetry[a]) <
           std::tie(iteration_[b], packed_.game[b], packed_.ply[b], packed_.symmetry[b]);
  });
}

void ReplayWindow::gather(std::span<const std::int64_t> rows, std::span<float> planes,
                          std::span<float> policy, std::span<float> value) const {
  const std::size_t n = rows.size(), size = std::size_t(packing_.planes_size());
  const std::size_t actions = std::size_t(game_.spec().num_actions);
  const std::size_t b = std::size_t(packing_.bits_bytes()), s = std::size_t(packing_.scalars());
  if (planes.size() != n * size || policy.size() != n * actions || value.size() != n) {
    fail(ExitCode::kInternal, "a batch of " + std::to_string(n) + " rows has buffers of another size");
  }
  std::fill(policy.begin(), policy.end(), 0.f);
  for (std::size_t i = 0; i < n; ++i) {
    RF_ASSERT(rows[i] >= 0 && rows[i] < report_.rows);
    const std::size_t at = place(rows[i]);
    packing_.unpack(std::span(packed_.planes_bits).subspan(at * b, b),
                    std::span(packed_.planes_scalar).subspan(at * s, s), planes.subspan(i * size, size));
    const std::size_t from = std::size_t(packed_.policy_offset[at]),
                      to = std::size_t(packed_.policy_offset[at + 1]);
    double sum = 0;
    for (std::size_t e = from; e < to; ++e) sum += packed_.policy_visits[e];
    for (std::size_t e = from; e < to; ++e) {
      policy[i * actions + std::size_t(packed_.policy_action[e])] = float(packed_.policy_visits[e] / sum);
    }
    value[i] = packed_.outcome[at] * weight_[at];
  }
}

RowKey ReplayWindow::key(std::int64_t row) const {
  const std::size_t at = place(row);
  return {iteration_[at], packed_.game[at], packed_.ply[at], packed_.symmetry[at]};
}

}  // namespace rf
