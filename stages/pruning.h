// rf-status --prune: says what a run can do without, and takes it away.
#pragma once

#include <string>

#include "run/prune.h"
#include "run/run_directory.h"

namespace rf {

// What stays and why, then files and bytes by kind. Ends with a newline.
std::string prune_text(const PrunePlan& plan);

// Prints it and, unless `dry_run`, holds the run's lock and removes the files. Throws Error(kTryAgain) when
// the run is in use.
void prune_run(const RunDirectory& run, bool dry_run);

}  // namespace rf
