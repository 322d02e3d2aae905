// Processor cores, where several ranks share a host and a launcher may or may not have given each its own.
#pragma once

#include <string>
#include <vector>

#include "comm/communicator.h"

namespace rf {

struct RankCores {
  std::string host;
  std::vector<int> cores;  // numbers of those that the rank may use
};

// The most threads that every rank can have when all have equally many; a core that k ranks of a host may use
// counts 1/k for each of them. At least 1.
int threads_for_each(const std::vector<RankCores>& ranks);

// The same for the ranks of the job, and on all of them. Collective.
int threads_for_each(const Communicator& ranks);

}  // namespace rf
