// One writer per run. The lock is a file that says who holds it, so it survives crashes and shows over
// network file systems; nobody's lock is taken by guessing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "run/process_mark.h"
#include "run/run_directory.h"

namespace rf {

struct LockOwner {
  ProcessMark process;
  std::string job;  // of the batch system, or ""
  std::string stage;
  std::string since;            // UTC
  std::int64_t since_unix = 0;  // the same, in seconds
  std::string token;            // unique to this holding of the lock

  // "train, process 4711 on node7, job 99, for 12 s"
  std::string text() const;
};

// What the processes of a stage look at before each seal. Someone may have broken the lock, or a scheduler
// may have started a second copy of the job after it lost sight of a node where the first one lives on.
class OwnerToken {
 public:
  // `text` is that of the RunLock's token, which rank 0 sends to the other ranks.
  OwnerToken(RunDirectory run, std::string text) : run_(std::move(run)), text_(std::move(text)) {}
  const std::string& text() const { return text_; }
  // Looks at the file again.
  bool still_owned() const;
  // Throws Error(kTryAgain), naming the new owner, unless still_owned().
  void check_owned() const;

 private:
  RunDirectory run_;
  std::string text_;
};

class RunLock {
 public:
  // Takes the lock. When its owner was a process of this host that no longer runs, warns, naming it, and
  // takes it over; of several contenders one wins. Throws Error(kTryAgain), naming owner and age, when the
  // owner runs or is on another host; Error(kBadData) when the lock cannot be read; Error(kCannotWrite).
  RunLock(const RunDirectory& run, const std::string& stage);
  // Releases it if it is still ours. A forked child leaves it alone.
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  OwnerToken token() const { return {run_, own_.token}; }
  bool still_owned() const { return token().still_owned(); }
  void check_owned() const { token().check_owned(); }
  const RunDirectory& run() const { return run_; }

 private:
  RunDirectory run_;
  LockOwner own_;
};

// Who holds the lock; nothing when it is free. Throws Error(kBadData) when the file is damaged.
std::optional<LockOwner> lock_owner(const RunDirectory& run);

// Removes the lock and returns its owner; nothing when it was free. Also removes a damaged lock (with an
// empty owner). Throws Error(kTryAgain) when the owner is seen to run on this host.
std::optional<LockOwner> break_lock(const RunDirectory& run);

}  // namespace rf
