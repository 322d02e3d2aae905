// MPI for the life of a program, and only when a launcher started it.
#pragma once

#include <functional>

#include "comm/launcher.h"

namespace rf {

// At most one per process, made in the main thread, which makes all MPI calls (MPI_THREAD_FUNNELED).
class ScopedMpi {
 public:
  // Without a launcher no MPI call is made, here or later. With one: initialises MPI and compares the number
  // of ranks with what the launcher announced. Throws Error(kUsage) when they differ: wrongly paired
  // launchers start N programs that know nothing of each other and would all write the same run.
  ScopedMpi();
  // Finalises MPI (waits for the other ranks). When an exception unwinds it does not: the others may be in a
  // barrier; call abort_all() then.
  ~ScopedMpi();
  ScopedMpi(const ScopedMpi&) = delete;
  ScopedMpi& operator=(const ScopedMpi&) = delete;

  bool active() const { return active_; }  // MPI is in use
  int rank() const { return rank_; }       // 0 without MPI
  int size() const { return size_; }       // 1 without MPI

  // Flushes and ends the whole job, all ranks, with exit status `code` (not 0).
  [[noreturn]] void abort_all(int code) const;

 private:
  bool active_ = false;
  int rank_ = 0;
  int size_ = 1;
  int exceptions_at_start_ = 0;
};

// The outermost frame of an executable: makes a ScopedMpi, runs `body`, returns its exit status. An exception
// is logged and ends all ranks with its exit code (kInternal for one that is not an Error).
int run_ranks(const std::function<int(const ScopedMpi&)>& body);

}  // namespace rf
