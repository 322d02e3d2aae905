// The shards of one iteration as this rank writes them, and the manifest at the end.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/timer.h"
#include "replay/shard_writer.h"
#include "scratch.h"
#include "selfplay/self_play.h"
#include "stage_frame.h"

namespace rf {

struct OwnShard {
  std::filesystem::path path;
  std::string digest;               // "" when it cannot be read
  std::vector<std::int64_t> games;  // their indices
  std::string evaluator_id;         // that played them
};
// The sealed shards of an iteration. Throws Error(kBadData), naming the file, when one was made by another
// run or for another iteration, is not the one that the iteration's manifest lists, or holds a game that
// another one holds; also when one is damaged or gone (kInputMissing),
// unless kSkip leaves that to the reader. Empty when they were pruned (pruned.h).
std::vector<OwnShard> own_shards(const StageFrame& frame, int iteration,
                                 DamagedShards damaged = DamagedShards::kRefuse);

class Generation {
 public:
  // Collective: rank 0 removes what a crash left, and lists the games that are not sealed yet. Shards are
  // written in `scratch` first, if it is given.
  Generation(const StageFrame& frame, int iteration, std::string evaluator_id,
             const std::optional<std::string>& scratch);

  const std::vector<std::int64_t>& games_left() const { return games_left_; }  // the same on all ranks
  void add(const GameRecord& record);
  // Seals the open shard when it has enough rows or is old enough.
  void seal_if_due();
  void seal();
  void show_progress(const SelfPlayCounts& counts);
  // Collective: rank 0 writes the manifest from all sealed shards. `inference` is null without a network.
  void finish(const SelfPlayCounts& counts, const Champion& champion, const Json& inference, double seconds);

 private:
  std::filesystem::path next_path();
  ShardSummary write_shard();
  Json read_shards() const;

  const StageFrame& frame_;
  int iteration_;
  std::string evaluator_id_;
  std::vector<std::int64_t> games_left_;
  std::optional<Scratch> scratch_;
  std::unique_ptr<ShardWriter> writer_;
  Timer writer_age_;
  int part_ = 0;
  double write_seconds_ = 0;
  Progress progress_;
};

}  // namespace rf
