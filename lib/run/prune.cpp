#include "run/prune.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "run/amendments.h"
#include "run/champion.h"
#include "run/manifest.h"
#include "run/next_step.h"
#include "run/pruned.h"

namespace rf {
namespace {

constexpr int kMargin = 1;  // iterations that stay beyond what is needed

bool is_finished(const RunDirectory& run, int iteration) {
  return std::all_of(kStages.begin(), kStages.end(),
                     [&](Stage stage) { return file_exists(run.manifest(iteration, stage)); });
}

// The last iteration that is trained, 0 when there is none.
int last_trained(const RunDirectory& run, const std::vector<int>& iterations) {
  for (auto it = iterations.rbegin(); it != iterations.rend(); ++it) {
    if (file_exists(run.manifest(*it, Stage::kTrain))) return *it;
  }
  return 0;
}

// Of a key that the last training's call changed; 0 when it did not.
int changed_value(const RunDirectory& run, int trained, const char* key) {
  const auto manifest = trained > 0 ? read_manifest(run, trained, Stage::kTrain) : std::nullopt;
  if (!manifest || !manifest->contains("config_changes")) return 0;
  const Json& changes = (*manifest)["config_changes"];
  if (!changes.is_object() || !changes.contains(key) || !changes[key].is_string()) return 0;
  const std::string text = changes[key];
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::int64_t unique_rows(const RunDirectory& run, int iteration) {
  const auto manifest = read_manifest(run, iteration, Stage::kGenerate);
  if (!manifest || is_pruned(run, iteration, kShardsPart)) return 0;
  const auto rows = manifest->find("unique_rows");
  return rows != manifest->end() && rows->is_number_integer() ? rows->get<std::int64_t>() : 0;
}

// The first iteration whose shards training may still read: within the window of iterations, and not behind
// so many newer rows that nothing of it fits. Rows of iterations that are yet to be played count as none.
void find_first_shards(const RunDirectory& run, const std::vector<int>& iterations, PrunePlan& plan) {
  const std::vector<Amendment> all = read_amendments(run);
  std::set<int> trainings{plan.training};  // where the config may change
  for (const Amendment& amendment : all) trainings.insert(std::max(plan.training, amendment.from));
  const int by_call = changed_value(run, plan.training - 1, "replay.window_iterations");
  plan.max_unique_rows = changed_value(run, plan.training - 1, "replay.max_unique_rows");
  plan.first_shards = plan.training;
  for (int training : trainings) {
    const ReplayConfig replay = amended_config(run, amendments_for(all, training)).replay;
    const int window = std::max(by_call, replay.window_iterations);
    plan.window_iterations = std::max(plan.window_iterations, window);
    plan.max_unique_rows = std::max(plan.max_unique_rows, replay.max_unique_rows);
    plan.first_shards = std::min(plan.first_shards, training - window + 1);
  }
  std::int64_t newer = 0;
  for (auto it = iterations.rbegin(); it != iterations.rend() && *it >= plan.first_shards; ++it) {
    if (newer >= plan.max_unique_rows) {
      plan.first_shards = *(it - 1);
      break;
    }
    newer += unique_rows(run, *it);
  }
  plan.first_shards = std::max(1, plan.first_shards - kMargin);
}

void add_part(PrunePlan& plan, int iteration, std::string_view part, const std::filesystem::path& folder,
              const std::function<bool(const std::filesystem::path&)>& wanted) {
  PrunePart found{iteration, std::string(part), {}, 0};
  std::error_code reason;
  std::filesystem::directory_iterator it(folder, reason), end;
  for (; !reason && it != end; it.increment(reason)) {
    std::error_code gone;
    if (!it->is_regular_file(gone) || !wanted(it->path())) continue;
    const auto size = it->file_size(gone);
    found.files.push_back(it->path());
    if (!gone) found.bytes += std::int64_t(size);
  }
  if (reason && reason != std::errc::no_such_file_or_directory)
    fail(ExitCode::kInputMissing, "cannot read " + folder.string(), reason.message());
  std::sort(found.files.begin(), found.files.end());
  if (!found.files.empty()) plan.parts.push_back(std::move(found));
}

void add_iteration(const RunDirectory& run, int iteration, int champion, PrunePlan& plan) {
  const auto goes = [&](std::string_view part, int first) {
    return iteration < first || is_pruned(run, iteration, part);
  };
  const auto ends_in = [](const char* ending) {
    return [=](const std::filesystem::path& path) { return path.extension() == ending; };
  };
  const auto unfinished = [](const std::filesystem::path& path) {
    return path.extension() == ".part" || path.filename() == "checkpoint.h5";
  };
  if (goes(kShardsPart, plan.first_shards))
    add_part(plan, iteration, kShardsPart, run.shards(iteration), ends_in(".h5"));
  if (iteration != champion && goes(kCandidatePart, plan.first_candidate)) {
    add_part(
        plan, iteration, kCandidatePart, run.candidate(iteration),
        [&](const std::filesystem::path& path) { return path.extension() == ".h5" && !unfinished(path); });
  }
  if (goes(kMatchesPart, plan.first_candidate))
    add_part(plan, iteration, kMatchesPart, run.iteration(iteration) / "matches", ends_in(".jsonl"));
  for (const auto& folder : {run.iteration(iteration), run.shards(iteration), run.candidate(iteration)})
    add_part(plan, iteration, "leftovers", folder, unfinished);
}

}  // namespace

PrunePlan plan_prune(const RunDirectory& run) {
  PrunePlan plan;
  next_step(run);  // fails when that is not clear
  const std::vector<int> iterations = iteration_numbers(run);
  const int finished = last_finished_iteration(run);
  plan.training = last_trained(run, iterations) + 1;
  if (finished == 0) return plan;
  const auto champion = read_champion(run);
  if (!champion) {
    fail(ExitCode::kInputMissing, "the run has no champion", "champion.json is not there",
         "the next stage writes it anew; prune afterwards");
  }
  find_first_shards(run, iterations, plan);
  // Training begins from the candidate before it, or from the champion's.
  plan.first_candidate = std::max(1, std::min(plan.training - 1, finished) - kMargin);
  for (int iteration : iterations) {
    if (is_finished(run, iteration)) add_iteration(run, iteration, champion->iteration, plan);
  }
  return plan;
}

void prune(const RunLock& lock, const PrunePlan& plan) {
  for (const PrunePart& part : plan.parts) {
    lock.check_owned();
    if (part.part != "leftovers")
      mark_pruned(lock, part.iteration, part.part, std::int64_t(part.files.size()), part.bytes);
    for (const auto& file : part.files) {
      std::error_code reason;
      std::filesystem::remove(file, reason);
      if (reason) fail(ExitCode::kCannotWrite, "cannot remove " + file.string(), reason.message());
    }
    std::error_code not_empty;
    if (part.part != "leftovers") std::filesystem::remove(part.files.front().parent_path(), not_empty);
  }
}

}  // namespace rf
