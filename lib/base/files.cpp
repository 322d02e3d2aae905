#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"

namespace rf {
namespace {

constexpr std::string_view kCheckPath = "check the path and its permissions";

class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  bool close() {
    const int fd = fd_;
    fd_ = -1;
    return ::close(fd) == 0;
  }

 private:
  int fd_;
};

[[noreturn]] void cannot_write(const std::filesystem::path& path, int reason) {
  const std::string_view hint = reason == ENOSPC || reason == EDQUOT
                                    ? "free some space and start the same command again"
                                    : "check the path and its permissions";
  fail(ExitCode::kCannotWrite, "cannot write " + path.string(), std::strerror(reason), hint);
}

void write_all(int fd, std::string_view text, const std::filesystem::path& path) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) cannot_write(path, errno);
    text.remove_prefix(std::size_t(n));
  }
}

void sync_path(const std::filesystem::path& path, int flags) {
  const Descriptor file(path, flags);
  if (file.get() < 0 || ::fsync(file.get()) != 0) {
    if (errno != EINVAL) cannot_write(path, errno);  // some file systems cannot sync a folder
  }
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

struct Guard {
  std::string folder;  // absolute, with a slash at its end
  std::function<void()> check;
};
Guard g_guard;

void ask_guard(const std::filesystem::path& path) {
  if (!g_guard.check) return;
  const std::string name = std::filesystem::absolute(path).lexically_normal().string();
  if (name.starts_with(g_guard.folder)) g_guard.check();
}

void rename_durably(const std::filesystem::path& from, const std::filesystem::path& to) {
  ask_guard(to);
  if (::rename(from.c_str(), to.c_str()) != 0) cannot_write(to, errno);
  sync_path(folder_of(to), O_RDONLY | O_DIRECTORY);
}

}  // namespace

GuardedFolder::GuardedFolder(std::filesystem::path folder, std::function<void()> check) {
  RF_ASSERT(!g_guard.check);
  g_guard = {(std::filesystem::absolute(folder) / "").lexically_normal().string(), std::move(check)};
}
GuardedFolder::~GuardedFolder() {
  g_guard = {};
}

void seal_file(const std::filesystem::path& part, const std::filesystem::path& final_path) {
  sync_path(part, O_RDONLY);
  rename_durably(part, final_path);
}

std::filesystem::path part_path(const std::filesystem::path& path) {
  return path.string() + "." + host_name() + "-" + std::to_string(::getpid()) + ".part";
}

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
  const std::filesystem::path part = part_path(path);
  Descriptor file(part, O_WRONLY | O_CREAT | O_TRUNC);
  if (file.get() < 0) cannot_write(path, errno);
  struct Remover {  // leaves no part behind when anything fails
    const std::filesystem::path& part;
    bool armed = true;
    ~Remover() {
      if (armed) ::unlink(part.c_str());
    }
  } remover{part};
  write_all(file.get(), text, path);
  // By the descriptor that wrote, and closed with a look at the result: network file systems report late.
  if (::fsync(file.get()) != 0 || !file.close()) cannot_write(path, errno);
  rename_durably(part, path);
  remover.armed = false;
}

std::string read_file(const std::filesystem::path& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) {
    fail(ExitCode::kInputMissing, "cannot read " + path.string(), std::strerror(errno), kCheckPath);
  }
  if (!S_ISREG(facts.st_mode))
    fail(ExitCode::kInputMissing, "cannot read " + path.string(), "not a regular file", kCheckPath);
  const Descriptor file(path, O_RDONLY);
  if (file.get() < 0)
    fail(ExitCode::kInputMissing, "cannot read " + path.string(), std::strerror(errno), kCheckPath);
  std::string text;
  char buffer[1 << 14];
  for (;;) {
    const ssize_t n = ::read(file.get(), buffer, sizeof buffer);
    if (n == 0) return text;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(ExitCode::kBadData, "cannot read " + path.string(), std::strerror(errno));
    text.append(buffer, std::size_t(n));
  }
}

void make_folders(const std::filesystem::path& path) {
  std::error_code reason;
  std::filesystem::create_directories(path, reason);
  if (reason) cannot_write(path, reason.value());
}

void append_line(const std::filesystem::path& path, std::string_view line) {
  const Descriptor file(path, O_RDWR | O_CREAT | O_APPEND);
  if (file.get() < 0) cannot_write(path, errno);
  ask_guard(path);
  // A crash or a full disk may have left half a line: it stays alone on its line.
  const off_t size = ::lseek(file.get(), 0, SEEK_END);
  char last = '\n';
  if (size > 0 && ::pread(file.get(), &last, 1, size - 1) != 1) cannot_write(path, errno);
  write_all(file.get(), (last == '\n' ? "" : "\n") + std::string(line) + "\n", path);
  if (::fsync(file.get()) != 0) cannot_write(path, errno);
}

bool file_exists(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

void print_result(std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if ((std::fflush(stdout) != 0 || !written) && errno != EPIPE) {
    fail(ExitCode::kCannotWrite, "cannot write to standard output", std::strerror(errno));
  }
}

std::string host_name() {
  char buffer[256] = {};
  if (::gethostname(buffer, sizeof buffer - 1) != 0) return "unknown";
  return buffer;
}

}  // namespace rf
