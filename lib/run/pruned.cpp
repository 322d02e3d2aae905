#include "run/pruned.h"

#include "base/timer.h"
#include "run/json_file.h"

namespace rf {
namespace {

std::filesystem::path mark_path(const RunDirectory& run, int iteration) {
  return run.iteration(iteration) / "pruned.json";
}

}  // namespace

std::map<std::string, PrunedPart> pruned_parts(const RunDirectory& run, int iteration) {
  const auto path = mark_path(run, iteration);
  std::map<std::string, PrunedPart> parts;
  const auto object = read_json_file(path);
  if (!object) return parts;
  for (const auto& [name, facts] : object->items()) {
    parts[name] = {json_value<std::string>(facts, "since", path),
                   json_value<std::int64_t>(facts, "files", path),
                   json_value<std::int64_t>(facts, "bytes", path)};
  }
  return parts;
}

bool is_pruned(const RunDirectory& run, int iteration, std::string_view part) {
  return pruned_parts(run, iteration).contains(std::string(part));
}

void mark_pruned(const RunLock& lock, int iteration, std::string_view part, std::int64_t files,
                 std::int64_t bytes) {
  lock.check_owned();
  auto parts = pruned_parts(lock.run(), iteration);
  if (!parts.emplace(part, PrunedPart{utc_now(), files, bytes}).second) return;
  Json object = Json::object();
  for (const auto& [name, facts] : parts)
    object[name] = {{"since", facts.since}, {"files", facts.files}, {"bytes", facts.bytes}};
  write_json_file(mark_path(lock.run(), iteration), object);
}

}  // namespace rf
