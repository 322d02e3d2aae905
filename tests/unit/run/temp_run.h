// A folder that goes with the test, a run in it, and child processes.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "base/error.h"
#include "run/run_directory.h"

namespace rf::test {

class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "rf_run_XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline constexpr const char* kYaml = "run:\n  seed: 7\n";

struct TempRun {
  TempFolder folder;
  RunDirectory run = RunDirectory::create(folder.path() / "run", kYaml);
};

inline void write_text(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// What `call` fails with; fails the test when it does not, or with another code.
inline std::string error_of(ExitCode code, const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(int(error.code()), int(code)) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing failed";
  return "";
}

// Runs `body` in a child; its result is the exit status, an Error's code that of an Error.
inline pid_t start_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  int code = 99;
  try {
    code = body();
  } catch (const Error& error) {
    code = int(error.code());
  }
  ::_exit(code);
}

inline int exit_status(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Holds children until open(), so that they begin at the same time.
class Gate {
 public:
  Gate() { EXPECT_EQ(::pipe(ends_), 0); }
  ~Gate() {
    ::close(ends_[0]);
    if (ends_[1] >= 0) ::close(ends_[1]);
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  void wait() {  // in a child
    ::close(ends_[1]);
    ends_[1] = -1;
    char byte;
    while (::read(ends_[0], &byte, 1) > 0) {
    }
  }
  void open() {  // in the parent
    ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2];
};

}  // namespace rf::test
