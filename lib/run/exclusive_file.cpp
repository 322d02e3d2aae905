#include "run/exclusive_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/error.h"
#include "base/files.h"

namespace rf {
namespace {

[[noreturn]] void cannot_write(const std::filesystem::path& path, int reason) {
  fail(ExitCode::kCannotWrite, "cannot write " + path.string(), std::strerror(reason),
       reason == ENOSPC || reason == EDQUOT ? "free some space and start the same command again"
                                            : "check the path and its permissions");
}

// Creates `path`, which must be new, with `text`. Returns 0 or the reason (errno); then no file is left.
int write_new(const std::filesystem::path& path, std::string_view text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return errno;
  int reason = 0;
  while (reason == 0 && !text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n >= 0) {
      text.remove_prefix(std::size_t(n));
    } else if (errno != EINTR) {
      reason = errno;
    }
  }
  if (reason == 0 && ::fsync(fd) != 0) reason = errno;
  if (::close(fd) != 0 && reason == 0) reason = errno;
  if (reason != 0) ::unlink(path.c_str());
  return reason;
}

void sync_folder(const std::filesystem::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;  // a folder without read permission; the file itself is safe
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

bool create_exclusively(const std::filesystem::path& path, std::string_view text) {
  static int calls = 0;
  // Not part_path() alone: two containers may share host name and process id.
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  std::filesystem::path draft = part_path(path);
  draft.replace_extension("." + std::to_string(now.tv_nsec) + "-" + std::to_string(++calls) + ".part");
  int reason = write_new(draft, text);
  if (reason != 0) cannot_write(path, reason);
  reason = ::link(draft.c_str(), path.c_str()) == 0 ? 0 : errno;
  if (reason != 0) {
    // A network file system may have made the link and lost the answer.
    struct stat facts {};
    if (::stat(draft.c_str(), &facts) == 0 && facts.st_nlink == 2) reason = 0;
  }
  ::unlink(draft.c_str());
  if (reason == EPERM || reason == EOPNOTSUPP || reason == ENOSYS) {
    reason = write_new(path, text);  // a file system without hard links
  }
  if (reason == EEXIST || reason == ENOENT) return false;  // ENOENT: a cleaner removed the draft
  if (reason != 0) cannot_write(path, reason);
  sync_folder(path.has_parent_path() ? path.parent_path() : std::filesystem::path("."));
  return true;
}

}  // namespace rf
