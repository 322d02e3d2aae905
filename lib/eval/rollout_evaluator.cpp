#include "eval/rollout_evaluator.h"

#include "base/random_stream.h"

namespace rf {

RolloutEvaluator::RolloutEvaluator(const Game& game, std::uint64_t seed, int max_plies)
    : seed_(seed), max_plies_(max_plies), scratch_(game.initial_state()) {}

int RolloutEvaluator::submit(std::span<const EvalRequest> batch) {
  for (const EvalRequest& request : batch) {
    fill_uniform(request.prior);
    RandomStream stream = make_stream(seed_, 0, request.salt, Purpose::kRollout);
    scratch_->assign(*request.state);
    for (int i = 0; i < max_plies_ && !scratch_->terminal(); ++i) {
      scratch_->legal_actions(legal_);
      scratch_->apply(legal_[stream.below(std::uint32_t(legal_.size()))]);
    }
    const float z = scratch_->terminal() ? scratch_->outcome() : 0.f;
    *request.value = scratch_->to_move() == request.state->to_move() ? z : -z;
  }
  return 0;
}

}  // namespace rf
