// rf-gate --accuracy: how often a network of the run, alone and with search, chooses a right move in
// positions whose values are known.
#pragma once

#include "config/command_line.h"
#include "stage_frame.h"

namespace rf {

// Collective; returns the exit status. The network alone takes the action of the highest prior, without
// symmetries; the search plays as in a match: no noise, the most visited action. A choice belongs to its
// position, not to the file, the order or the number of ranks.
int measure_accuracy(const StageFrame& frame, const CommandLine& line);

}  // namespace rf
