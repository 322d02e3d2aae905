// Writer and reader together.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "base/files.h"
#include "replay/augment.h"
#include "replay/shard_reader.h"
#include "replay/shard_schema.h"
#include "replay/shard_writer.h"
#include "store/network_file.h"
#include "store/tensor_file.h"
#include "unit/replay/random_games.h"
#include "unit/store/expect_error.h"
#include "unit/store/full_disk.h"
#include "unit/store/temp_folder.h"

namespace rf {
namespace {

using Path = std::filesystem::path;

ShardSummary write_shard(const Path& path, const Game& game, int games, ReplayConfig config = {}) {
  ShardWriter writer(path, game, header_for(game), config);
  for (int g = 0; g < games; ++g) writer.add(random_game(game, g));
  return writer.seal();
}

TEST(Shard, GivesBackEveryGameAndRow) {
  const TempFolder folder;
  int number = 0;
  for (const auto& game : sample_games()) {
    SCOPED_TRACE(game->spec().id);
    const Path path = folder / (std::to_string(++number) + ".h5");
    PackedRows expected;
    ShardWriter writer(path, *game, header_for(*game), {20, 1000, 50, 4});
    for (int g : {5, 3, 11}) {
      writer.add(random_game(*game, g));
      append_game(*game, random_game(*game, g), expected);
    }
    const std::int64_t unique = std::count(expected.unique.begin(), expected.unique.end(), 1);
    const ShardSummary summary = writer.seal();
    EXPECT_EQ(summary.path, path);
    EXPECT_EQ(summary.rows, expected.size());
    EXPECT_EQ(summary.unique_rows, unique);
    EXPECT_EQ(summary.games, 3);
    EXPECT_EQ(summary.bytes, std::int64_t(std::filesystem::file_size(path)));

    const ShardReader reader(path, *game);
    EXPECT_NO_THROW(reader.verify_digest());
    EXPECT_EQ(reader.header(), header_for(*game));
    EXPECT_EQ(reader.digest(), summary.digest);
    EXPECT_EQ(reader.rows(), expected.size());
    EXPECT_EQ(reader.unique_rows(), unique);
    EXPECT_EQ(reader.games(), 3);
    EXPECT_EQ(reader.game_index(), (std::vector<std::int64_t>{5, 3, 11}));
    EXPECT_EQ(reader.read_rows(0, reader.rows()), expected);
    PackedRows by_parts;
    for (std::int64_t at = 0; at < reader.rows(); at += 37) {
      by_parts.append(reader.read_rows(at, std::min<std::int64_t>(37, reader.rows() - at)));
    }
    EXPECT_EQ(by_parts, expected);
    EXPECT_EQ(reader.read_rows(reader.rows(), 0).size(), 0);
    EXPECT_THROW(reader.read_rows(0, reader.rows() + 1), Error);

    PackedRows again;  // rows follow from the stored games
    for (const GameRecord& record : reader.read_games()) {
      append_game(*game, record, again);
      EXPECT_EQ(record.stream_key, random_game(*game, record.game_index).stream_key);
    }
    EXPECT_EQ(again, expected);
  }
}

TEST(Shard, EveryStoredPolicyIsLegalAndSumsToOne) {
  const TempFolder folder;
  const auto game = gomoku(6, 6, 4, 1);
  write_shard(folder / "s.h5", *game, 5);
  const ShardReader reader(folder / "s.h5", *game);
  const PackedRows rows = reader.read_rows(0, reader.rows());
  const PlanePacking packing(game->spec());
  std::vector<float> planes(std::size_t(packing.planes_size()));
  for (std::size_t i = 0; i < std::size_t(rows.size()); ++i) {
    packing.unpack(std::span(rows.planes_bits)
                       .subspan(i * std::size_t(packing.bits_bytes()), std::size_t(packing.bits_bytes())),
                   std::span(rows.planes_scalar).subspan(i, 1), planes);
    for (auto e = rows.policy_offset[i]; e < rows.policy_offset[i + 1]; ++e) {
      const std::size_t action = std::size_t(rows.policy_action[std::size_t(e)]);
      EXPECT_EQ(planes[action] + planes[36 + action], 0) << "row " << i << ": the cell is taken";
    }
  }
}

TEST(Shard, HoldsExactlyWhatTheSchemaSays) {
  const TempFolder folder;
  const auto game = gomoku(5, 8, 4, 0);
  write_shard(folder / "s.h5", *game, 2);
  const H5File file = H5File::open(folder / "s.h5");
  std::set<std::string> found, expected;
  for (const std::string& group : file.names("/")) {
    for (const std::string& name : file.names(group)) found.insert(group + "/" + name);
  }
  for (const ShardDataset& set : kShardDatasets) expected.insert(std::string(set.name));
  EXPECT_EQ(found, expected);
  found.clear();
  expected.clear();
  for (const auto& [name, value] : file.attributes()) found.insert(name);
  for (const ShardAttribute& attribute : kShardAttributes) expected.insert(std::string(attribute.name));
  EXPECT_EQ(found, expected);
}

TEST(Shard, MayHaveNoGame) {
  const TempFolder folder;
  const auto game = gomoku(6, 6, 4, 0);
  const ShardSummary summary = write_shard(folder / "s.h5", *game, 0);
  EXPECT_EQ(summary.rows, 0);
  const ShardReader reader(folder / "s.h5", *game);
  reader.verify_digest();
  EXPECT_EQ(reader.rows(), 0);
  EXPECT_EQ(reader.read_rows(0, 0), PackedRows{});
  EXPECT_TRUE(reader.read_games().empty());
}

TEST(Shard, AppearsBySealOrNotAtAll) {
  const TempFolder folder;
  const auto game = make_game({"tic_tac_toe", {}});
  {
    ShardWriter writer(folder / "s.h5", *game, header_for(*game), {});
    writer.add(random_game(*game, 0));
    EXPECT_TRUE(folder.names().empty());
  }
  EXPECT_TRUE(folder.names().empty());
  write_shard(folder / "s.h5", *game, 3);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"s.h5"});
}

TEST(Shard, IsNeverOverwritten) {
  const TempFolder folder;
  const auto game = make_game({"tic_tac_toe", {}});
  ShardWriter late(folder / "s.h5", *game, header_for(*game), {});
  write_shard(folder / "s.h5", *game, 1);
  const std::string before = read_file(folder / "s.h5");
  expect_error(ExitCode::kCannotWrite, {"s.h5", "exists already"},
               [&] { write_shard(folder / "s.h5", *game, 2); });
  late.add(random_game(*game, 8));
  expect_error(ExitCode::kCannotWrite, {"s.h5", "exists already"}, [&] { late.seal(); });
  EXPECT_EQ(read_file(folder / "s.h5"), before);
}

TEST(Shard, FullDiskLeavesNothingAndSealMayBeTriedAgain) {
  const TempFolder folder;
  const auto game = gomoku(6, 6, 4, 1);
  ShardWriter writer(folder / "deep/er/s.h5", *game, header_for(*game), {});
  for (int g = 0; g < 20; ++g) writer.add(random_game(*game, g));
  for (const rlim_t bytes : {0, 1000, 20000}) {
    const FullDisk full(bytes);
    expect_error(ExitCode::kCannotWrite, {"s.h5"}, [&] { writer.seal(); });
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder / "deep/er"));
  writer.seal();
  EXPECT_EQ(ShardReader(folder / "deep/er/s.h5", *game).games(), 20);
}

TEST(Shard, DoesNotDependOnTheMomentOfWritingAndDigestNotOnStorage) {
  const TempFolder folder;
  const auto game = gomoku(6, 6, 4, 1);
  const std::string digest = write_shard(folder / "a.h5", *game, 4).digest;
  write_shard(folder / "b.h5", *game, 4);
  EXPECT_EQ(read_file(folder / "a.h5"), read_file(folder / "b.h5"));
  EXPECT_EQ(write_shard(folder / "c.h5", *game, 4, {20, 1000, 3, 0}).digest, digest);
  EXPECT_NE(write_shard(folder / "d.h5", *game, 3).digest, digest);
}

TEST(Shard, RefusesAGameThatItHasOrThatIsWrong) {
  const TempFolder folder;
  const auto game = gomoku(6, 6, 4, 0);
  ShardWriter writer(folder / "s.h5", *game, header_for(*game), {});
  writer.add(random_game(*game, 1));
  const std::int64_t rows = writer.rows();
  expect_error(ExitCode::kInternal, {"game 1 is in shard"}, [&] { writer.add(random_game(*game, 1)); });
  GameRecord wrong = random_game(*game, 2);
  wrong.plies.pop_back();
  expect_error(ExitCode::kInternal, {"game 2", "not over"}, [&] { writer.add(wrong); });
  EXPECT_EQ(writer.rows(), rows);
  EXPECT_EQ(writer.games(), 1);
  const auto other = gomoku(6, 6, 5, 0);
  expect_error(ExitCode::kInternal, {"line=4", "line=5"},
               [&] { ShardWriter(folder / "t.h5", *other, header_for(*game), {}); });
}

TEST(Shard, RefusesForeignFilesByName) {
  const TempFolder folder;
  const auto game = gomoku(6, 6, 4, 0);
  write_shard(folder / "s.h5", *game, 1);
  const auto refused = [&](const Path& path, const Game& expected, ExitCode code,
                           std::vector<std::string> words) {
    words.push_back(path.string());
    expect_error(code, words, [&] { ShardReader(path, expected); });
  };
  refused(folder / "s.h5", *gomoku(6, 6, 5, 0), ExitCode::kBadData, {"line=4", "line=5"});
  refused(folder / "s.h5", *gomoku(6, 6, 4, 1), ExitCode::kBadData, {"own2", "classic4"});
  refused(folder / "s.h5", *make_game({"tic_tac_toe", {}}), ExitCode::kBadData, {"gomoku", "tic_tac_toe"});
  refused(folder / "none.h5", *game, ExitCode::kInputMissing, {"No such file"});
  refused("/dev/null", *game, ExitCode::kBadData, {"not a regular file"});
  std::filesystem::create_directory(folder / "folder");
  refused(folder / "folder", *game, ExitCode::kBadData, {"folder"});
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  refused(folder / "fifo", *game, ExitCode::kBadData, {"not a regular file"});
  std::ofstream(folder / "text") << "just some text, longer than a signature";
  refused(folder / "text", *game, ExitCode::kBadData, {"not an HDF5 file"});
  const Architecture net{game->spec().id, 2, 6, 6, 36, {}};
  write_network(folder / "n.h5", {net, initial_weights(net, 1), "run", 1, 1, ""});
  refused(folder / "n.h5", *game, ExitCode::kBadData, {"rankfile-shard", "rankfile-network"});
  const std::string whole = read_file(folder / "s.h5");
  for (const double share : {0.01, 0.5, 0.9, 0.999}) {
    write_file_atomically(folder / "cut.h5", whole.substr(0, std::size_t(share * double(whole.size()))));
    refused(folder / "cut.h5", *game, ExitCode::kBadData, {});
  }
}

TEST(ShardSchema, ShapesAreEvaluated) {
  ShardLengths lengths;
  lengths.n = 7;
  lengths.b = 3;
  EXPECT_EQ(shard_dims("N+1", lengths), (H5Dims{8}));
  EXPECT_EQ(shard_dims("N, B", lengths), (H5Dims{7, 3}));
  EXPECT_THROW(shard_dims("Z", lengths), Error);
  EXPECT_THROW(shard_dataset("rows/none"), Error);
}

}  // namespace
}  // namespace rf
