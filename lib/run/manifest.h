// The manifest of a finished stage: written last, once, and from then on the proof that the stage is done.
#pragma once

#include <optional>

#include "run/json_file.h"
#include "run/run_directory.h"
#include "run/run_lock.h"

namespace rf {

// Nothing when the stage is not finished. Throws Error(kBadData), naming the file, when it is damaged or
// belongs to another run, iteration or stage.
std::optional<Json> read_manifest(const RunDirectory& run, int iteration, Stage stage);

// Seals the stage: `facts` (an object: inputs by digest, outputs, counts, timings) together with "run",
// "iteration", "stage", "software" and "finished". Files that the stage made are listed as
//   "outputs": [{"file": "iterations/000001/shards/r0000-000.h5", "digest": "..."}]
// (paths below the run's root), so that a missing one is noticed (find_gaps in next_step.h).
// Throws Error(kTryAgain) when the lock was lost, Error(kCannotWrite), Error(kInternal) when already sealed.
void write_manifest(const RunLock& lock, int iteration, Stage stage, Json facts);

}  // namespace rf
