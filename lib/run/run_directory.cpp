#include "run/run_directory.h"

#include <unistd.h>

#include <cstdio>
#include <ctime>

#include "base/digest.h"
#include "base/error.h"
#include "base/files.h"
#include "base/timer.h"
#include "base/version.h"
#include "run/exclusive_file.h"
#include "run/json_file.h"

namespace rf {
namespace {

constexpr int kFormat = 1;  // of the whole directory

std::filesystem::path normal(const std::filesystem::path& path) {
  if (path.empty()) fail(ExitCode::kUsage, "the run directory has an empty name");
  std::filesystem::path absolute = std::filesystem::absolute(path).lexically_normal();
  return absolute.has_filename() ? absolute : absolute.parent_path();  // without a trailing slash
}

// "20260131-120000-1a2b3c4d"
std::string new_run_id() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  std::tm parts{};
  ::gmtime_r(&now.tv_sec, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y%m%d-%H%M%S", &parts);
  const std::string source =
      host_name() + " " + std::to_string(::getpid()) + " " + std::to_string(now.tv_nsec) + " " + text;
  return std::string(text) + "-" + sha256(source).substr(0, 8);
}

bool has_iterations(const RunDirectory& run) {
  std::error_code ignored;
  return std::filesystem::is_directory(run.iterations(), ignored) &&
         !std::filesystem::is_empty(run.iterations(), ignored);
}

}  // namespace

std::string six_digits(int number) {
  RF_ASSERT(number >= 0);
  char text[16];
  std::snprintf(text, sizeof text, "%06d", number);
  return text;
}

RunDirectory::RunDirectory(const std::filesystem::path& path) : root_(normal(path)) {}

RunDirectory RunDirectory::create(const std::filesystem::path& path, std::string_view resolved_yaml) {
  RunDirectory run(path);
  make_folders(run.root_);
  // Creating run.yaml decides who makes the run; all else follows from it and can be made again by anyone.
  std::error_code ignored;
  if (std::filesystem::exists(run.run_json(), ignored) || !has_iterations(run)) {
    run.made_here_ = !std::filesystem::exists(run.run_yaml(), ignored) &&
                     create_exclusively(run.run_yaml(), resolved_yaml);
  }
  if (!std::filesystem::exists(run.run_json(), ignored)) {
    // What is there carries the id that run.json had; a new id would shut it out.
    if (has_iterations(run)) {
      fail(ExitCode::kBadData, run.root_.string() + " has iterations but no run.json",
           "a new run there would not own them",
           "restore run.json from a copy (the run's id is in each manifest as \"run\"), or choose another "
           "folder");
    }
    for (const auto& folder : {run.iterations(), run.networks(), run.logs()}) make_folders(folder);
    const Json identity{{"format", kFormat},
                        {"id", new_run_id()},
                        {"created", utc_now()},
                        {"software", std::string(kVersion) + " (" + kRevision + ")"},
                        {"config_digest", sha256_file(run.run_yaml())}};
    create_exclusively(run.run_json(), json_text(identity));
  }
  run.load();
  return run;
}

RunDirectory RunDirectory::open(const std::filesystem::path& path) {
  RunDirectory run(path);
  run.load();
  return run;
}

void RunDirectory::load() {
  const std::string name = root_.string();
  std::error_code reason;
  if (!std::filesystem::is_directory(root_, reason)) {
    fail(ExitCode::kInputMissing, "there is no run at " + name,
         std::filesystem::exists(root_, reason) ? "it is not a folder" : "no such folder",
         "check the path; rf-generate --run DIR --config FILE makes a new run");
  }
  if (!std::filesystem::exists(run_yaml(), reason)) {
    fail(ExitCode::kInputMissing, name + " is not a run", "run.yaml is not there",
         "check the path; rf-generate --run DIR --config FILE makes a new run");
  }
  config_ = read_file(run_yaml());
  const auto facts = read_json_file(run_json());
  if (!facts) {
    fail(ExitCode::kInputMissing, name + " is a run that was only half made", "run.json is not there",
         "the command that made it, with the same --config, completes it");
  }
  if (json_value<int>(*facts, "format", run_json()) > kFormat) {
    fail(ExitCode::kBadData, name + " was made by later software",
         "its format is " + std::to_string(json_value<int>(*facts, "format", run_json())) +
             ", this program knows " + std::to_string(kFormat),
         "use the software that made it: " + json_value<std::string>(*facts, "software", run_json()));
  }
  identity_.id = json_value<std::string>(*facts, "id", run_json());
  identity_.created = json_value<std::string>(*facts, "created", run_json());
  identity_.software = json_value<std::string>(*facts, "software", run_json());
  identity_.config_digest = json_value<std::string>(*facts, "config_digest", run_json());
  if (sha256(config_) != identity_.config_digest) {
    fail(ExitCode::kBadConfig, run_yaml().string() + " was changed after the run was made",
         "its digest is not the one in run.json", "restore it, or start a new run with the other config");
  }
}

std::filesystem::path RunDirectory::iteration(int number) const {
  return iterations() / six_digits(number);
}
std::filesystem::path RunDirectory::shards(int number) const {
  return iteration(number) / "shards";
}
std::filesystem::path RunDirectory::candidate(int number) const {
  return iteration(number) / "candidate";
}
std::filesystem::path RunDirectory::manifest(int number, Stage stage) const {
  return iteration(number) / (std::string(stage_name(stage)) + ".json");
}
std::filesystem::path RunDirectory::network(int number) const {
  return networks() / (six_digits(number) + ".h5");
}

std::string RunDirectory::relative(const std::filesystem::path& path) const {
  return path.lexically_relative(root_).generic_string();
}

}  // namespace rf
