#include "players.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "eval/hash_evaluator.h"
#include "eval/rollout_evaluator.h"
#include "eval/symmetry_evaluator.h"
#include "eval/uniform_evaluator.h"
#include "infer/torch_evaluator.h"
#include "store/network_file.h"

namespace rf {

struct NetworkPlayer::Parts {
  std::unique_ptr<TorchEvaluator> network;
  std::optional<SymmetryEvaluator> symmetry;
};

void expect_digest(const std::string& digest, const std::string& expected,
                   const std::filesystem::path& path) {
  if (expected.empty() || digest == expected) return;
  fail(ExitCode::kBadData, path.string() + " is not the network that the run names",
       "digest " + digest.substr(0, 12) + ", expected " + expected.substr(0, 12),
       "restore the file; the candidate of its iteration has the same bytes");
}

NetworkPlayer::NetworkPlayer(const Game& game, const Architecture& architecture,
                             const std::filesystem::path& path, const std::string& digest,
                             const SearchConfig& search, int games_in_parallel)
    : parts_(std::make_unique<Parts>()) {
  const NetworkFile file = read_network(path);
  expect_architecture(file, architecture, path);
  expect_digest(file.digest, digest, path);
  digest_ = file.digest;
  const int batch = std::clamp(games_in_parallel * search.leaves_in_flight, 2, 1024);
  parts_->network =
      std::make_unique<TorchEvaluator>(game, architecture, file.weights, digest_.substr(0, 16), batch);
  if (search.random_symmetry) parts_->symmetry.emplace(game, *parts_->network);
}

NetworkPlayer::~NetworkPlayer() = default;

Evaluator& NetworkPlayer::evaluator() {
  if (parts_->symmetry) return *parts_->symmetry;
  return *parts_->network;
}

Evaluator& NetworkPlayer::network() {
  return *parts_->network;
}

long long NetworkPlayer::repaired() const {
  return parts_->network->repaired();
}

std::unique_ptr<Evaluator> make_synthetic_evaluator(EvaluatorKind kind, const Game& game,
                                                    const RunConfig& config) {
  switch (kind) {
    case EvaluatorKind::kUniform:
      return std::make_unique<UniformEvaluator>();
    case EvaluatorKind::kHash:
      return std::make_unique<HashEvaluator>(config.run.seed);
    case EvaluatorKind::kRollout:
      return std::make_unique<RolloutEvaluator>(game, config.run.seed, config.gate.rollout_plies);
    case EvaluatorKind::kNetwork:
      break;
  }
  fail(ExitCode::kInternal, "not a synthetic evaluator");
}

}  // namespace rf
