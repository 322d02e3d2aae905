#include "run/run_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <thread>

#include "base/digest.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/timer.h"
#include "run/exclusive_file.h"
#include "run/json_file.h"

namespace rf {
namespace {

constexpr int kNotSupported = 524;  // ENOTSUPP of the kernel, which some network file systems let out

LockOwner this_owner(const std::string& stage) {
  static int calls = 0;
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  LockOwner owner{this_process(), batch_job_id(), stage, utc_now(), now.tv_sec, {}};
  owner.token =
      sha256(owner.process.host + " " + owner.process.boot + " " + owner.process.namespace_id + " " +
             std::to_string(owner.process.pid) + " " + std::to_string(owner.process.start) + " " +
             std::to_string(now.tv_sec) + "." + std::to_string(now.tv_nsec) + " " + std::to_string(++calls))
          .substr(0, 32);
  return owner;
}

std::string owner_json(const LockOwner& owner) {
  return json_text({{"host", owner.process.host},
                    {"boot", owner.process.boot},
                    {"pid_namespace", owner.process.namespace_id},
                    {"pid", owner.process.pid},
                    {"process_start", owner.process.start},
                    {"job", owner.job},
                    {"stage", owner.stage},
                    {"since", owner.since},
                    {"since_unix", owner.since_unix},
                    {"token", owner.token}});
}

std::optional<LockOwner> read_owner(const std::filesystem::path& path) {
  const auto object = read_json_file(path);
  if (!object) return std::nullopt;
  LockOwner owner;
  owner.process.host = json_value<std::string>(*object, "host", path);
  owner.process.boot = json_value<std::string>(*object, "boot", path);
  owner.process.namespace_id = json_value<std::string>(*object, "pid_namespace", path);
  owner.process.pid = json_value<int>(*object, "pid", path);
  owner.process.start = json_value<std::uint64_t>(*object, "process_start", path);
  owner.job = json_value<std::string>(*object, "job", path);
  owner.stage = json_value<std::string>(*object, "stage", path);
  owner.since = json_value<std::string>(*object, "since", path);
  owner.since_unix = json_value<std::int64_t>(*object, "since_unix", path);
  owner.token = json_value<std::string>(*object, "token", path);
  return owner;
}

std::string how_to_break(const RunDirectory& run) {
  return "rf-status --run '" + run.root().string() + "' --break-lock";
}

[[noreturn]] void refuse(const RunDirectory& run, const LockOwner& owner) {
  const bool seen = look_at(owner.process) == ProcessState::kAlive;
  fail(ExitCode::kTryAgain, run.root().string() + " is in use", owner.text(),
       seen ? "wait until it has ended"
            : "wait until it has ended; if you are sure that it no longer runs: " + how_to_break(run));
}

// The lock file, held by flock: the kernel lets one process of this host in, and lets go when that dies.
class HeldFile {
 public:
  // `wait` as flock: 0 or LOCK_NB.
  HeldFile(const std::filesystem::path& path, int wait)
      : path_(path), fd_(::open(path.c_str(), O_RDWR | O_CLOEXEC)), reason_(errno) {
    if (fd_ < 0) return;
    reason_ = ::flock(fd_, LOCK_EX | wait) == 0 ? 0 : errno;
  }
  ~HeldFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  HeldFile(const HeldFile&) = delete;
  HeldFile& operator=(const HeldFile&) = delete;

  int reason() const { return reason_; }  // why it is not held (errno), or 0
  // The name may lead to another file since it was opened.
  bool is_still_named() const {
    struct stat opened {
    }, named{};
    return ::fstat(fd_, &opened) == 0 && ::stat(path_.c_str(), &named) == 0 &&
           opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
  }

 private:
  std::filesystem::path path_;
  int fd_;
  int reason_;
};

// What takes the place of flock on a file system without locks: of several who create it one wins.
std::filesystem::path claim_path(const RunDirectory& run, const LockOwner& stale) {
  return run.lock_json().string() + "." + stale.token + ".claim";
}

bool replace_if_same(const RunDirectory& run, const LockOwner& stale, const std::string& text) {
  const auto now = lock_owner(run);
  if (!now || now->token != stale.token) return false;
  write_file_atomically(run.lock_json(), text);
  return true;
}

bool replace_by_claim(const RunDirectory& run, const LockOwner& stale, const std::string& text) {
  const std::filesystem::path claim = claim_path(run, stale);
  if (!create_exclusively(claim, text)) return false;
  const bool replaced = replace_if_same(run, stale, text);
  ::unlink(claim.c_str());
  return replaced;
}

// Puts `text` in the place of the lock of a dead owner. False when someone else was faster or is at it. Only
// processes of the dead owner's host come here, so a lock of this host's kernel is enough to keep them apart.
bool replace_stale(const RunDirectory& run, const LockOwner& stale, const std::string& text) {
  const HeldFile file(run.lock_json(), LOCK_NB);
  switch (file.reason()) {
    case 0:
      break;
    case ENOENT:
    case EWOULDBLOCK:
    case EINTR:
      return false;
    case ENOLCK:
    case ENOSYS:
    case EOPNOTSUPP:
    case kNotSupported:
      return replace_by_claim(run, stale, text);
    default:
      fail(ExitCode::kTryAgain, "cannot take over the lock of a process that has died",
           stale.text() + "; " + std::strerror(file.reason()), how_to_break(run));
  }
  return file.is_still_named() && replace_if_same(run, stale, text);
}

}  // namespace

std::string LockOwner::text() const {
  const std::int64_t age = std::max<std::int64_t>(0, std::int64_t(std::time(nullptr)) - since_unix);
  return stage + ", process " + std::to_string(process.pid) + " on " + process.host +
         (job.empty() ? "" : ", job " + job) + ", for " + duration(double(age));
}

std::optional<LockOwner> lock_owner(const RunDirectory& run) {
  try {
    return read_owner(run.lock_json());
  } catch (const Error& error) {
    if (error.code() == ExitCode::kInputMissing) return std::nullopt;  // released while we looked
    fail(ExitCode::kBadData, "the lock " + run.lock_json().string() + " is damaged", {},
         "if nothing writes to this run: " + how_to_break(run));
  }
}

RunLock::RunLock(const RunDirectory& run, const std::string& stage) : run_(run), own_(this_owner(stage)) {
  const std::string text = owner_json(own_);
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (create_exclusively(run.lock_json(), text)) return;
    const auto owner = lock_owner(run);
    if (!owner) continue;  // released meanwhile
    if (look_at(owner->process) != ProcessState::kGone) refuse(run, *owner);
    if (replace_stale(run, *owner, text)) {
      log_warning("took over the lock of a process that has died: " + owner->text());
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  fail(ExitCode::kTryAgain, run.root().string() + " is in use", "many processes take and release its lock",
       "if none does: " + how_to_break(run));
}

RunLock::~RunLock() {
  if (int(::getpid()) != own_.process.pid) return;
  try {
    if (still_owned()) ::unlink(run_.lock_json().c_str());
  } catch (const Error& error) {
    log_warning(error.what());
  }
}

bool OwnerToken::still_owned() const {
  const auto owner = lock_owner(run_);
  return owner && owner->token == text_;
}

void OwnerToken::check_owned() const {
  const auto owner = lock_owner(run_);
  if (owner && owner->token == text_) return;
  fail(ExitCode::kTryAgain, "this process has lost the lock of " + run_.root().string(),
       owner ? "now held by " + owner->text() : "it was broken",
       "nothing more is written; the same command goes on later");
}

std::optional<LockOwner> break_lock(const RunDirectory& run) {
  const HeldFile file(run.lock_json(), 0);  // not in the middle of a take-over
  std::optional<LockOwner> owner;
  try {
    owner = lock_owner(run);
    if (!owner) return owner;
  } catch (const Error&) {
    owner = LockOwner{};
  }
  if (!owner->token.empty() && look_at(owner->process) == ProcessState::kAlive) {
    fail(ExitCode::kTryAgain, "the owner of the lock is running", owner->text(),
         "stop it first: kill " + std::to_string(owner->process.pid));
  }
  ::unlink(claim_path(run, *owner).c_str());  // of one who died while taking over
  if (::unlink(run.lock_json().c_str()) != 0 && errno != ENOENT) {
    fail(ExitCode::kCannotWrite, "cannot remove " + run.lock_json().string(), std::strerror(errno));
  }
  return owner;
}

}  // namespace rf
