#include "run/manifest.h"

#include "base/error.h"
#include "base/files.h"
#include "base/timer.h"
#include "base/version.h"

namespace rf {
namespace {

[[noreturn]] void foreign(const std::filesystem::path& path, const std::string& why) {
  fail(ExitCode::kBadData, path.string() + " does not belong here", why, "was it copied from another place?");
}

}  // namespace

std::optional<Json> read_manifest(const RunDirectory& run, int iteration, Stage stage) {
  const std::filesystem::path path = run.manifest(iteration, stage);
  std::optional<Json> facts = read_json_file(path);
  if (!facts) return facts;
  const auto its_stage = json_value<std::string>(*facts, "stage", path);
  const int its_iteration = json_value<int>(*facts, "iteration", path);
  const auto its_run = json_value<std::string>(*facts, "run", path);
  if (its_stage != stage_name(stage)) foreign(path, "it is of the stage " + its_stage);
  if (its_iteration != iteration) foreign(path, "it is of iteration " + std::to_string(its_iteration));
  if (its_run != run.identity().id) foreign(path, "it is of the run " + its_run);
  return facts;
}

void write_manifest(const RunLock& lock, int iteration, Stage stage, Json facts) {
  RF_ASSERT(facts.is_object());
  const RunDirectory& run = lock.run();
  const std::filesystem::path path = run.manifest(iteration, stage);
  lock.check_owned();
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {
    fail(ExitCode::kInternal, path.string() + " is sealed already", "a finished stage is not done again");
  }
  facts["run"] = run.identity().id;
  facts["iteration"] = iteration;
  facts["stage"] = std::string(stage_name(stage));
  facts["software"] = std::string(kVersion) + " (" + kRevision + ")";
  facts["finished"] = utc_now();
  make_folders(path.parent_path());
  write_json_file(path, facts);
}

}  // namespace rf
