// The judgement of one candidate: match, verdict, promotion, yardstick, manifest.
#pragma once

#include <string>

#include "base/timer.h"
#include "match_runner.h"
#include "stage_frame.h"

namespace rf {

class Gating {
 public:
  Gating(const StageFrame& frame, int iteration);
  // Collective. False when a signal stopped it; the games played are kept.
  bool run();

 private:
  bool match_due() const;
  bool yardstick_due() const;
  // Playouts of pure MCTS: those of the last yardstick, raised if all was won.
  int yardstick_playouts() const;
  MatchPlan plan(const std::string& what, int games, const std::string& key, std::uint64_t salt) const;
  bool play_candidate();
  bool play_yardstick();
  void decide();
  void finish();

  const StageFrame& frame_;
  int iteration_;
  Champion champion_;
  std::filesystem::path candidate_path_;
  std::string candidate_digest_;
  bool promoted_ = false;
  std::string reason_;
  Json match_, yardstick_, inference_;
  Timer timer_;
};

// Applies a promotion that a sealed gate decided and a crash kept from champion.json. Rank 0.
void settle_promotion(const RunLock& lock);

// Pure MCTS as an opponent: even priors, random rollouts.
SearchConfig pure_mcts(const GateConfig& config);

}  // namespace rf
