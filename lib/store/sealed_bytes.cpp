#include "store/sealed_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "base/random_stream.h"

namespace rf {
namespace {

constexpr std::string_view kMark = "rankfile-seal:";
constexpr std::size_t kSealBytes = kMark.size() + 16 + 1;
constexpr std::size_t kBlockBytes = 1 << 20;
constexpr std::string_view kSignature("\x89HDF\r\n\x1a\n", 8);

[[noreturn]] void cannot_read(const std::filesystem::path& path, ExitCode code, std::string_view why,
                              std::string_view hint = {}) {
  fail(code, "cannot read " + path.string(), why, hint);
}

class Descriptor {
 public:
  explicit Descriptor(const std::filesystem::path& path)
      : path_(path), fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (fd_ < 0) cannot_read(path, ExitCode::kInputMissing, std::strerror(errno));
  }
  ~Descriptor() { ::close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  // All of `out`, from `at`; the file must be long enough.
  void read(std::size_t at, std::span<char> out) const {
    while (!out.empty()) {
      const ssize_t n = ::pread(fd_, out.data(), out.size(), off_t(at));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) cannot_read(path_, ExitCode::kBadData, std::strerror(errno));
      if (n == 0) cannot_read(path_, ExitCode::kBadData, "it became shorter while it was read");
      at += std::size_t(n);
      out = out.subspan(std::size_t(n));
    }
  }

 private:
  const std::filesystem::path& path_;
  int fd_;
};

// Over blocks of kBlockBytes; the last one may be shorter.
std::uint64_t chain(std::uint64_t before, std::string_view block) {
  return combine64(before, digest64(std::as_bytes(std::span(block))));
}

std::string line_of(std::uint64_t checksum) {
  return std::string(kMark) + hex64(checksum) + "\n";
}

}  // namespace

std::string seal_line(std::string_view bytes) {
  std::uint64_t checksum = 0;
  for (std::size_t at = 0; at < bytes.size(); at += kBlockBytes) {
    checksum = chain(checksum, bytes.substr(at, kBlockBytes));
  }
  return line_of(checksum);
}

std::int64_t check_sealed(const std::filesystem::path& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) cannot_read(path, ExitCode::kInputMissing, std::strerror(errno));
  if (S_ISDIR(facts.st_mode)) cannot_read(path, ExitCode::kBadData, "it is a folder");
  if (!S_ISREG(facts.st_mode)) cannot_read(path, ExitCode::kBadData, "it is not a regular file");
  if (facts.st_size == 0) cannot_read(path, ExitCode::kBadData, "the file is empty");
  const std::size_t size = std::size_t(facts.st_size);
  const Descriptor file(path);
  std::string head(std::min(size, kSignature.size()), '\0');
  file.read(0, head);
  if (head != kSignature.substr(0, head.size()))
    cannot_read(path, ExitCode::kBadData, "it is not an HDF5 file");
  std::string line(std::min(size, kSealBytes), '\0');
  file.read(size - line.size(), line);
  if (!line.starts_with(kMark)) {
    cannot_read(path, ExitCode::kBadData, "its last line is no seal",
                "the file is cut, or was changed after it had been written");
  }
  std::uint64_t checksum = 0;
  std::string block;
  for (std::size_t at = 0; at < size - line.size(); at += block.size()) {
    block.resize(std::min(kBlockBytes, size - line.size() - at));
    file.read(at, block);
    checksum = chain(checksum, block);
  }
  if (line != line_of(checksum)) {
    cannot_read(path, ExitCode::kBadData, "its bytes do not agree with its seal", "the file is damaged");
  }
  return facts.st_size;
}

}  // namespace rf
