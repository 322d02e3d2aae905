#include "learn/batch_part.h"

#include <algorithm>
#include <string>

#include "base/error.h"

namespace rf {

BatchPart part_of_batch(const TrainConfig& config, bool batch_norm, int rank, int ranks) {
  const std::int64_t batch = config.batch_size;
  std::int64_t group = config.ghost_batch;
  if (group == 0) group = batch_norm ? batch : 1;
  const std::int64_t groups = batch / group;
  if (ranks > groups) {
    const std::string size = "train.batch_size " + std::to_string(batch);
    const std::string most = std::to_string(batch / ranks);
    if (config.ghost_batch == 0 && batch_norm) {
      fail(ExitCode::kBadConfig, "training does not run on " + std::to_string(ranks) + " ranks",
           "train.ghost_batch is 0: batch norm takes the " + size + " rows as one group",
           "start one rank; or set train.ghost_batch to a divisor of the batch size, at most " + most);
    }
    fail(ExitCode::kBadConfig, "training does not run on " + std::to_string(ranks) + " ranks",
         size + " with train.ghost_batch " + std::to_string(config.ghost_batch) + " has " +
             std::to_string(groups) + " groups of rows for them",
         "start at most " + std::to_string(groups) + "; or make the batch larger or its groups smaller");
  }
  const std::int64_t first = rank * groups / ranks, last = (rank + 1) * groups / ranks;
  return {first * group, (last - first) * group};
}

}  // namespace rf
