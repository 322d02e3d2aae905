// The ranks of a job, as a value. All members but the three figures are collective: every rank calls them in
// the same order. Waiting ranks sleep (1 ms at most between looks), they do not spin; sum_in_place alone
// spins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rf {

class ScopedMpi;
struct MpiWorld;  // comm/mpi_world.h

class Communicator {
 public:
  // One rank; makes no MPI call.
  static Communicator local();
  // All ranks of the job (collective); local() when MPI is not active. The ScopedMpi must outlive it.
  static Communicator world(const ScopedMpi& mpi);

  int rank() const { return rank_; }
  int size() const { return size_; }
  int local_rank() const { return local_rank_; }  // among the ranks of this host, for choosing a device

  void barrier() const;
  // Rank 0's value reaches all. Any length.
  void broadcast(std::string& text) const;
  void broadcast(std::int64_t& value) const;
  // Rank 0's bytes reach all; the spans have equal sizes.
  void broadcast(std::span<std::byte> bytes) const;
  // At rank 0 the texts by rank; elsewhere empty.
  std::vector<std::string> gather(const std::string& text) const;

  std::int64_t sum(std::int64_t value) const;
  double sum(double value) const;
  // Elementwise over the ranks; equal lengths, and bit-equal results on all ranks.
  void sum_in_place(std::span<float> values) const;
  std::int64_t max(std::int64_t value) const;
  double max(double value) const;
  bool same_on_all_ranks(std::uint64_t digest) const;

  // For comm/ alone; null in local().
  const MpiWorld* mpi_world() const { return world_.get(); }

 private:
  Communicator() = default;
  std::shared_ptr<const MpiWorld> world_;
  int rank_ = 0;
  int size_ = 1;
  int local_rank_ = 0;
};

}  // namespace rf
