#include "run/manifest.h"

#include "unit/run/temp_run.h"

namespace rf::test {
namespace {

TEST(Manifest, IsReadAsWritten) {
  const TempRun t;
  const RunLock lock(t.run, "generate");
  EXPECT_FALSE(read_manifest(t.run, 1, Stage::kGenerate));
  write_manifest(lock, 1, Stage::kGenerate, {{"games", 40}, {"network", "abc"}});
  const auto facts = read_manifest(t.run, 1, Stage::kGenerate);
  ASSERT_TRUE(facts);
  EXPECT_EQ((*facts)["games"], 40);
  EXPECT_EQ((*facts)["network"], "abc");
  EXPECT_EQ((*facts)["iteration"], 1);
  EXPECT_EQ((*facts)["stage"], "generate");
  EXPECT_EQ((*facts)["run"], t.run.identity().id);
  EXPECT_FALSE(read_manifest(t.run, 1, Stage::kTrain));
}

TEST(Manifest, IsNeverOverwritten) {
  const TempRun t;
  const RunLock lock(t.run, "gate");
  write_manifest(lock, 3, Stage::kGate, {{"games", 1}});
  error_of(ExitCode::kInternal, [&] { write_manifest(lock, 3, Stage::kGate, {{"games", 2}}); });
  EXPECT_EQ((*read_manifest(t.run, 3, Stage::kGate))["games"], 1);
}

TEST(Manifest, IsNotWrittenAfterTheLockWasLost) {
  const TempRun t;
  const RunLock lock(t.run, "gate");
  std::filesystem::remove(t.run.lock_json());
  error_of(ExitCode::kTryAgain, [&] { write_manifest(lock, 1, Stage::kGate, Json::object()); });
  EXPECT_FALSE(std::filesystem::exists(t.run.manifest(1, Stage::kGate)));
}

TEST(Manifest, DamagedOrForeignIsRefusedByName) {
  const TempRun t;
  const auto path = t.run.manifest(2, Stage::kTrain);
  {
    const RunLock lock(t.run, "train");
    write_manifest(lock, 2, Stage::kTrain, {{"loss", 0.5}});
  }
  const std::string whole = read_text(path);
  for (const std::string& text : {std::string(), whole.substr(0, whole.size() / 2), std::string("[1]"),
                                  std::string("{\"stage\": \"train\"}")}) {
    write_text(path, text);
    const std::string message = error_of(ExitCode::kBadData, [&] { read_manifest(t.run, 2, Stage::kTrain); });
    EXPECT_NE(message.find(path.string()), std::string::npos) << message;
  }
  // Copied from another place.
  write_text(t.run.manifest(3, Stage::kTrain), whole);
  EXPECT_NE(error_of(ExitCode::kBadData, [&] { read_manifest(t.run, 3, Stage::kTrain); }).find("iteration 2"),
            std::string::npos);
  write_text(t.run.manifest(2, Stage::kGate), whole);
  error_of(ExitCode::kBadData, [&] { read_manifest(t.run, 2, Stage::kGate); });
  const TempRun other;
  write_text(other.run.manifest(2, Stage::kTrain), whole);
  error_of(ExitCode::kBadData, [&] { read_manifest(other.run, 2, Stage::kTrain); });
}

TEST(Manifest, BytesThatAreNoTextDoNotStopTheSeal) {
  const TempRun t;
  const RunLock lock(t.run, "train");
  write_manifest(lock, 1, Stage::kTrain, {{"file", "L\xe4ufe"}});  // Latin-1
  EXPECT_EQ((*read_manifest(t.run, 1, Stage::kTrain))["file"], "L\xef\xbf\xbdufe");
}

}  // namespace
}  // namespace rf::test
