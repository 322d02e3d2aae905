#include "base/files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <vector>

#include "base/error.h"
#include "scratch_folder.h"

namespace rf::testing {
namespace {

template <class Call>
Error error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error(ExitCode::kDone, "");
}

// No file of this process may grow beyond `bytes`: what a full disk looks like, without filling one.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

TEST(WriteFileAtomically, WritesAndReplaces) {
  const ScratchFolder scratch;
  const auto path = scratch / "a file.json";
  write_file_atomically(path, "one");
  EXPECT_EQ(read_file(path), "one");
  write_file_atomically(path, std::string(300'000, 'x'));
  EXPECT_EQ(read_file(path), std::string(300'000, 'x'));
  write_file_atomically(path, "");
  EXPECT_EQ(read_file(path), "");
  EXPECT_EQ(scratch.count(), 1u) << "a part was left behind";
}

TEST(WriteFileAtomically, IsANewFileNotTheOldOneWrittenOver) {
  const ScratchFolder scratch;
  const auto path = scratch / "file";
  write_file_atomically(path, "old");
  std::ifstream reader(path);  // opened before: goes on reading the old text
  write_file_atomically(path, "new");
  std::string text;
  reader >> text;
  EXPECT_EQ(text, "old");
  EXPECT_EQ(read_file(path), "new");
}

TEST(WriteFileAtomically, FailedWriteLeavesTheOldFileAndNoPart) {
  const ScratchFolder scratch;
  const auto path = scratch / "file";
  write_file_atomically(path, "old");
  {
    const FileSizeLimit limit(1000);
    const Error error = error_of([&] { write_file_atomically(path, std::string(100'000, 'x')); });
    EXPECT_EQ(error.code(), ExitCode::kCannotWrite);
    EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
  }
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(scratch.count(), 1u) << "a part was left behind";
}

// The part used to stay when the rename failed.
TEST(WriteFileAtomically, FailedRenameLeavesNoPart) {
  const ScratchFolder scratch;
  make_folders(scratch / "taken/by a folder");
  const Error error = error_of([&] { write_file_atomically(scratch / "taken", "text"); });
  EXPECT_EQ(error.code(), ExitCode::kCannotWrite);
  EXPECT_EQ(scratch.count(), 1u) << "a part was left behind";
}

TEST(WriteFileAtomically, NamesThePathThatCannotBe) {
  const ScratchFolder scratch;
  write_file_atomically(scratch / "file", "text");
  for (const char* name : {"file/below", "no folder/file"}) {
    const Error error = error_of([&] { write_file_atomically(scratch / name, "text"); });
    EXPECT_EQ(error.code(), ExitCode::kCannotWrite);
    EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
  }
  EXPECT_EQ(read_file(scratch / "file"), "text");
}

TEST(WriteFileAtomically, TakesARelativePathWithoutAFolder) {
  const ScratchFolder scratch;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(scratch.path());
  write_file_atomically("bare", "text");
  std::filesystem::current_path(before);
  EXPECT_EQ(read_file(scratch / "bare"), "text");
}

TEST(SealFile, RenamesOrNamesTheTarget) {
  const ScratchFolder scratch;
  std::ofstream(scratch / "shard.part") << "rows";
  seal_file(scratch / "shard.part", scratch / "shard");
  EXPECT_EQ(read_file(scratch / "shard"), "rows");
  EXPECT_EQ(scratch.count(), 1u);
  const Error error = error_of([&] { seal_file(scratch / "missing.part", scratch / "shard"); });
  EXPECT_EQ(error.code(), ExitCode::kCannotWrite);
  EXPECT_EQ(read_file(scratch / "shard"), "rows");
}

TEST(GuardedFolder, IsAskedBeforeAnythingChangesInIt) {
  const ScratchFolder scratch;
  const auto run = scratch / "run";
  make_folders(run / "below");
  write_file_atomically(run / "below/old", "old");
  append_line(run / "log", "one");
  std::ofstream(run / "shard.part") << "rows";
  int asked = 0;
  bool owned = true;
  {
    const GuardedFolder guard(run, [&] {
      ++asked;
      if (!owned) fail(ExitCode::kTryAgain, "the lock is lost");
    });
    write_file_atomically(run / "below/old", "newer");
    write_file_atomically(scratch / "run.json", "beside it");
    EXPECT_EQ(asked, 1);
    append_line(run / "log", "two");
    EXPECT_EQ(asked, 2);
    owned = false;
    for (const auto& change :
         std::vector<std::function<void()>>{[&] { write_file_atomically(run / "below/old", "newest"); },
                                            [&] { write_file_atomically(run / "below/../new", "new"); },
                                            [&] { append_line(run / "log", "three"); },
                                            [&] { seal_file(run / "shard.part", run / "shard"); }}) {
      EXPECT_EQ(error_of(change).code(), ExitCode::kTryAgain);
    }
    write_file_atomically(scratch / "run.json", "still beside it");
  }
  EXPECT_EQ(asked, 6);
  EXPECT_EQ(read_file(run / "below/old"), "newer");
  EXPECT_EQ(read_file(run / "log"), "one\ntwo\n");
  EXPECT_FALSE(file_exists(run / "new") || file_exists(run / "shard"));
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(run))
    files += entry.is_regular_file();
  EXPECT_EQ(files, 3u) << "a part was left behind";
  seal_file(run / "shard.part", run / "shard");  // nobody asks any more
  EXPECT_EQ(asked, 6);
}

TEST(PartPath, IsBesideTheFileAndEndsInPart) {
  const auto part = part_path("/run/shards/r0000-000.h5");
  EXPECT_EQ(part.parent_path(), "/run/shards");
  EXPECT_TRUE(part.string().starts_with("/run/shards/r0000-000.h5."));
  EXPECT_TRUE(part.string().ends_with(".part"));
  EXPECT_NE(part.string().find("-" + std::to_string(::getpid()) + "."), std::string::npos);
}

TEST(ReadFile, ReadsAllBytesAndRefusesWhatIsNoFile) {
  const ScratchFolder scratch;
  const std::string bytes = std::string("a\0\r\n\xff", 5) + std::string(50'000, 'z');
  std::ofstream(scratch / "bytes", std::ios::binary) << bytes;
  EXPECT_EQ(read_file(scratch / "bytes"), bytes);
  for (const auto& path : {scratch / "missing", scratch.path()}) {
    const Error error = error_of([&] { read_file(path); });
    EXPECT_EQ(error.code(), ExitCode::kInputMissing);
    EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
  }
}

TEST(MakeFolders, MakesParentsAndAcceptsWhatIsThere) {
  const ScratchFolder scratch;
  make_folders(scratch / "a/b/c");
  make_folders(scratch / "a/b/c");
  EXPECT_TRUE(std::filesystem::is_directory(scratch / "a/b/c"));
  std::ofstream(scratch / "file") << "text";
  EXPECT_EQ(error_of([&] { make_folders(scratch / "file/below"); }).code(), ExitCode::kCannotWrite);
}

TEST(AppendLine, AddsLines) {
  const ScratchFolder scratch;
  append_line(scratch / "log", "one");
  append_line(scratch / "log", "");
  append_line(scratch / "log", "three");
  EXPECT_EQ(read_file(scratch / "log"), "one\n\nthree\n");
}

// A line after half a line (crash, full disk) used to be glued to it, so that both were lost.
TEST(AppendLine, BeginsANewLineAfterHalfOfOne) {
  const ScratchFolder scratch;
  std::ofstream(scratch / "log") << "one\n{\"half\": ";
  append_line(scratch / "log", "three");
  EXPECT_EQ(read_file(scratch / "log"), "one\n{\"half\": \nthree\n");
}

TEST(AppendLine, SaysWhatCannotBeWritten) {
  const ScratchFolder scratch;
  append_line(scratch / "log", "one");
  EXPECT_EQ(error_of([&] { append_line(scratch / "log/below", "x"); }).code(), ExitCode::kCannotWrite);
  {
    const FileSizeLimit limit(4);
    EXPECT_EQ(error_of([&] { append_line(scratch / "log", "two"); }).code(), ExitCode::kCannotWrite);
  }
  EXPECT_EQ(read_file(scratch / "log"), "one\n");
}

TEST(HostName, IsNotEmpty) {
  EXPECT_FALSE(host_name().empty());
}

}  // namespace
}  // namespace rf::testing
