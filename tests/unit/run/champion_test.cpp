#include "run/champion.h"

#include "unit/run/temp_run.h"

namespace rf::test {
namespace {

TEST(Champion, IsReadAsWrittenAndReplaced) {
  const TempRun t;
  const RunLock lock(t.run, "gate");
  EXPECT_FALSE(read_champion(t.run));
  for (int iteration : {0, 7}) {
    write_text(t.run.network(iteration), "weights");
    const Champion champion{iteration, t.run.relative(t.run.network(iteration)), "abc",
                            "2026-01-31T12:00:00Z", "62.5 % of 40 games"};
    write_champion(lock, champion);
    EXPECT_EQ(read_champion(t.run), champion);
  }
}

TEST(Champion, NeedsItsNetworkAndTheLock) {
  const TempRun t;
  const RunLock lock(t.run, "gate");
  const Champion champion{1, "networks/000001.h5", "abc", "2026-01-31T12:00:00Z", "first network"};
  error_of(ExitCode::kInputMissing, [&] { write_champion(lock, champion); });
  write_text(t.run.network(1), "weights");
  std::filesystem::remove(t.run.lock_json());
  error_of(ExitCode::kTryAgain, [&] { write_champion(lock, champion); });
  EXPECT_FALSE(read_champion(t.run));
}

TEST(Champion, DamagedIsRefusedByName) {
  const TempRun t;
  for (const char* text : {"", "{\"iteration\": 1", "{\"iteration\": \"one\"}"}) {
    write_text(t.run.champion_json(), text);
    EXPECT_NE(error_of(ExitCode::kBadData, [&] { read_champion(t.run); }).find("champion.json"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace rf::test
