// What tells one process from all others, of this machine and of others, now and later.
#pragma once

#include <cstdint>
#include <string>

namespace rf {

struct ProcessMark {
  std::string host;
  std::string boot;          // id of this start of the machine; "" when the system does not tell
  std::string namespace_id;  // of process ids: containers on one machine count apart; "" likewise
  int pid = 0;
  std::uint64_t start = 0;  // clock ticks after the machine's start; 0 when the system does not tell

  bool operator==(const ProcessMark&) const = default;
};

ProcessMark this_process();

enum class ProcessState {
  kAlive,
  kGone,  // dead (also: not yet reaped), or its id belongs to another process now, or the machine restarted
  kUnknown,  // on another host or in another container, which cannot be looked at from here
};
ProcessState look_at(const ProcessMark& mark);

// Of the batch system (Slurm, PBS, LSF), or "".
std::string batch_job_id();

}  // namespace rf
