#include "run/process_mark.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "base/files.h"

namespace rf {
namespace {

struct StatLine {
  char state = '?';
  std::uint64_t start = 0;
};

// From /proc/<pid>/stat (proc(5)): after the name in parentheses, field 3 is the state, field 22 the start.
std::optional<StatLine> stat_line(int pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  if (!std::getline(in, text)) return std::nullopt;
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(name_end + 1));
  StatLine line;
  fields >> line.state;
  std::string skipped;
  for (int field = 4; field < 22; ++field) fields >> skipped;
  fields >> line.start;
  if (!fields) return std::nullopt;
  return line;
}

std::string boot_id() {
  std::ifstream in("/proc/sys/kernel/random/boot_id");
  std::string text;
  std::getline(in, text);
  return text;
}

std::string pid_namespace() {
  std::error_code reason;
  const std::string name = std::filesystem::read_symlink("/proc/self/ns/pid", reason).string();
  return reason ? "" : name;
}

}  // namespace

ProcessMark this_process() {
  ProcessMark mark;
  mark.host = host_name();
  mark.boot = boot_id();
  mark.namespace_id = pid_namespace();
  mark.pid = int(::getpid());
  if (const auto line = stat_line(mark.pid)) mark.start = line->start;
  return mark;
}

ProcessState look_at(const ProcessMark& mark) {
  const ProcessMark own = this_process();
  if (mark.host != own.host) return ProcessState::kUnknown;
  if (!mark.boot.empty() && !own.boot.empty() && mark.boot != own.boot) {
    // Restarted, unless many machines bear this name.
    return own.host.rfind("localhost", 0) == 0 ? ProcessState::kUnknown : ProcessState::kGone;
  }
  if (mark.namespace_id != own.namespace_id) return ProcessState::kUnknown;
  if (::kill(mark.pid, 0) != 0 && errno == ESRCH) return ProcessState::kGone;
  const auto line = stat_line(mark.pid);
  if (!line || mark.start == 0) return ProcessState::kAlive;  // nothing more can be known
  if (line->state == 'Z' || line->state == 'X') return ProcessState::kGone;
  return line->start == mark.start ? ProcessState::kAlive : ProcessState::kGone;
}

std::string batch_job_id() {
  for (const char* name : {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID"}) {
    const char* text = std::getenv(name);
    if (text && *text) return text;
  }
  return "";
}

}  // namespace rf
