// The outermost frame of the programs that work on a run: ranks, signals, log, command line, exit code.
#pragma once

#include <functional>

#include "comm/scoped_mpi.h"
#include "config/command_line.h"

namespace rf {

enum class Ranks { kOne, kAny };

struct StageMain {
  Program program;
  Ranks ranks = Ranks::kAny;
  std::function<void(CommandLine&)> declare = {};                 // options beside --run, --config and --set
  std::function<int(const ScopedMpi&, const CommandLine&)> body;  // returns the exit status
};

// An Error is logged and ends all ranks with its code. More than one rank for kOne is a usage error.
int stage_main(int argc, char** argv, const StageMain& stage);

}  // namespace rf
