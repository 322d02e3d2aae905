#include "scratch.h"

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"

namespace rf {
namespace {

// "<job>-<token>": two holdings of the lock never have the same.
std::string holding_name(const StageFrame& frame) {
  const std::string job = batch_job_id();
  return (job.empty() ? "local" : job) + "-" + frame.token().text().substr(0, 12);
}

// This process's stage holds the lock of the run, so nobody else's folders are in use.
void remove_others(const std::filesystem::path& of_run, const std::string& holding) {
  std::error_code reason;
  int removed = 0;
  std::filesystem::directory_iterator it(of_run, reason), end;
  for (; !reason && it != end; it.increment(reason)) {
    if (it->path().filename().string().starts_with(holding)) continue;
    std::error_code ignored;
    std::filesystem::remove_all(it->path(), ignored);
    ++removed;
  }
  if (removed > 0) {
    log_info("removed " + std::to_string(removed) + " folders of jobs that are over from " + of_run.string() +
             " on " + host_name());
  }
}

}  // namespace

std::optional<Scratch> Scratch::make(const StageFrame& frame, const std::filesystem::path& dir) {
  if (!dir.is_absolute()) {
    fail(ExitCode::kUsage, "--scratch " + dir.string() + " is no absolute path",
         "a disk of the node does not depend on where the job was started");
  }
  const std::filesystem::path of_run = dir / ("rankfile-" + frame.run().identity().id);
  const std::string holding = holding_name(frame);
  if (frame.ranks().local_rank() == 0) remove_others(of_run, holding);
  char rank[16];
  std::snprintf(rank, sizeof rank, "-r%04d", frame.ranks().rank());
  Scratch scratch(of_run / (holding + rank));
  std::error_code reason;
  // `dir` itself may be new, the folder that it is in may not: a disk that is not mounted is not made up.
  for (const auto& folder : {dir, of_run, scratch.folder_}) {
    if (!reason) std::filesystem::create_directory(folder, reason);
  }
  if (!reason) return scratch;
  const std::string problem = "cannot use the scratch " + dir.string() + " on " + host_name();
  if (reason == std::errc::no_space_on_device || reason.value() == EDQUOT) {
    log_warning(problem + " (" + reason.message() + "): shards are written to the run without it");
    return std::nullopt;
  }
  fail(ExitCode::kCannotWrite, problem, reason.message(), "correct the site's scratch=, or leave it out");
}

Scratch::~Scratch() {
  if (folder_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
  std::filesystem::remove(folder_.parent_path(), ignored);  // when it was the last one
}

}  // namespace rf
