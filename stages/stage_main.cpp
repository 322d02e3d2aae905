#include "stage_main.h"

#include <cstdio>

#include "base/error.h"
#include "base/log.h"
#include "base/signals.h"

namespace rf {

int stage_main(int argc, char** argv, const StageMain& stage) {
  return run_ranks([&](const ScopedMpi& mpi) -> int {
    set_log(LogLevel::kInfo, mpi.rank());
    catch_stop_signals();
    CommandLine line(stage.program);
    line.add_run_options();
    if (stage.declare) stage.declare(line);
    if (const auto code = line.parse(argc, argv, mpi.rank() == 0 ? stdout : nullptr)) return *code;
    set_log(line.log_level(), mpi.rank());
    if (stage.ranks == Ranks::kOne && mpi.size() > 1) {
      fail(ExitCode::kUsage, stage.program.name + " runs on one rank",
           std::to_string(mpi.size()) + " were started", "start it without a launcher, or with one rank");
    }
    return stage.body(mpi, line);
  });
}

}  // namespace rf
