// The shard files of an iteration, and what a crash left between them.
#pragma once

#include <filesystem>
#include <vector>

#include "run/run_directory.h"
#include "run/run_lock.h"

namespace rf {

// The sealed ones (*.h5), sorted by name. Unfinished files (*.part), hidden ones and those of network file
// systems (.nfs*) do not count. Empty when there are none.
std::vector<std::filesystem::path> sealed_shards(const RunDirectory& run, int iteration);

// Deletes the unfinished files (*.part) that a crash left in the iteration, its shards/ and candidate/, in
// networks/ and beside champion.json. To be called by one process before any rank of the stage writes. Throws
// Error(kTryAgain) when the lock was lost. Returns how many.
int remove_leftovers(const RunLock& lock, int iteration);

}  // namespace rf
