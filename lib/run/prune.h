// What a run can do without: shards that no training to come reads, and what only the stages of finished
// iterations needed. Networks of champions, manifests and everything of an open iteration stay.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "run/run_directory.h"
#include "run/run_lock.h"

namespace rf {

struct PrunePart {
  int iteration = 0;
  std::string part;  // a name of pruned.h, or "leftovers": checkpoints and unfinished files of a crash
  std::vector<std::filesystem::path> files;
  std::int64_t bytes = 0;
};

struct PrunePlan {
  int training = 1;         // the iteration that is trained next
  int first_shards = 1;     // shards of this iteration and later ones stay
  int first_candidate = 1;  // likewise candidates and games of matches; the champion's candidate stays too
  int window_iterations = 0,
      max_unique_rows = 0;       // the largest that training will ask for, as far as is known
  std::vector<PrunePart> parts;  // by iteration
};

// Shards stay that the training of iteration `training` or, by the amendments that are there, of a later one
// may read, and one iteration more. A larger window that only a call's --set asks for is known when the last
// training had it. A candidate stays while it may be trained on, and one iteration more. A part that an
// earlier call began with is in the plan whatever the config says now.
// Throws Error(kBadData) or Error(kInputMissing) when it is not clear what comes next or who is champion.
PrunePlan plan_prune(const RunDirectory& run);

// Marks each part (pruned.h), then removes its files; a call that was killed is finished by the next one.
// Throws Error(kTryAgain) when the lock was lost, Error(kCannotWrite).
void prune(const RunLock& lock, const PrunePlan& plan);

}  // namespace rf
