// Files that appear whole or not at all, and small reads.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace rf {

// Writes `text` beside `path`, fsyncs it, renames it over `path` and fsyncs the folder.
// Throws Error(kCannotWrite); the old file, if any, is then untouched.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

// Renames a finished file into place durably: fsync of the file, rename, fsync of the folder.
void seal_file(const std::filesystem::path& part, const std::filesystem::path& final_path);

// While it lives `check` is called, and may throw, before anything changes in `folder` or below: right before
// each rename of the functions above and each line of append_line(). What was to appear then does not, and no
// part file stays. A stage guards its run with the lock that it must still hold. One at a time in a process.
class GuardedFolder {
 public:
  GuardedFolder(std::filesystem::path folder, std::function<void()> check);
  ~GuardedFolder();
  GuardedFolder(const GuardedFolder&) = delete;
  GuardedFolder& operator=(const GuardedFolder&) = delete;
};

// A name for the unfinished twin of `path`, unique to this process: "<path>.<host>-<pid>.part".
std::filesystem::path part_path(const std::filesystem::path& path);

// Never throws: what cannot be looked at is not there.
bool file_exists(const std::filesystem::path& path);

// Throws Error(kInputMissing) with path and reason.
std::string read_file(const std::filesystem::path& path);

// Creates the folder and its parents. Throws Error(kCannotWrite).
void make_folders(const std::filesystem::path& path);

// Appends one line with a single write and fsyncs; begins a new line when the file ends in half of one.
// Throws Error(kCannotWrite).
void append_line(const std::filesystem::path& path, std::string_view line);

// To standard output, for programs whose result is what they print. Throws Error(kCannotWrite) when it is
// lost (full disk, closed); a reader that went away is no error.
void print_result(std::string_view text);

std::string host_name();

}  // namespace rf
