#include "players.h"

#include <algorithm>
#include <optional>

#include "base/digest.h"
#include "base/error.h"
#include "base/log.h"
#include "eval/hash_evaluator.h"
#include "eval/rollout_evaluator.h"
#include "eval/symmetry_evaluator.h"
#include "eval/uniform_evaluator.h"
#include "infer/backend.h"
#include "infer/network_evaluator.h"
#include "infer/torch_forward.h"
#include "store/network_file.h"

namespace rf {

struct NetworkPlayer::Parts {
  std::unique_ptr<NetworkEvaluator> network;
  std::optional<SymmetryEvaluator> symmetry;
};

void expect_digest(const std::string& digest, const std::string& expected,
                   const std::filesystem::path& path) {
  if (expected.empty() || digest == expected) return;
  fail(ExitCode::kBadData, path.string() + " is not the network that the run names",
       "digest " + digest.substr(0, 12) + ", expected " + expected.substr(0, 12),
       "restore the file; the candidate of its iteration has the same bytes");
}

namespace {

std::unique_ptr<ForwardPass> make_torch(const FoldedNetwork& network, int rows) {
  return std::make_unique<TorchForward>(network, rows);
}

}  // namespace

NetworkPlayer::NetworkPlayer(const Game& game, const Architecture& architecture,
                             const std::filesystem::path& path, const std::string& digest,
                             const RunConfig& config, int games_in_parallel)
    : parts_(std::make_unique<Parts>()) {
  const NetworkFile file = read_network(path);
  expect_architecture(file, architecture, path);
  expect_digest(file.digest, digest, path);
  digest_ = file.digest;
  expect_network_of(game, architecture);
  const int batch = std::clamp(games_in_parallel * config.search.leaves_in_flight, 2, 1024);
  ChosenBackend chosen = choose_backend(architecture, file.weights, batch, config.inference, make_torch);
  for (const std::string& warning : chosen.warnings) log_warning(warning);
  parts_->network =
      std::make_unique<NetworkEvaluator>(game, digest_.substr(0, 16), batch, std::move(chosen.forward));
  if (config.search.random_symmetry) parts_->symmetry.emplace(game, *parts_->network);
}

NetworkPlayer::~NetworkPlayer() = default;

Evaluator& NetworkPlayer::evaluator() {
  if (parts_->symmetry) return *parts_->symmetry;
  return *parts_->network;
}

Evaluator& NetworkPlayer::network() {
  return *parts_->network;
}

const BackendFacts& NetworkPlayer::backend() const {
  return parts_->network->facts();
}

long long NetworkPlayer::repaired() const {
  return parts_->network->repaired();
}

void announce_backend(const Communicator& ranks, const BackendFacts& backend) {
  const std::string text = backend.text();
  const bool same = ranks.same_on_all_ranks(digest64(std::span<const char>(text)));
  if (ranks.rank() != 0) return;
  log_info("inference: " + text);
  if (!same) log_warning("other ranks evaluate in another way: processors or libraries of the hosts differ");
}

Json backend_json(const BackendFacts& backend) {
  return {{"backend", backend.backend},
          {"version", backend.version},
          {"precision", backend.precision},
          {"processor", backend.processor}};
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
