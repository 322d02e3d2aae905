#include "run/next_step.h"

#include "run/manifest.h"
#include "unit/run/temp_run.h"

namespace rf::test {
namespace {

void seal(const RunDirectory& run, int iteration, Stage stage) {
  const RunLock lock(run, std::string(stage_name(stage)));
  Json facts = Json::object();
  if (stage == Stage::kGenerate) {
    const auto shard = run.shards(iteration) / "r0000-000.h5";
    write_text(shard, "rows");
    facts["outputs"] = {{{"file", run.relative(shard)}, {"digest", "abc"}}};
  }
  write_manifest(lock, iteration, stage, facts);
}

void seal_all(const RunDirectory& run, int iteration) {
  for (Stage stage : kStages) seal(run, iteration, stage);
}

TEST(NextStep, GoesThroughTheStagesByWhatIsSealed) {
  const TempRun t;
  for (int iteration = 1; iteration <= 3; ++iteration) {
    for (Stage stage : kStages) {
      EXPECT_EQ(next_step(t.run), (Step{iteration, stage}));
      EXPECT_EQ(last_finished_iteration(t.run), iteration - 1);
      seal(t.run, iteration, stage);
    }
  }
  EXPECT_EQ(next_step(t.run), (Step{4, Stage::kGenerate}));
  EXPECT_EQ(last_finished_iteration(t.run), 3);
  EXPECT_TRUE(find_gaps(t.run).empty());
}

TEST(NextStep, HalfDoneWorkDoesNotCount) {
  const TempRun t;
  seal_all(t.run, 1);
  write_text(t.run.shards(2) / "r0000-000.h5", "sealed shard");
  write_text(t.run.shards(2) / "r0000-001.h5.node-1.part", "half a shard");
  write_text(t.run.manifest(2, Stage::kGenerate).string() + ".node-1.part", "{");
  EXPECT_EQ(next_step(t.run), (Step{2, Stage::kGenerate}));
  write_text(t.run.iterations() / "9" / "gate.json", "{}");
  write_text(t.run.iterations() / "000009 copy" / "gate.json", "{}");
  write_text(t.run.iterations() / "-00009" / "gate.json", "{}");
  EXPECT_EQ(next_step(t.run), (Step{2, Stage::kGenerate})) << "folders of other names are no iterations";
}

TEST(NextStep, GoesByNumberNotByTime) {
  const TempRun t;
  for (int iteration : {1, 2, 3}) seal_all(t.run, iteration);
  for (int iteration : {1, 2, 3}) {  // the first becomes the newest
    for (Stage stage : kStages) {
      std::filesystem::last_write_time(
          t.run.manifest(iteration, stage),
          std::filesystem::file_time_type::clock::now() - std::chrono::hours(iteration));
    }
  }
  EXPECT_EQ(next_step(t.run), (Step{4, Stage::kGenerate}));
  EXPECT_EQ(last_finished_iteration(t.run), 3);
}

TEST(NextStep, TenThousandIterationsSortAsNumbers) {
  const TempRun t;
  for (int iteration : {9, 10, 999999, 1000000}) seal_all(t.run, iteration);
  EXPECT_EQ(next_step(t.run), (Step{1000001, Stage::kGenerate}));
}

TEST(NextStep, AMissingIterationIsReported) {
  const TempRun t;
  for (int iteration = 1; iteration <= 6; ++iteration) seal_all(t.run, iteration);
  std::filesystem::remove_all(t.run.iteration(5));
  EXPECT_EQ(next_step(t.run), (Step{7, Stage::kGenerate}));
  EXPECT_EQ(find_gaps(t.run),
            std::vector<std::string>{"iteration 5: it is missing, and iteration 6 is there"});
}

TEST(NextStep, MissingShardsAndUnfinishedStagesAreReported) {
  const TempRun t;
  for (int iteration = 1; iteration <= 3; ++iteration) seal_all(t.run, iteration);
  std::filesystem::remove_all(t.run.shards(1));
  write_text(t.run.shards(2) / "r0001-000.h5", "rows");
  std::filesystem::remove(t.run.shards(2) / "r0000-000.h5");
  std::filesystem::remove(t.run.manifest(2, Stage::kGate));
  EXPECT_EQ(find_gaps(t.run),
            (std::vector<std::string>{"iteration 1: its shards are gone",
                                      "iteration 2: iterations/000002/shards/r0000-000.h5 is gone",
                                      "iteration 2: gate is not finished, and iteration 3 is there"}));
}

TEST(NextStep, ALaterStageWithoutAnEarlierOneIsRefused) {
  const TempRun t;
  seal_all(t.run, 1);
  seal(t.run, 2, Stage::kTrain);
  EXPECT_NE(error_of(ExitCode::kBadData, [&] { next_step(t.run); }).find("generate.json is missing"),
            std::string::npos);
}

}  // namespace
}  // namespace rf::test
