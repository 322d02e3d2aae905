#include "run/exclusive_file.h"

#include "unit/run/temp_run.h"

namespace rf::test {
namespace {

TEST(ExclusiveFile, IsWholeAndNeverReplaced) {
  TempFolder folder;
  const auto path = folder.path() / "file";
  EXPECT_TRUE(create_exclusively(path, "first"));
  EXPECT_FALSE(create_exclusively(path, "second"));
  EXPECT_EQ(read_text(path), "first");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "no draft is left";
  error_of(ExitCode::kCannotWrite, [&] { create_exclusively(folder.path() / "no" / "file", "text"); });
}

TEST(ExclusiveFile, OfManyOneWins) {
  TempFolder folder;
  for (int round = 0; round < 20; ++round) {
    const auto path = folder.path() / std::to_string(round);
    Gate gate;
    std::vector<pid_t> children;
    for (int i = 0; i < 8; ++i) {
      children.push_back(start_child([&] {
        gate.wait();
        return create_exclusively(path, std::string(10'000, char('a' + i))) ? 1 + i : 0;
      }));
    }
    gate.open();
    int winners = 0, winner = 0;
    for (pid_t child : children) {
      if (const int status = exit_status(child)) {
        ++winners;
        winner = status - 1;
      }
    }
    EXPECT_EQ(winners, 1);
    EXPECT_EQ(read_text(path), std::string(10'000, char('a' + winner)));
  }
}

}  // namespace
}  // namespace rf::test
