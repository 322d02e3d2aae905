#include "comm/core_share.h"

#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>
#include <utility>

#include "base/files.h"

namespace rf {
namespace {

// Of this process; none where the system does not say.
std::vector<int> own_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cores;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

}  // namespace

int threads_for_each(const std::vector<RankCores>& ranks) {
  if (ranks.empty()) return 1;
  std::map<std::pair<std::string, int>, int> users;
  for (const RankCores& rank : ranks) {
    for (int core : rank.cores) ++users[{rank.host, core}];
  }
  double least = 1e9;
  for (const RankCores& rank : ranks) {
    double share = 0;
    for (int core : rank.cores) share += 1.0 / users[{rank.host, core}];
    least = std::min(least, share);
  }
  return std::max(1, int(least + 1e-6));
}

int threads_for_each(const Communicator& ranks) {
  std::ostringstream own;
  own << host_name();
  for (int core : own_cores()) own << ' ' << core;
  std::vector<RankCores> all;
  for (const std::string& text : ranks.gather(own.str())) {
    std::istringstream words(text);
    RankCores& rank = all.emplace_back();
    words >> rank.host;
    for (int core = 0; words >> core;) rank.cores.push_back(core);
  }
  std::int64_t threads = threads_for_each(all);  // at rank 0
  ranks.broadcast(threads);
  return int(threads);
}

}  // namespace rf
