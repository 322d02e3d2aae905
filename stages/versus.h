// rf-gate --versus: a measured match of a network of the run, without any change to the run.
#pragma once

#include "config/command_line.h"
#include "stage_frame.h"

namespace rf {

// Collective; returns the exit status.
int play_versus(const StageFrame& frame, const CommandLine& line);

// A network file, and the digest that the run names for it ("": none is named).
struct NetworkChoice {
  std::filesystem::path path;
  std::string digest;
};
// The network of iteration `number` (a champion, else the candidate), or the champion when it is -1.
// Collective.
NetworkChoice find_network(const StageFrame& frame, int number);

}  // namespace rf
