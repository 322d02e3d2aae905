// What every stage begins with: the run (made if need be), its config, the game, the lock, the champion.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/files.h"
#include "comm/communicator.h"
#include "config/command_line.h"
#include "config/run_config.h"
#include "games/game.h"
#include "net/architecture.h"
#include "run/champion.h"
#include "run/manifest.h"
#include "run/next_step.h"
#include "run/run_directory.h"
#include "run/run_lock.h"

namespace rf {

class StageFrame {
 public:
  // Collective. Rank 0 looks at the disk and tells the others; with --config a run that is not there is made,
  // with its first network. Takes the lock for `stage` ("" takes none and makes no run). From then on every
  // rank looks whether it is still held before it seals or appends anything in the run (GuardedFolder).
  // The config is run.yaml, or the file of --config; over it the amendments for the iteration that is next;
  // over them --set.
  StageFrame(const Communicator& ranks, const CommandLine& line, const std::string& stage);

  const Communicator& ranks() const { return ranks_; }
  bool root() const { return ranks_.rank() == 0; }
  const RunDirectory& run() const { return *run_; }
  const RunConfig& config() const { return config_; }
  const std::string& config_digest() const { return config_digest_; }
  const Game& game() const { return *game_; }
  const Architecture& architecture() const { return architecture_; }
  const RunLock& lock() const { return *lock_; }  // rank 0 only
  const OwnerToken& token() const { return *token_; }

  // The next undone step, the same on all ranks.
  Step next() const;
  // The champion, the same on all ranks.
  Champion champion() const;
  // Facts that every manifest carries: config digest, numbers of the amendments that apply, keys that this
  // call changed, ranks, host.
  Json facts() const;

 private:
  void open_run(const CommandLine& line, bool may_make);
  void resolve_config(const CommandLine& line, int iteration);
  void guard_run();
  void ensure_first_network();

  Communicator ranks_;
  std::optional<RunDirectory> run_;
  RunConfig config_;
  std::string config_digest_;
  Json origin_ =
      Json::object();  // "amendments" that apply, "config_changes" by --config or --set of this call
  std::unique_ptr<Game> game_;
  Architecture architecture_;
  std::optional<RunLock> lock_;
  std::optional<OwnerToken> token_;
  std::optional<GuardedFolder> guard_;
};

Architecture make_architecture(const Game& game, const NetworkConfig& network);

// "0.1.0 (1234abcd)"
std::string software_version();

}  // namespace rf
