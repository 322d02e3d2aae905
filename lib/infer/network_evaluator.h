// The network as an Evaluator: encodes positions, runs the forward pass, makes priors of logits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "eval/evaluator.h"
#include "infer/forward_pass.h"

namespace rf {

class NetworkEvaluator final : public Evaluator {
 public:
  // `digest` names the network in id(). `game` must outlive the object and be the network's; `forward` has
  // room for `max_batch` rows.
  NetworkEvaluator(const Game& game, std::string digest, int max_batch, std::unique_ptr<ForwardPass> forward);
  std::string id() const override { return "network:" + digest_; }
  int max_batch() const override { return max_batch_; }
  // Honours EvalRequest::symmetry.
  int submit(std::span<const EvalRequest> batch) override;
  void wait(int) override {}

  const BackendFacts& facts() const { return forward_->facts(); }
  // Positions whose logits were unusable (not finite) and got even priors instead.
  long long repaired() const { return repaired_; }

 private:
  const Game& game_;
  std::string digest_;
  int max_batch_;
  long long repaired_ = 0;
  std::vector<std::vector<int>> inverse_action_;  // [K][A]
  std::vector<float> planes_;                     // scratch of one position
  std::vector<int> image_;                        // its legal actions as the network sees them
  std::unique_ptr<ForwardPass> forward_;
};

// Throws Error(kBadData) when the network is one of another game.
void expect_network_of(const Game& game, const Architecture& architecture);

}  // namespace rf
