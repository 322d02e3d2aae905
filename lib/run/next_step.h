// What a run has and what comes next: a function of what is sealed, by number, never by file time.
#pragma once

#include <string>
#include <vector>

#include "run/run_directory.h"

namespace rf {

struct Step {
  int iteration = 1;
  Stage stage = Stage::kGenerate;

  bool operator==(const Step&) const = default;
};

// The first stage without a manifest in the last iteration that has any; the first stage of the one after it
// when all are sealed. Throws Error(kBadData) when a later stage of that iteration is sealed and an earlier
// one is not. Earlier iterations are not looked at: find_gaps() is for those.
Step next_step(const RunDirectory& run);

// Numbers of the folders in iterations/, ascending; other names do not count.
std::vector<int> iteration_numbers(const RunDirectory& run);

// The last iteration whose gate is sealed; 0 when there is none.
int last_finished_iteration(const RunDirectory& run);

// Sentences about what is missing where later work exists: iterations or stages before the next step that are
// not sealed, files that a manifest lists and that are gone, generate sealed and no shard there; not what was
// pruned. For warnings and status; a run goes on with the data that it has.
std::vector<std::string> find_gaps(const RunDirectory& run);

}  // namespace rf
