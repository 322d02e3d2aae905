#include "run/run_directory.h"

#include <fcntl.h>
#include <grp.h>

#include <set>
#include <thread>

#include "base/digest.h"
#include "run/json_file.h"
#include "unit/run/temp_run.h"

namespace rf::test {
namespace {

TEST(RunDirectory, IsMadeOnceAndOpened) {
  TempFolder folder;
  const auto path = folder.path() / "deep" / "run";
  const RunDirectory made = RunDirectory::create(path, kYaml);
  EXPECT_TRUE(made.made_here());
  EXPECT_EQ(made.run_config(), kYaml);
  EXPECT_EQ(made.identity().config_digest, sha256(kYaml));
  EXPECT_EQ(read_text(path / "run.yaml"), kYaml);

  const RunDirectory again = RunDirectory::create(path, "run:\n  seed: 8\n");
  EXPECT_FALSE(again.made_here());
  EXPECT_EQ(again.identity().id, made.identity().id);
  EXPECT_EQ(again.run_config(), kYaml) << "the first config is the run's";
  EXPECT_EQ(RunDirectory::open(path).identity().id, made.identity().id);
  EXPECT_NE(RunDirectory::create(folder.path() / "other", kYaml).identity().id, made.identity().id);
}

TEST(RunDirectory, NamesItsFiles) {
  const TempRun t;
  const auto& root = t.run.root();
  EXPECT_EQ(t.run.shards(7), root / "iterations/000007/shards");
  EXPECT_EQ(t.run.candidate(7), root / "iterations/000007/candidate");
  EXPECT_EQ(t.run.manifest(12, Stage::kGate), root / "iterations/000012/gate.json");
  EXPECT_EQ(t.run.network(0), root / "networks/000000.h5");
  EXPECT_EQ(t.run.relative(t.run.network(7)), "networks/000007.h5");
  EXPECT_EQ(t.run.metrics(), root / "metrics.jsonl");
}

TEST(RunDirectory, HalfMadeIsCompletedByTheSameCommand) {
  TempFolder folder;
  const auto path = folder.path() / "run";
  write_text(path / "run.yaml", kYaml);
  write_text(path / "run.json.somehost-1.5-1.part", "{\"id\"");
  EXPECT_NE(error_of(ExitCode::kInputMissing, [&] { RunDirectory::open(path); }).find("half made"),
            std::string::npos);
  const RunDirectory run = RunDirectory::create(path, kYaml);
  EXPECT_EQ(run.identity().config_digest, sha256(kYaml));
  EXPECT_EQ(RunDirectory::open(path).identity().id, run.identity().id);
}

TEST(RunDirectory, KilledAtAnyMomentIsMadeByTheSameCommand) {
  TempFolder folder;
  for (int round = 0; round < 40; ++round) {
    const auto path = folder.path() / std::to_string(round);
    const pid_t child = start_child([&] {
      RunDirectory::create(path, kYaml);
      return 0;
    });
    std::this_thread::sleep_for(std::chrono::microseconds(50 * round));
    ::kill(child, SIGKILL);
    exit_status(child);
    const RunDirectory run = RunDirectory::create(path, kYaml);
    EXPECT_EQ(run.run_config(), kYaml);
    EXPECT_EQ(run.identity().config_digest, sha256(kYaml));
  }
}

TEST(RunDirectory, OfManyMakersOneWinsAndAllSeeItsRun) {
  TempFolder folder;
  for (int round = 0; round < 10; ++round) {
    const auto path = folder.path() / std::to_string(round);
    Gate gate;
    std::vector<pid_t> children;
    for (int i = 0; i < 8; ++i) {
      children.push_back(start_child([&] {
        gate.wait();
        const std::string yaml = "run:\n  seed: " + std::to_string(i) + "\n";
        const RunDirectory run = RunDirectory::create(path, yaml);
        if (run.made_here() && run.run_config() != yaml) return 3;
        write_text(path / "logs" / std::to_string(i), run.identity().id + run.run_config());
        return run.made_here() ? 1 : 0;
      }));
    }
    gate.open();
    int winners = 0;
    for (pid_t child : children) {
      const int status = exit_status(child);
      ASSERT_LE(status, 1);
      winners += status;
    }
    EXPECT_EQ(winners, 1);
    std::set<std::string> seen;
    for (int i = 0; i < 8; ++i) seen.insert(read_text(path / "logs" / std::to_string(i)));
    EXPECT_EQ(seen.size(), 1u) << "all makers must see one id and one config";
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      EXPECT_NE(entry.path().extension(), ".part") << entry.path();
    }
  }
}

TEST(RunDirectory, WorksAtAnyPath) {
  TempFolder folder;
  const std::string part(97, 'x');
  const std::vector<std::filesystem::path> paths{
      folder.path() / "Läufe 2024" / "Größe 7x9 #1", folder.path() / part / part / part / part,
      folder.path() / "slash/", folder.path() / "a" / ".." / "b" / "." / "c",
      folder.path() / "qu'o\"te $HOME"};
  for (const auto& path : paths) {
    const RunDirectory run = RunDirectory::create(path, kYaml);
    EXPECT_TRUE(run.root().has_filename()) << run.root();
    EXPECT_EQ(RunDirectory::open(path).identity().id, run.identity().id) << path;
    EXPECT_EQ(run.relative(run.shards(1) / "r0000-000.h5"), "iterations/000001/shards/r0000-000.h5");
    EXPECT_EQ(read_text(run.run_yaml()), kYaml);
  }
}

TEST(RunDirectory, WorksThroughASymbolicLink) {
  const TempRun t;
  const auto link = t.folder.path() / "link";
  std::filesystem::create_directory_symlink(t.run.root(), link);
  const RunDirectory run = RunDirectory::open(link);
  EXPECT_EQ(run.identity().id, t.run.identity().id);
  EXPECT_EQ(run.root(), link);
  EXPECT_EQ(RunDirectory::open(link.string() + "/").root(), link);
}

TEST(RunDirectory, ARelativePathOutlivesAChangeOfFolder) {
  TempFolder folder;
  const pid_t child = start_child([&] {
    std::filesystem::current_path(folder.path());
    const RunDirectory run = RunDirectory::create("runs/one", kYaml);
    std::filesystem::current_path("/");
    return std::filesystem::exists(run.run_json()) ? 0 : 1;
  });
  EXPECT_EQ(exit_status(child), 0);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "runs/one/run.json"));
}

TEST(RunDirectory, SaysWhatIsNoRun) {
  TempFolder folder;
  const auto file = folder.path() / "file";
  write_text(file, "text");
  for (const auto& path : {folder.path() / "nothing", file, folder.path()}) {
    const std::string text = error_of(ExitCode::kInputMissing, [&] { RunDirectory::open(path); });
    EXPECT_NE(text.find(path.string()), std::string::npos) << text;
    EXPECT_NE(text.find("--config"), std::string::npos) << text;
  }
  error_of(ExitCode::kUsage, [] { RunDirectory::open(""); });
}

TEST(RunDirectory, AnEditedConfigOrDamagedIdentityIsRefused) {
  const TempRun t;
  const std::string identity = read_text(t.run.run_json());
  for (const std::string& damaged :
       {std::string(), identity.substr(0, 40), std::string("[]"), std::string("{}")}) {
    write_text(t.run.run_json(), damaged);
    const std::string text = error_of(ExitCode::kBadData, [&] { RunDirectory::open(t.run.root()); });
    EXPECT_NE(text.find("run.json"), std::string::npos) << text;
  }
  Json later = Json::parse(identity);
  later["format"] = 2;
  write_json_file(t.run.run_json(), later);
  EXPECT_NE(error_of(ExitCode::kBadData, [&] { RunDirectory::open(t.run.root()); }).find("later software"),
            std::string::npos);
  write_text(t.run.run_json(), identity);
  write_text(t.run.run_yaml(), std::string(kYaml) + "  extra: 1\n");
  EXPECT_NE(error_of(ExitCode::kBadConfig, [&] { RunDirectory::open(t.run.root()); }).find("run.yaml"),
            std::string::npos);
}

TEST(RunDirectory, SaysWhereItCannotWrite) {
  TempFolder folder;
  write_text(folder.path() / "file", "text");
  for (const std::filesystem::path& path :
       {folder.path() / "file", folder.path() / "file" / "run", std::filesystem::path("/proc/rf_no_run")}) {
    const std::string text = error_of(ExitCode::kCannotWrite, [&] { RunDirectory::create(path, kYaml); });
    EXPECT_NE(text.find(path.string()), std::string::npos) << text;
  }
  // A folder of someone else, and a finished run there: reading is all right.
  const RunDirectory run = RunDirectory::create(folder.path() / "run", kYaml);
  const auto closed = folder.path() / "closed";
  std::filesystem::create_directory(closed);
  using std::filesystem::perms;
  for (const auto& path : {folder.path(), run.root(), closed}) {
    std::filesystem::permissions(path, perms(0555));
  }
  const pid_t child = start_child([&] {
    if (::geteuid() == 0 && (::setgroups(0, nullptr) != 0 || ::setgid(65534) != 0 || ::setuid(65534) != 0))
      return 98;
    if (RunDirectory::open(run.root()).identity().id != run.identity().id) return 1;
    if (RunDirectory::create(run.root(), kYaml).made_here()) return 2;
    RunDirectory::create(closed, kYaml);
    return 0;
  });
  EXPECT_EQ(exit_status(child), int(ExitCode::kCannotWrite));
  std::filesystem::permissions(folder.path(), perms(0755));
  std::filesystem::permissions(closed, perms(0755));
  std::filesystem::permissions(run.root(), perms(0755));
}

}  // namespace
}  // namespace rf::test
