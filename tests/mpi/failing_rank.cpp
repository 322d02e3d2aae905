// failing_rank MODE [RANK]: ranks that end in every way; job_end_test.py looks at how the job ends.
#include <mpi.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

#include "base/error.h"
#include "base/log.h"
#include "base/signals.h"
#include "comm/communicator.h"
#include "comm/dealer.h"
#include "comm/scoped_mpi.h"

namespace {

int body(const rf::ScopedMpi& mpi, const std::string& mode, int culprit) {
  rf::set_log(rf::LogLevel::kInfo, mpi.rank());
  const rf::Communicator ranks = rf::Communicator::world(mpi);
  if (mode == "size") {
    int initialised = 0;
    MPI_Initialized(&initialised);
    std::printf("%d of %d, MPI %s\n", mpi.rank(), mpi.size(), initialised ? "initialised" : "untouched");
    return 0;
  }
  if (mode == "interrupted") return int(rf::ExitCode::kTryAgain);
  if (mode == "catching") rf::catch_stop_signals();  // as a stage: SIGTERM alone does not end it
  if (mode == "throw" || mode == "catching") {
    if (mpi.rank() == culprit)
      rf::fail(rf::ExitCode::kCannotWrite, "cannot write the shard", "no space left");
    ranks.barrier();
    return 0;
  }
  if (mode == "foreign") {
    if (mpi.rank() == culprit) throw std::runtime_error("thrown by a library");
    ranks.barrier();
    return 0;
  }
  if (mode == "dealing") {  // the culprit fails in the middle of dealt work
    rf::Dealer dealer(ranks, 1 << 20, 4);
    for (int polls = 0; dealer.next().state != rf::Dealt::kNoMore; ++polls) {
      if (mpi.rank() == culprit && polls == 5) rf::fail(rf::ExitCode::kBadData, "a damaged network");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      dealer.poll();
    }
    dealer.finish();
    return 0;
  }
  if (mode == "wait") {  // for a kill from outside
    ranks.barrier();
    if (mpi.rank() == culprit) {
      std::printf("pid %d\n", int(::getpid()));
      std::fflush(stdout);
      std::this_thread::sleep_for(std::chrono::minutes(2));
    }
    ranks.barrier();
    return 0;
  }
  return int(rf::ExitCode::kUsage);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  const int culprit = argc > 2 ? std::atoi(argv[2]) : 0;
  return rf::run_ranks([&](const rf::ScopedMpi& mpi) { return body(mpi, mode, culprit); });
}
