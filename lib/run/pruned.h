// What was taken away from a finished iteration on purpose: iterations/000003/pruned.json.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "run/run_directory.h"
#include "run/run_lock.h"

namespace rf {

// The parts that an iteration may lose.
inline constexpr std::string_view kShardsPart = "shards", kCandidatePart = "candidate",
                                  kMatchesPart = "matches";

struct PrunedPart {
  std::string since;       // UTC
  std::int64_t files = 0;  // that were there then
  std::int64_t bytes = 0;
};

// By name; empty when there is no mark. Throws Error(kBadData), naming the file, when it is damaged.
std::map<std::string, PrunedPart> pruned_parts(const RunDirectory& run, int iteration);
bool is_pruned(const RunDirectory& run, int iteration, std::string_view part);

// Adds a part to the mark; one that is there stays as it is. To be written before the first file goes: from
// then on what is left of the part counts as gone. Throws Error(kTryAgain) when the lock was lost,
// Error(kCannotWrite).
void mark_pruned(const RunLock& lock, int iteration, std::string_view part, std::int64_t files,
                 std::int64_t bytes);

}  // namespace rf
