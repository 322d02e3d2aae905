// Evaluators of a run, with what they own.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "comm/communicator.h"
#include "config/run_config.h"
#include "eval/evaluator.h"
#include "infer/forward_pass.h"
#include "net/architecture.h"
#include "run/json_file.h"

namespace rf {

// A network, read and checked, behind the symmetry decorator if the config says so.
class NetworkPlayer {
 public:
  // `digest`, if not empty, must be the file's. `game` must outlive the object. What the config asks of
  // inference and cannot be had is logged as a warning.
  NetworkPlayer(const Game& game, const Architecture& architecture, const std::filesystem::path& path,
                const std::string& digest, const RunConfig& config, int games_in_parallel);
  ~NetworkPlayer();
  Evaluator& evaluator();
  // The network itself, without the decorator.
  Evaluator& network();
  const std::string& digest() const { return digest_; }
  const BackendFacts& backend() const;
  long long repaired() const;

 private:
  struct Parts;
  std::string digest_;
  std::unique_ptr<Parts> parts_;
};

// Collective: rank 0 logs how networks are evaluated, and warns when another rank does it in another way.
void announce_backend(const Communicator& ranks, const BackendFacts& backend);
// For manifests.
Json backend_json(const BackendFacts& backend);

// Throws Error(kBadData) when a network file is not the one that the run names ("" is not compared).
void expect_digest(const std::string& digest, const std::string& expected, const std::filesystem::path& path);

// The evaluators of selfplay.evaluator that need no network. Not for kNetwork.
std::unique_ptr<Evaluator> make_synthetic_evaluator(EvaluatorKind kind, const Game& game,
                                                    const RunConfig& config);

}  // namespace rf
