#include "replay/window.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/files.h"
#include "replay/augment.h"
#include "replay/shard_writer.h"
#include "unit/replay/random_games.h"
#include "unit/store/expect_error.h"
#include "unit/store/temp_folder.h"

namespace rf {
namespace {

using Path = std::filesystem::path;

// Games `indices` of an iteration; the game's index and the iteration decide what is played.
Path write_shard(const Path& path, const Game& game, int iteration, const std::vector<int>& indices) {
  ShardWriter writer(path, game, header_for(game, iteration), {20, 1000, 16, 1});
  for (int g : indices) writer.add(random_game(game, g, std::uint64_t(iteration)));
  writer.seal();
  return path;
}

struct Batch {
  std::vector<float> planes, policy, value;
  bool operator==(const Batch&) const = default;
};

Batch gather_all(const ReplayWindow& window, const Game& game) {
  std::vector<std::int64_t> rows(std::size_t(window.rows()));
  std::iota(rows.begin(), rows.end(), 0);
  Batch batch;
  batch.planes.resize(rows.size() * std::size_t(game.spec().shape.size()));
  batch.policy.resize(rows.size() * std::size_t(game.spec().num_actions));
  batch.value.resize(rows.size());
  window.gather(rows, batch.planes, batch.policy, batch.value);
  return batch;
}

TEST(ReplayWindow, OrderDoesNotDependOnHowShardsWereCut) {
  const TempFolder folder;
  const auto game = gomoku(6, 6, 4, 1);
  const Path a = write_shard(folder / "a.h5", *game, 1, {0, 1, 2, 3, 4, 5});
  const Path b = write_shard(folder / "b.h5", *game, 2, {0, 1, 2});
  const ReplayWindow whole(*game, {{2, {b}}, {1, {a}}}, {});
  const Path c = write_shard(folder / "c.h5", *game, 1, {5, 0, 3});
  const Path d = write_shard(folder / "d.h5", *game, 1, {4, 2, 1});
  const Path e = write_shard(folder / "e.h5", *game, 1, {});
  const Path f = write_shard(folder / "f.h5", *game, 2, {2});
  const Path g = write_shard(folder / "g.h5", *game, 2, {1, 0});
  const ReplayWindow cut(*game, {{2, {g, f}}, {1, {d, e, c}}}, {});
  ASSERT_EQ(cut.rows(), whole.rows());
  EXPECT_EQ(cut.report().shards, 4) << "the empty one has nothing to read";
  EXPECT_EQ(gather_all(cut, *game), gather_all(whole, *game));
  for (std::int64_t row = 0; row < cut.rows(); ++row) {
    EXPECT_EQ(cut.key(row), whole.key(row));
    EXPECT_EQ(cut.unique(row), cut.key(row).symmetry == 0);
    EXPECT_TRUE(row == 0 || cut.key(row - 1) < cut.key(row)) << row;
  }
}

TEST(ReplayWindow, GathersPlanesPolicyAndOutcome) {
  const TempFolder folder;
  for (const auto& game : sample_games()) {
    SCOPED_TRACE(game->spec().id);
    const Path path = folder / (std::to_string(folder.names().size()) + ".h5");
    write_shard(path, *game, 1, {0});
    const ReplayWindow window(*game, {{1, {path}}}, {});
    const GameRecord record = random_game(*game, 0, 1);
    const auto state = game->initial_state();
    std::int64_t row = 0;
    for (const PlyRecord& ply : record.plies) {
      while (window.key(row).symmetry != 0) ++row;
      std::vector<float> expected(std::size_t(game->spec().shape.size())), planes(expected.size());
      std::vector<float> policy(std::size_t(game->spec().num_actions), -1.f), value(1);
      state->encode(expected);
      window.gather(std::vector<std::int64_t>{row}, planes, policy, value);
      EXPECT_EQ(planes, expected);
      EXPECT_EQ(value[0], state->to_move() == 0 ? record.outcome_first : -record.outcome_first);
      const int sum = std::accumulate(ply.visits.begin(), ply.visits.end(), 0);
      float total = 0;
      for (Action a = 0; a < game->spec().num_actions; ++a) {
        const auto at = std::find(ply.actions.begin(), ply.actions.end(), a);
        const float p = at == ply.actions.end()
                            ? 0.f
                            : float(ply.visits[std::size_t(at - ply.actions.begin())]) / float(sum);
        EXPECT_NEAR(policy[std::size_t(a)], p, 1e-6);
        EXPECT_TRUE(state->is_legal(a) || policy[std::size_t(a)] == 0) << a;
        total += policy[std::size_t(a)];
      }
      EXPECT_NEAR(total, 1, 1e-5);
      state->apply(ply.action);
      ++row;
    }
  }
}

TEST(ReplayWindow, DiscountsOutcomesByThePliesToTheEnd) {
  const TempFolder folder;
  const auto game = gomoku(5, 5, 3, 1);
  const Path a = write_shard(folder / "a.h5", *game, 1, {0, 1, 2, 3, 4, 5, 6, 7});
  const Path b = write_shard(folder / "b.h5", *game, 2, {0, 1});
  const std::vector<IterationShards> shards{{2, {b}}, {1, {a}}};
  const ReplayWindow plain(*game, shards, {});
  ReplayConfig config;
  config.value_discount = 0.9;
  for (int most :
       {200000, int(plain.unique_rows()) / 2}) {  // also with games left out in the middle of a shard
    config.max_unique_rows = most;
    const ReplayWindow window(*game, shards, config);
    const Batch batch = gather_all(window, *game);
    int decided = 0;
    for (std::int64_t row = 0; row < window.rows(); ++row) {
      const RowKey key = window.key(row);
      const GameRecord record = random_game(*game, key.game, std::uint64_t(key.iteration));
      const double left = double(record.plies.size()) - key.ply;
      const float z = key.ply % 2 == 0 ? record.outcome_first : -record.outcome_first;
      EXPECT_FLOAT_EQ(batch.value[std::size_t(row)], float(z * std::pow(0.9, left))) << "row " << row;
      decided += z != 0;
    }
    EXPECT_GT(decided, 20);
  }
}

TEST(ReplayWindow, KeepsTheLatestGamesThatFit) {
  const TempFolder folder;
  const auto game = gomoku(6, 6, 4, 0);
  std::vector<IterationShards> newest_first;
  std::int64_t all = 0;
  for (int iteration = 1; iteration <= 4; ++iteration) {
    const std::string name = std::to_string(iteration);
    newest_first.insert(newest_first.begin(),
                        {iteration,
                         {write_shard(folder / (name + "a.h5"), *game, iteration, {2, 0}),
                          write_shard(folder / (name + "b.h5"), *game, iteration, {1, 3})}});
    for (int g = 0; g < 4; ++g)
      all += std::int64_t(random_game(*game, g, std::uint64_t(iteration)).plies.size());
  }
  ReplayConfig config;
  EXPECT_EQ(ReplayWindow(*game, newest_first, config).unique_rows(), all);
  config.window_iterations = 2;
  const ReplayWindow two(*game, newest_first, config);
  EXPECT_EQ(two.key(0).iteration, 3);
  EXPECT_EQ(two.games(), 8);
  std::int64_t latest = 0;
  for (int g : {1, 2, 3}) latest += std::int64_t(random_game(*game, g, 4).plies.size());
  config.max_unique_rows = int(latest);
  const ReplayWindow three_games(*game, newest_first, config);
  EXPECT_EQ(three_games.unique_rows(), latest);
  EXPECT_EQ(three_games.key(0), (RowKey{4, 1, 0, 0}));
  EXPECT_EQ(three_games.report().left_out_games, 5);
  config.max_unique_rows = int(latest) - 1;
  EXPECT_EQ(ReplayWindow(*game, newest_first, config).games(), 2) << "a game is not cut";
  config.max_unique_rows = 1;
  EXPECT_EQ(ReplayWindow(*game, newest_first, config).games(), 1) << "the very latest is always there";
}

TEST(ReplayWindow, ReportsGapsAndSize) {
  const TempFolder folder;
  const auto game = gomoku(6, 6, 4, 0);
  const Path a = write_shard(folder / "a.h5", *game, 2, {0});
  const Path b = write_shard(folder / "b.h5", *game, 6, {0});
  const ReplayWindow window(*game, {{6, {b}}, {4, {}}, {2, {a}}}, {});
  EXPECT_EQ(window.report().missing_iterations, (std::vector<int>{3, 4, 5}));
  EXPECT_EQ(window.report().games, 2);
  EXPECT_GT(window.report().bytes, window.rows() * 9);
  const ReplayWindow empty(*game, {}, {});
  EXPECT_EQ(empty.rows(), 0);
  EXPECT_EQ(empty.report().distinct_positions, 0);
  EXPECT_THROW(ReplayWindow(*game, {{2, {a}}, {6, {b}}}, {}), Error);
}

TEST(ReplayWindow, CountsDistinctPositions) {
  const TempFolder folder;
  const auto game = gomoku(6, 6, 4, 1);
  ShardWriter writer(folder / "a.h5", *game, header_for(*game, 1), {});
  std::set<std::vector<float>> positions;
  for (int g = 0; g < 6; ++g) {
    GameRecord record = random_game(*game, g / 2);  // each game twice
    record.game_index = g;
    writer.add(record);
    const auto state = game->initial_state();
    for (const PlyRecord& ply : record.plies) {
      std::vector<float> planes(std::size_t(game->spec().shape.size()));
      state->encode(planes);
      positions.insert(planes);
      state->apply(ply.action);
    }
  }
  writer.seal();
  const ReplayWindow window(*game, {{1, {folder / "a.h5"}}}, {});
  EXPECT_EQ(window.report().distinct_positions, std::int64_t(positions.size()));
  EXPECT_LT(window.report().distinct_positions, window.unique_rows());
}

TEST(ReplayWindow, NamesOrSkipsADamagedShard) {
  const TempFolder folder;
  const auto game = gomoku(6, 6, 4, 0);
  std::vector<Path> shards;
  for (int s = 0; s < 8; ++s) {
    shards.push_back(write_shard(folder / (std::to_string(s) + ".h5"), *game, 1, {2 * s, 2 * s + 1}));
  }
  std::filesystem::resize_file(shards[3], std::filesystem::file_size(shards[3]) / 2);
  expect_error(ExitCode::kBadData, {shards[3].string()}, [&] { ReplayWindow(*game, {{1, shards}}, {}); });
  ReplayConfig skip;
  skip.damaged_shards = DamagedShards::kSkip;
  const ReplayWindow window(*game, {{1, shards}}, skip);
  EXPECT_EQ(window.games(), 14);
  EXPECT_EQ(window.report().damaged, std::vector<Path>{shards[3]});
  ASSERT_EQ(window.report().damage.size(), 1u);
  EXPECT_NE(window.report().damage[0].find(shards[3].filename().string()), std::string::npos);
  std::filesystem::remove(shards[3]);
  expect_error(ExitCode::kInputMissing, {shards[3].string()}, [&] {
    ReplayWindow(*game, {{1, shards}}, skip);
  });
}

TEST(ReplayWindow, RefusesGamesTwiceAndShardsOfAnotherIterationOrGame) {
  const TempFolder folder;
  const auto game = gomoku(6, 6, 4, 0);
  const Path a = write_shard(folder / "a.h5", *game, 1, {0, 1});
  const Path b = write_shard(folder / "b.h5", *game, 1, {2, 1});
  expect_error(ExitCode::kBadData, {"game 1 of iteration 1", "a.h5", "b.h5"}, [&] {
    ReplayWindow(*game, {{1, {a, b}}}, {});
  });
  expect_error(ExitCode::kBadData, {"a.h5", "iteration 1", "iteration 2"}, [&] {
    ReplayWindow(*game, {{2, {a}}}, {});
  });
  const auto other = gomoku(6, 6, 5, 0);
  expect_error(ExitCode::kBadData, {"a.h5", "line=4", "line=5"}, [&] {
    ReplayWindow(*other, {{1, {a}}}, {});
  });
}

}  // namespace
}  // namespace rf
