#include "comm/communicator.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "comm/mpi_world.h"
#include "comm/scoped_mpi.h"

namespace rf {
namespace {

constexpr std::size_t kMaxCount = std::size_t(1) << 28;  // of one MPI call, whose counts are int
constexpr int kTextTag = 1;

// Element-wise over the ranks, in place.
void reduce(MPI_Comm comm, void* values, int count, MPI_Datatype type, MPI_Op operation) {
  MPI_Request request;
  MPI_Iallreduce(MPI_IN_PLACE, values, count, type, operation, comm, &request);
  wait_patiently(&request);
}

}  // namespace

Communicator Communicator::local() {
  return {};
}

Communicator Communicator::world(const ScopedMpi& mpi) {
  Communicator result;
  if (!mpi.active()) return result;
  result.world_ = std::make_shared<const MpiWorld>(MpiWorld{MPI_COMM_WORLD});
  result.rank_ = mpi.rank();
  result.size_ = mpi.size();
  // Launchers' own variables are wrong too often (mpirun inside Slurm leaves SLURM_LOCALID at 0).
  MPI_Comm host;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  MPI_Comm_rank(host, &result.local_rank_);
  MPI_Comm_free(&host);
  return result;
}

void Communicator::barrier() const {
  if (!world_) return;
  MPI_Request request;
  MPI_Ibarrier(world_->comm, &request);
  wait_patiently(&request);
}

void Communicator::broadcast(std::span<std::byte> bytes) const {
  if (!world_) return;
  while (!bytes.empty()) {
    const std::size_t count = std::min(bytes.size(), kMaxCount);
    MPI_Request request;
    MPI_Ibcast(bytes.data(), int(count), MPI_BYTE, 0, world_->comm, &request);
    wait_patiently(&request);
    bytes = bytes.subspan(count);
  }
}

void Communicator::broadcast(std::int64_t& value) const {
  broadcast(std::as_writable_bytes(std::span<std::int64_t>(&value, 1)));
}

void Communicator::broadcast(std::string& text) const {
  if (!world_) return;
  auto size = std::int64_t(text.size());
  broadcast(size);
  text.resize(std::size_t(size));
  broadcast(std::as_writable_bytes(std::span<char>(text)));
}

std::vector<std::string> Communicator::gather(const std::string& text) const {
  if (!world_) return {text};
  const auto own_size = std::int64_t(text.size());
  std::vector<std::int64_t> sizes(rank_ == 0 ? std::size_t(size_) : 0);
  MPI_Request request;
  MPI_Igather(&own_size, 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, 0, world_->comm, &request);
  wait_patiently(&request);
  if (rank_ > 0) {
    for (std::size_t at = 0; at < text.size(); at += kMaxCount) {
      const int count = int(std::min(text.size() - at, kMaxCount));
      MPI_Isend(text.data() + at, count, MPI_BYTE, 0, kTextTag, world_->comm, &request);
      wait_patiently(&request);
    }
    return {};
  }
  std::vector<std::string> texts(sizes.size());
  texts[0] = text;
  for (int source = 1; source < size_; ++source) {
    std::string& other = texts[std::size_t(source)];
    other.resize(std::size_t(sizes[std::size_t(source)]));
    for (std::size_t at = 0; at < other.size(); at += kMaxCount) {
      const int count = int(std::min(other.size() - at, kMaxCount));
      MPI_Irecv(other.data() + at, count, MPI_BYTE, source, kTextTag, world_->comm, &request);
      wait_patiently(&request);
    }
  }
  return texts;
}

std::int64_t Communicator::sum(std::int64_t value) const {
  if (world_) reduce(world_->comm, &value, 1, MPI_INT64_T, MPI_SUM);
  return value;
}

double Communicator::sum(double value) const {
  if (world_) reduce(world_->comm, &value, 1, MPI_DOUBLE, MPI_SUM);
  return value;
}

void Communicator::sum_in_place(std::span<float> values) const {
  if (!world_) return;
  while (!values.empty()) {
    const std::size_t count = std::min(values.size(), kMaxCount);
    MPI_Allreduce(MPI_IN_PLACE, values.data(), int(count), MPI_FLOAT, MPI_SUM, world_->comm);
    values = values.subspan(count);
  }
}

std::int64_t Communicator::max(std::int64_t value) const {
  if (world_) reduce(world_->comm, &value, 1, MPI_INT64_T, MPI_MAX);
  return value;
}

double Communicator::max(double value) const {
  if (world_) reduce(world_->comm, &value, 1, MPI_DOUBLE, MPI_MAX);
  return value;
}

bool Communicator::same_on_all_ranks(std::uint64_t digest) const {
  if (!world_) return true;
  std::array<std::uint64_t, 2> largest{digest, ~digest};  // the largest, and the inverse of the smallest
  reduce(world_->comm, largest.data(), 2, MPI_UINT64_T, MPI_MAX);
  return largest[0] == ~largest[1];
}

}  // namespace rf
