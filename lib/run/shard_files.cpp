#include "run/shard_files.h"

#include <algorithm>
#include <string>

#include "base/error.h"

namespace rf {
namespace {

// Names of the regular files in `folder`, sorted; hidden ones left out. Empty when there is no such folder.
std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code reason;
  std::filesystem::directory_iterator it(folder, reason), end;
  for (; !reason && it != end; it.increment(reason)) {
    std::error_code gone;
    std::string name = it->path().filename().string();
    if (name[0] != '.' && it->is_regular_file(gone)) names.push_back(std::move(name));
  }
  if (reason && reason != std::errc::no_such_file_or_directory) {
    fail(ExitCode::kInputMissing, "cannot read " + folder.string(), reason.message());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::vector<std::filesystem::path> sealed_shards(const RunDirectory& run, int iteration) {
  const std::filesystem::path folder = run.shards(iteration);
  std::vector<std::filesystem::path> shards;
  for (const std::string& name : names_in(folder)) {
    if (name.size() > 3 && name.ends_with(".h5")) shards.push_back(folder / name);
  }
  return shards;
}

int remove_leftovers(const RunLock& lock, int iteration) {
  lock.check_owned();
  const RunDirectory& run = lock.run();
  int removed = 0;
  for (const auto& folder : {run.iteration(iteration), run.shards(iteration), run.candidate(iteration),
                             run.networks(), run.root()}) {
    for (const std::string& name : names_in(folder)) {
      // Others write beside a stage: who wants the lock "lock.json.*.part", who amends the config
      // "amendments.json.*.part", jobs/submit "jobs.json.part".
      if (!name.ends_with(".part") || name.starts_with(run.lock_json().filename().string()) ||
          name.starts_with(run.amendments_json().filename().string()) || name.starts_with("jobs.json"))
        continue;
      std::error_code reason;
      if (std::filesystem::remove(folder / name, reason)) ++removed;
      if (reason) fail(ExitCode::kCannotWrite, "cannot remove " + (folder / name).string(), reason.message());
    }
  }
  return removed;
}

}  // namespace rf
