// Which network is the champion.
#pragma once

#include <optional>
#include <string>

#include "run/run_directory.h"
#include "run/run_lock.h"

namespace rf {

struct Champion {
  int iteration = 0;         // that made it; 0: the network that the run started from
  std::string network_file;  // below the run's root: "networks/000007.h5"
  std::string digest;        // of the network
  std::string since;         // UTC
  std::string reason;        // "first network", "62.5 % of 40 games against iteration 5"

  bool operator==(const Champion&) const = default;
};

// Nothing before the first. Throws Error(kBadData), naming the file, when it is damaged.
std::optional<Champion> read_champion(const RunDirectory& run);
// Replaces it atomically. Throws Error(kTryAgain) when the lock was lost, Error(kInputMissing) when there is
// no such network file, Error(kCannotWrite).
void write_champion(const RunLock& lock, const Champion& champion);

}  // namespace rf
