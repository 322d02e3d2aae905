#include "run/run_lock.h"

#include <set>
#include <thread>

#include "base/files.h"
#include "run/json_file.h"
#include "unit/run/temp_run.h"

namespace rf::test {
namespace {

// The lock as another process would have left it.
Json lock_of(const ProcessMark& process, const std::string& token) {
  return {{"host", process.host},
          {"boot", process.boot},
          {"pid_namespace", process.namespace_id},
          {"pid", process.pid},
          {"process_start", process.start},
          {"job", "4242"},
          {"stage", "train"},
          {"since", "2026-01-31T12:00:00Z"},
          {"since_unix", std::int64_t(std::time(nullptr)) - 3725},
          {"token", token}};
}

// A process that existed and has died; reaped unless `zombie`.
ProcessMark dead_process(pid_t* zombie = nullptr) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = start_child([&] {
    const std::uint64_t start = this_process().start;
    return ::write(ends[1], &start, sizeof start) == sizeof start ? 0 : 1;
  });
  ProcessMark mark = this_process();
  mark.pid = int(child);
  EXPECT_EQ(::read(ends[0], &mark.start, sizeof mark.start), ssize_t(sizeof mark.start));
  ::close(ends[0]);
  ::close(ends[1]);
  siginfo_t facts{};
  ::waitid(P_PID, id_t(child), &facts, WEXITED | WNOWAIT);
  if (zombie) {
    *zombie = child;
  } else {
    exit_status(child);
  }
  return mark;
}

TEST(RunLock, OneWriterAtATime) {
  const TempRun t;
  EXPECT_FALSE(lock_owner(t.run));
  {
    const RunLock lock(t.run, "generate");
    EXPECT_TRUE(lock.still_owned());
    lock.check_owned();
    const std::string text = error_of(ExitCode::kTryAgain, [&] { RunLock(t.run, "train"); });
    for (const std::string& fact :
         {host_name(), std::to_string(::getpid()), std::string("generate"), t.run.root().string()}) {
      EXPECT_NE(text.find(fact), std::string::npos) << text;
    }
    EXPECT_TRUE(lock.still_owned());
    EXPECT_EQ(lock_owner(t.run)->process, this_process());
  }
  EXPECT_FALSE(lock_owner(t.run));
  const RunLock next(t.run, "train");
  EXPECT_EQ(lock_owner(t.run)->stage, "train");
}

TEST(RunLock, AnotherProcessIsRefusedWhileTheOwnerRuns) {
  const TempRun t;
  const RunLock lock(t.run, "generate");
  const pid_t child = start_child([&] {
    RunLock other(t.run, "train");
    return 0;
  });
  EXPECT_EQ(exit_status(child), int(ExitCode::kTryAgain));
  EXPECT_TRUE(lock.still_owned());
}

TEST(RunLock, AForkedChildDoesNotRelease) {
  const TempRun t;
  auto lock = std::make_unique<RunLock>(t.run, "generate");
  const pid_t child = start_child([&] {
    lock.reset();
    return 0;
  });
  EXPECT_EQ(exit_status(child), 0);
  EXPECT_TRUE(lock->still_owned());
}

TEST(RunLock, SurvivesAKilledOwner) {
  const TempRun t;
  for (bool reaped : {false, true}) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = start_child([&] {
      const RunLock lock(t.run, "generate");
      if (::write(ends[1], "x", 1) != 1) return 1;
      std::this_thread::sleep_for(std::chrono::minutes(1));
      return 0;
    });
    char byte;
    ASSERT_EQ(::read(ends[0], &byte, 1), 1);
    ::close(ends[0]);
    ::close(ends[1]);
    error_of(ExitCode::kTryAgain, [&] { RunLock(t.run, "train"); });
    ::kill(child, SIGKILL);
    siginfo_t facts{};
    ::waitid(P_PID, id_t(child), &facts, WEXITED | WNOWAIT);
    if (reaped) exit_status(child);
    testing::internal::CaptureStderr();
    {
      const RunLock lock(t.run, "train");
      EXPECT_TRUE(lock.still_owned());
    }
    const std::string warning = testing::internal::GetCapturedStderr();
    EXPECT_NE(warning.find("generate, process " + std::to_string(child)), std::string::npos) << warning;
    if (!reaped) exit_status(child);
  }
}

TEST(RunLock, OfEightContendersForAStaleLockOneWins) {
  const TempRun t;
  for (int round = 0; round < 40; ++round) {
    write_json_file(t.run.lock_json(), lock_of(dead_process(), "stale" + std::to_string(round)));
    Gate start, end;
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    std::vector<pid_t> children;
    for (int i = 0; i < 8; ++i) {
      children.push_back(start_child([&] {
        start.wait();
        ::close(2);  // the warning
        char won = 'n';
        try {
          const RunLock lock(t.run, "train");
          won = 'y';
          if (::write(ends[1], &won, 1) != 1) return 4;
          end.wait();  // holds it until all have tried
          return lock.still_owned() ? 1 : 2;
        } catch (const Error& error) {
          if (::write(ends[1], &won, 1) != 1) return 4;
          return error.code() == ExitCode::kTryAgain ? 0 : 3;
        }
      }));
    }
    start.open();
    int winners = 0;
    for (int i = 0; i < 8; ++i) {
      char won;
      ASSERT_EQ(::read(ends[0], &won, 1), 1);
      winners += won == 'y';
    }
    end.open();
    ::close(ends[0]);
    ::close(ends[1]);
    EXPECT_EQ(winners, 1);
    for (pid_t child : children) EXPECT_LE(exit_status(child), 1);
    EXPECT_FALSE(lock_owner(t.run)) << "the winner has released it";
  }
}

TEST(RunLock, ContendersForAFreeLockHoldItOneByOne) {
  // Each adds its letter to a file that must not change while it holds the lock.
  const TempRun t;
  const auto shared = t.folder.path() / "shared";
  write_text(shared, "");
  Gate start;
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(start_child([&] {
      start.wait();
      for (int done = 0; done < 25;) {
        try {
          const RunLock lock(t.run, "train");
          const std::string before = read_text(shared);
          std::this_thread::yield();
          write_text(shared, before + char('a' + i));
          ++done;
        } catch (const Error& error) {
          if (error.code() != ExitCode::kTryAgain) return 3;
          std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
      }
      return 0;
    }));
  }
  start.open();
  for (pid_t child : children) EXPECT_EQ(exit_status(child), 0);
  EXPECT_EQ(read_text(shared).size(), 100u);
}

TEST(RunLock, AnIdThatAnotherProcessHasNowIsStale) {
  const TempRun t;
  ProcessMark process = this_process();
  process.start -= 1;
  write_json_file(t.run.lock_json(), lock_of(process, "old"));
  testing::internal::CaptureStderr();
  const RunLock lock(t.run, "train");
  testing::internal::GetCapturedStderr();
  EXPECT_TRUE(lock.still_owned());
}

TEST(RunLock, AnOwnerOfBeforeARestartIsStale) {
  ProcessMark process = this_process();
  process.boot = "00000000-0000-0000-0000-000000000000";
  EXPECT_EQ(look_at(process),
            process.host.rfind("localhost", 0) == 0 ? ProcessState::kUnknown : ProcessState::kGone);
  process = this_process();
  EXPECT_EQ(look_at(process), ProcessState::kAlive);
  process.namespace_id = "pid:[1]";
  EXPECT_EQ(look_at(process), ProcessState::kUnknown) << "a container's processes cannot be seen";
  pid_t zombie = 0;
  EXPECT_EQ(look_at(dead_process(&zombie)), ProcessState::kGone);
  exit_status(zombie);
}

TEST(RunLock, AnotherHostIsNeverGuessedDead) {
  const TempRun t;
  ProcessMark process = dead_process();
  process.host = "node7";
  write_json_file(t.run.lock_json(), lock_of(process, "far"));
  const std::string text = error_of(ExitCode::kTryAgain, [&] { RunLock(t.run, "gate"); });
  for (const std::string& fact :
       {std::string("node7"), std::to_string(process.pid), std::string("job 4242"), std::string("train"),
        std::string("1 h 02 min"), std::string("--break-lock")}) {
    EXPECT_NE(text.find(fact), std::string::npos) << text;
  }
  const auto broken = break_lock(t.run);
  ASSERT_TRUE(broken);
  EXPECT_EQ(broken->token, "far");
  EXPECT_FALSE(break_lock(t.run)) << "it is free now";
  const RunLock lock(t.run, "gate");
}

TEST(RunLock, ALockBrokenOrTakenByAnotherIsNoticedAndLeftAlone) {
  const TempRun t;
  {
    const RunLock lock(t.run, "train");
    error_of(ExitCode::kTryAgain, [&] { break_lock(t.run); });  // its owner runs
    std::filesystem::remove(t.run.lock_json());
    EXPECT_FALSE(lock.still_owned());
    error_of(ExitCode::kTryAgain, [&] { lock.check_owned(); });
    ProcessMark other = this_process();
    other.host = "node9";
    write_json_file(t.run.lock_json(), lock_of(other, "other"));
    EXPECT_FALSE(lock.still_owned());
    EXPECT_NE(error_of(ExitCode::kTryAgain, [&] { lock.check_owned(); }).find("node9"), std::string::npos);
  }
  ASSERT_TRUE(lock_owner(t.run));
  EXPECT_EQ(lock_owner(t.run)->token, "other");
}

TEST(RunLock, ItsTokenServesTheOtherProcessesOfTheOwner) {
  const TempRun t;
  const RunLock lock(t.run, "train");
  const OwnerToken token(t.run, lock.token().text());
  token.check_owned();
  std::filesystem::remove(t.run.lock_json());
  EXPECT_FALSE(token.still_owned());
  const RunLock next(t.run, "train");
  EXPECT_FALSE(token.still_owned());
  EXPECT_TRUE(next.token().still_owned());
  error_of(ExitCode::kTryAgain, [&] { token.check_owned(); });
}

TEST(RunLock, ADamagedLockIsRefusedUntilBroken) {
  const TempRun t;
  for (const char* text : {"", "{", "{\"host\": 3}"}) {
    write_text(t.run.lock_json(), text);
    const std::string message = error_of(ExitCode::kBadData, [&] { RunLock(t.run, "train"); });
    EXPECT_NE(message.find("lock.json"), std::string::npos);
    EXPECT_NE(message.find("--break-lock"), std::string::npos) << message;
    EXPECT_TRUE(break_lock(t.run));
    EXPECT_FALSE(std::filesystem::exists(t.run.lock_json()));
  }
}

TEST(RunLock, TellsTheJob) {
  const TempRun t;
  ::setenv("SLURM_JOB_ID", "99", 1);
  const RunLock lock(t.run, "train");
  ::unsetenv("SLURM_JOB_ID");
  EXPECT_EQ(lock_owner(t.run)->job, "99");
  EXPECT_NE(lock_owner(t.run)->text().find("job 99"), std::string::npos);
}

}  // namespace
}  // namespace rf::test
