#include "run/prune.h"

#include "run/amendments.h"
#include "run/champion.h"
#include "run/manifest.h"
#include "run/next_step.h"
#include "run/pruned.h"
#include "unit/run/temp_run.h"

namespace rf::test {
namespace {

// A run of finished iterations of 100 unique rows, each with a shard, a candidate and a match.
struct FinishedRun {
  TempFolder folder;
  RunDirectory run;
  explicit FinishedRun(const std::string& replay, int iterations)
      : run(RunDirectory::create(
            folder.path() / "run",
            "game: {name: tic_tac_toe}\ntrain: {batch_size: 16}\nreplay: {" + replay + "}\n")) {
    const RunLock lock(run, "generate");
    write_text(run.network(0), "network");
    write_champion(lock, {0, "networks/000000.h5", "digest", "", ""});
    for (int i = 1; i <= iterations; ++i) {
      write_text(run.shards(i) / "r0000-000.h5", "shard");
      write_text(run.candidate(i) / "network.h5", "network");
      write_text(run.candidate(i) / "training.h5", "state");
      write_text(run.iteration(i) / "matches" / "r0000.jsonl", "{}\n");
      write_manifest(lock, i, Stage::kGenerate, {{"unique_rows", 100}});
      write_manifest(lock, i, Stage::kTrain, {{"network_digest", "d"}});
      write_manifest(lock, i, Stage::kGate, {{"promoted", false}});
    }
  }
  // Numbers of the iterations that lose a part.
  std::vector<int> losing(std::string_view part) const {
    std::vector<int> found;
    for (const PrunePart& one : plan_prune(run).parts) {
      if (one.part == part) found.push_back(one.iteration);
    }
    return found;
  }
};

using Numbers = std::vector<int>;

TEST(Prune, TheWindowOfIterationsDecides) {
  const FinishedRun t("window_iterations: 3", 8);
  const PrunePlan plan = plan_prune(t.run);
  // Iteration 9 reads 7, 8 and 9; one more stays.
  EXPECT_EQ(plan.training, 9);
  EXPECT_EQ(plan.first_shards, 6);
  EXPECT_EQ(plan.window_iterations, 3);
  EXPECT_EQ(t.losing(kShardsPart), (Numbers{1, 2, 3, 4, 5}));
  EXPECT_EQ(t.losing(kCandidatePart), (Numbers{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(t.losing(kMatchesPart), (Numbers{1, 2, 3, 4, 5, 6}));
}

TEST(Prune, TheLimitOfRowsDecides) {
  // 8 and 7 are 200 rows: of 6 some fit into 201, none into 200.
  EXPECT_EQ(plan_prune(FinishedRun("max_unique_rows: 201", 8).run).first_shards, 5);
  EXPECT_EQ(plan_prune(FinishedRun("max_unique_rows: 200", 8).run).first_shards, 6);
  EXPECT_EQ(plan_prune(FinishedRun("max_unique_rows: 100000", 8).run).first_shards, 1);
}

TEST(Prune, AmendmentsAreLookedAtAlsoThoseThatBeginLater) {
  const FinishedRun t("window_iterations: 3", 8);
  amend(t.run, {"replay.window_iterations=2"}, 9);
  EXPECT_EQ(plan_prune(t.run).first_shards, 7);
  amend(t.run, {"replay.window_iterations=7"}, 11);  // iteration 11 reads from 5 on
  EXPECT_EQ(plan_prune(t.run).first_shards, 4);
  EXPECT_EQ(plan_prune(t.run).window_iterations, 7);
  amend(t.run, {"replay.max_unique_rows=100"}, 9);
  EXPECT_EQ(plan_prune(t.run).first_shards, 7);
}

TEST(Prune, ALargerWindowThatTheLastCallSetIsKept) {
  const FinishedRun t("window_iterations: 3", 8);
  const auto path = t.run.manifest(8, Stage::kTrain);
  Json facts = *read_manifest(t.run, 8, Stage::kTrain);
  facts["config_changes"] = {{"replay.window_iterations", "5"}};
  write_json_file(path, facts);
  EXPECT_EQ(plan_prune(t.run).first_shards, 4);
}

TEST(Prune, WhatIsNotFinishedAndTheChampionsStay) {
  const FinishedRun t("window_iterations: 1", 8);
  for (Stage stage : {Stage::kTrain, Stage::kGate}) std::filesystem::remove(t.run.manifest(8, stage));
  std::filesystem::remove(t.run.manifest(2, Stage::kGate));
  {
    const RunLock lock(t.run, "gate");
    write_text(t.run.network(3), "network");
    write_champion(lock, {3, "networks/000003.h5", "digest", "", ""});
  }
  EXPECT_EQ(plan_prune(t.run).training, 8);
  EXPECT_EQ(t.losing(kShardsPart), (Numbers{1, 3, 4, 5, 6}));
  EXPECT_EQ(t.losing(kCandidatePart), (Numbers{1, 4, 5}));
}

TEST(Prune, TakesTheFilesAwayAndSaysSo) {
  const FinishedRun t("window_iterations: 3", 8);
  write_text(t.run.candidate(8) / "checkpoint.h5", "left by a crash");
  write_text(t.run.shards(7) / "r0000-001.h5.host-1.part", "left by a crash");
  write_text(t.run.shards(1) / "notes.txt", "mine");
  {
    const RunLock lock(t.run, "prune");
    prune(lock, plan_prune(t.run));
  }
  EXPECT_TRUE(plan_prune(t.run).parts.empty());
  EXPECT_TRUE(find_gaps(t.run).empty());
  EXPECT_FALSE(std::filesystem::exists(t.run.candidate(8) / "checkpoint.h5"));
  EXPECT_FALSE(std::filesystem::exists(t.run.shards(7) / "r0000-001.h5.host-1.part"));
  EXPECT_TRUE(std::filesystem::exists(t.run.shards(7) / "r0000-000.h5"));
  EXPECT_TRUE(std::filesystem::exists(t.run.shards(1) / "notes.txt"));
  EXPECT_FALSE(std::filesystem::exists(t.run.shards(2)));
  EXPECT_TRUE(std::filesystem::exists(t.run.network(0)));
  const auto parts = pruned_parts(t.run, 5);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts.at("candidate").files, 2);
  EXPECT_EQ(parts.at("candidate").bytes, 12);
  EXPECT_FALSE(is_pruned(t.run, 6, kShardsPart));
  EXPECT_TRUE(is_pruned(t.run, 6, kCandidatePart));
  // What goes without a mark is missed.
  std::filesystem::remove(t.run.shards(8) / "r0000-000.h5");
  EXPECT_EQ(find_gaps(t.run), (std::vector<std::string>{"iteration 8: its shards are gone"}));
}

TEST(Prune, GoesOnWithWhatItHasMarkedWhateverTheConfigSaysNow) {
  const FinishedRun t("window_iterations: 3", 8);
  {
    const RunLock lock(t.run, "prune");
    mark_pruned(lock, 4, kShardsPart, 7, 99);  // and then it was killed
  }
  amend(t.run, {"replay.window_iterations=20"}, 9);
  EXPECT_EQ(t.losing(kShardsPart), (Numbers{4}));
  const RunLock lock(t.run, "prune");
  prune(lock, plan_prune(t.run));
  EXPECT_EQ(pruned_parts(t.run, 4).at("shards").files, 7);  // as it was first
}

TEST(Prune, WritesNothingWithoutTheLock) {
  const FinishedRun t("window_iterations: 3", 8);
  const RunLock lock(t.run, "prune");
  std::filesystem::remove(t.run.lock_json());
  error_of(ExitCode::kTryAgain, [&] { prune(lock, plan_prune(t.run)); });
  EXPECT_TRUE(std::filesystem::exists(t.run.shards(1) / "r0000-000.h5"));
  EXPECT_FALSE(std::filesystem::exists(t.run.iteration(1) / "pruned.json"));
}

TEST(Prune, ARunWithoutAFinishedIterationKeepsAll) {
  const FinishedRun t("window_iterations: 1", 1);
  EXPECT_TRUE(plan_prune(t.run).parts.empty());
  std::filesystem::remove(t.run.manifest(1, Stage::kGate));
  EXPECT_TRUE(plan_prune(t.run).parts.empty());
}

TEST(Prune, DamagedMarksAreNamed) {
  const FinishedRun t("window_iterations: 1", 4);
  const auto path = t.run.iteration(4) / "pruned.json";
  for (const char* text :
       {"", "{", "[]", "{\"shards\": 1}", "{\"shards\": {\"since\": \"\", \"files\": 1}}"}) {
    write_text(path, text);
    EXPECT_NE(error_of(ExitCode::kBadData, [&] { plan_prune(t.run); }).find(path.string()),
              std::string::npos);
  }
}

}  // namespace
}  // namespace rf::test
