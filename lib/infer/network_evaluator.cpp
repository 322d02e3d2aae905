#include "infer/network_evaluator.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "games/symmetry.h"

namespace rf {

NetworkEvaluator::NetworkEvaluator(const Game& game, std::string digest, int max_batch,
                                   std::unique_ptr<ForwardPass> forward)
    : game_(game), digest_(std::move(digest)), max_batch_(max_batch), forward_(std::move(forward)) {
  const GameSpec& spec = game.spec();
  for (const Symmetry& symmetry : spec.symmetries) inverse_action_.push_back(inverse_map(symmetry.action));
  planes_.resize(std::size_t(spec.shape.size()));
}

int NetworkEvaluator::submit(std::span<const EvalRequest> batch) {
  RF_ASSERT(batch.size() <= std::size_t(max_batch_));
  const GameSpec& spec = game_.spec();
  const std::size_t C = std::size_t(spec.shape.planes), cells = std::size_t(spec.shape.cells());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    batch[i].state->encode(planes_);
    const std::vector<int>& map = spec.symmetries[std::size_t(batch[i].symmetry)].cell;
    const std::span<float> row = forward_->planes(int(i));
    for (std::size_t k = 0; k < cells; ++k) {
      for (std::size_t c = 0; c < C; ++c) row[k * C + c] = planes_[c * cells + std::size_t(map[k])];
    }
  }
  forward_->run(int(batch.size()));
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const EvalRequest& request = batch[i];
    const std::vector<int>& inverse = inverse_action_[std::size_t(request.symmetry)];
    image_.clear();
    for (Action a : request.legal) image_.push_back(inverse[std::size_t(a)]);
    forward_->logits(int(i), image_, request.prior);
    const float v = forward_->value(int(i));
    const bool usable = softmax(request.prior) && std::isfinite(v);
    repaired_ += !usable;
    *request.value = std::isfinite(v) ? std::clamp(v, -1.f, 1.f) : 0.f;
  }
  return 0;
}

void expect_network_of(const Game& game, const Architecture& architecture) {
  if (architecture.game_id == game.spec().id) return;
  fail(ExitCode::kBadData, "the network plays '" + architecture.game_id + "'",
       "this run plays '" + game.spec().id + "'");
}

}  // namespace rf
