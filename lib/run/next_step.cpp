#include "run/next_step.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "run/manifest.h"
#include "run/pruned.h"
#include "run/shard_files.h"

namespace rf {
namespace {

bool is_sealed(const RunDirectory& run, int iteration, Stage stage) {
  std::error_code ignored;
  return std::filesystem::exists(run.manifest(iteration, stage), ignored);
}

bool has_any_sealed(const RunDirectory& run, int iteration) {
  return std::any_of(kStages.begin(), kStages.end(),
                     [&](Stage stage) { return is_sealed(run, iteration, stage); });
}

// The last iteration with a manifest; 0 when there is none.
int last_begun(const RunDirectory& run, const std::vector<int>& iterations) {
  for (auto it = iterations.rbegin(); it != iterations.rend(); ++it) {
    if (has_any_sealed(run, *it)) return *it;
  }
  return 0;
}

void add_missing_outputs(const RunDirectory& run, int iteration, Stage stage,
                         std::vector<std::string>& gaps) {
  const auto facts = read_manifest(run, iteration, stage);
  if (!facts) return;
  const std::string_view part = stage == Stage::kGenerate ? kShardsPart : kCandidatePart;
  if (stage != Stage::kGate && is_pruned(run, iteration, part)) return;
  const std::string what = "iteration " + std::to_string(iteration) + ": ";
  if (stage == Stage::kGenerate && sealed_shards(run, iteration).empty()) {
    gaps.push_back(what + "its shards are gone");
    return;
  }
  const auto outputs = facts->find("outputs");
  if (outputs == facts->end() || !outputs->is_array()) return;
  for (const Json& output : *outputs) {
    if (!output.is_object() || !output.contains("file") || !output["file"].is_string()) continue;
    const auto file = output["file"].get<std::string>();
    std::error_code ignored;
    if (!std::filesystem::exists(run.root() / file, ignored)) gaps.push_back(what + file + " is gone");
  }
}

}  // namespace

std::vector<int> iteration_numbers(const RunDirectory& run) {
  std::vector<int> found;
  std::error_code reason;
  std::filesystem::directory_iterator it(run.iterations(), reason), end;
  for (; !reason && it != end; it.increment(reason)) {
    const std::string name = it->path().filename().string();
    int number = 0;
    const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && number >= 1 && six_digits(number) == name) found.push_back(number);
  }
  if (reason && reason != std::errc::no_such_file_or_directory) {
    fail(ExitCode::kInputMissing, "cannot read " + run.iterations().string(), reason.message());
  }
  std::sort(found.begin(), found.end());
  return found;
}

Step next_step(const RunDirectory& run) {
  const int last = last_begun(run, iteration_numbers(run));
  if (last == 0) return {};
  const auto first_open =
      std::find_if(kStages.begin(), kStages.end(), [&](Stage stage) { return !is_sealed(run, last, stage); });
  if (first_open == kStages.end()) return {last + 1, Stage::kGenerate};
  for (auto later = first_open + 1; later != kStages.end(); ++later) {
    if (!is_sealed(run, last, *later)) continue;
    fail(ExitCode::kBadData, run.manifest(last, *first_open).string() + " is missing",
         std::string(stage_name(*later)) + " of the same iteration is finished",
         "restore it from a copy, or move the folder of this iteration away to do all of it again");
  }
  return {last, *first_open};
}

int last_finished_iteration(const RunDirectory& run) {
  const std::vector<int> iterations = iteration_numbers(run);
  for (auto it = iterations.rbegin(); it != iterations.rend(); ++it) {
    if (is_sealed(run, *it, Stage::kGate)) return *it;
  }
  return 0;
}

std::vector<std::string> find_gaps(const RunDirectory& run) {
  std::vector<std::string> gaps;
  const std::vector<int> iterations = iteration_numbers(run);
  const int last = last_begun(run, iterations);
  int expected = 1;
  for (int iteration : iterations) {
    if (iteration > last) break;
    const std::string what = "iteration " + std::to_string(iteration) + ": ";
    if (iteration > expected) {
      const std::string first = std::to_string(expected), before = std::to_string(iteration - 1);
      gaps.push_back((iteration - 1 > expected
                          ? "iterations " + first + " to " + before + ": they are missing"
                          : "iteration " + first + ": it is missing") +
                     ", and iteration " + std::to_string(iteration) + " is there");
    }
    expected = iteration + 1;
    for (Stage stage : kStages) {
      if (is_sealed(run, iteration, stage)) {
        add_missing_outputs(run, iteration, stage, gaps);
      } else if (iteration < last) {
        gaps.push_back(what + std::string(stage_name(stage)) + " is not finished, and iteration " +
                       std::to_string(last) + " is there");
      }
    }
  }
  return gaps;
}

}  // namespace rf
