// The events of a run: RUN/metrics.jsonl, one JSON object a line, appended only, by the holder of the lock.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "run/json_file.h"
#include "run/run_directory.h"

namespace rf {

// Appends `event` (an object) with "id", one more than the last one's. With a "key" (text) an event is there
// at most once: when the file has an event of this key nothing is appended, so that a stage which is done
// again after a crash does not count twice. A line that a crash has torn is left as it is; the event begins
// on a new line. Returns the id of the event that is now there. Throws Error(kCannotWrite).
std::int64_t append_event(const RunDirectory& run, Json event);

struct Events {
  std::vector<Json> events;         // by increasing id
  std::int64_t torn_lines = 0;      // that are no JSON object with an id
  std::int64_t repeated_lines = 0;  // whose id is not above the one before
};
// Both kinds of lines are skipped. Empty when there is no file.
Events read_events(const RunDirectory& run);
Events read_events(const std::filesystem::path& path);

}  // namespace rf
