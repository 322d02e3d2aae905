#include "comm/scoped_mpi.h"

#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>

#include "base/error.h"
#include "base/log.h"

namespace rf {

ScopedMpi::ScopedMpi() : exceptions_at_start_(std::uncaught_exceptions()) {
  const Launch launch = detect_launch();
  if (!launch.by_launcher) return;
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  active_ = true;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  if (launch.announced_size > 0 && launch.announced_size != size_) {
    MPI_Finalize();  // every process of the job comes here, each in its own world
    fail(ExitCode::kUsage,
         "the launcher announced " + std::to_string(launch.announced_size) + " ranks, MPI sees " +
             std::to_string(size_),
         launch.source + "; usually the launcher and this program's MPI library do not belong together",
         "use the mpirun of the MPI that the program was built with, or a srun --mpi=... kind that it knows "
         "(srun --mpi=list shows them)");
  }
  if (provided < MPI_THREAD_FUNNELED) log_warning("this MPI library does not promise to allow other threads");
}

ScopedMpi::~ScopedMpi() {
  if (!active_ || std::uncaught_exceptions() > exceptions_at_start_) return;
  MPI_Finalize();
}

void ScopedMpi::abort_all(int code) const {
  std::fflush(nullptr);
  if (active_) MPI_Abort(MPI_COMM_WORLD, code);
  std::exit(code);
}

namespace {

[[noreturn]] void report_and_abort(const ScopedMpi& mpi, ExitCode code, const char* message) {
  // An error that all ranks share is rank 0's to tell; its abort ends the others meanwhile.
  if (mpi.rank() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(300));
  log_error(message);
  mpi.abort_all(int(code));
}

int run_body(const std::function<int(const ScopedMpi&)>& body) {
  const ScopedMpi mpi;
  try {
    return body(mpi);
  } catch (const Error& error) {
    report_and_abort(mpi, error.code(), error.what());
  } catch (const std::exception& error) {
    report_and_abort(mpi, ExitCode::kInternal, error.what());
  }
}

}  // namespace

int run_ranks(const std::function<int(const ScopedMpi&)>& body) {
  try {
    return run_body(body);
  } catch (const Error& error) {
    log_error(error.what());
    return int(error.code());
  }
}

}  // namespace rf
