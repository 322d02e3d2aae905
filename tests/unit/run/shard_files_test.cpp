#include "run/shard_files.h"

#include "unit/run/temp_run.h"

namespace rf::test {
namespace {

TEST(ShardFiles, SealedOnesSortedByName) {
  const TempRun t;
  EXPECT_TRUE(sealed_shards(t.run, 1).empty());
  const auto folder = t.run.shards(1);
  for (const char* name : {"r0010-000.h5", "r0002-001.h5", "r0002-000.h5", "r0001-000.h5.node-1.part",
                           ".hidden.h5", ".nfs0000000001.h5", "notes.txt", "._r0001-000.h5", ".h5"}) {
    write_text(folder / name, "x");
  }
  std::filesystem::create_directory(folder / "folder.h5");
  EXPECT_EQ(sealed_shards(t.run, 1),
            (std::vector<std::filesystem::path>{folder / "r0002-000.h5", folder / "r0002-001.h5",
                                                folder / "r0010-000.h5"}));
}

TEST(ShardFiles, LeftoversGoAndNothingElse) {
  const TempRun t;
  const std::vector<std::filesystem::path> leftovers{
      t.run.shards(2) / "r0000-000.h5.node-1.part", t.run.candidate(2) / "network.h5.node-1.part",
      t.run.manifest(2, Stage::kTrain).string() + ".node-1.part", t.run.network(2).string() + ".node-1.part",
      t.run.champion_json().string() + ".node-1.part"};
  const std::vector<std::filesystem::path> kept{t.run.shards(2) / "r0000-000.h5",
                                                t.run.shards(1) / "r0000-000.h5.node-1.part",
                                                t.run.shards(2) / ".nfs00001.part",
                                                t.run.lock_json().string() + ".node-1.5-1.part",
                                                t.run.amendments_json().string() + ".node-1.part",
                                                t.run.root() / "jobs.json.part"};
  for (const auto& paths : {leftovers, kept}) {
    for (const auto& path : paths) write_text(path, "x");
  }
  const RunLock lock(t.run, "generate");
  EXPECT_EQ(remove_leftovers(lock, 2), int(leftovers.size()));
  for (const auto& path : leftovers) EXPECT_FALSE(std::filesystem::exists(path)) << path;
  for (const auto& path : kept) EXPECT_TRUE(std::filesystem::exists(path)) << path;
  EXPECT_EQ(remove_leftovers(lock, 2), 0);
  EXPECT_EQ(remove_leftovers(lock, 77), 0);

  std::filesystem::remove(t.run.lock_json());
  error_of(ExitCode::kTryAgain, [&] { remove_leftovers(lock, 2); });
}

}  // namespace
}  // namespace rf::test
