// The network as an Evaluator, by LibTorch on the CPU: batch norm folded, channels last, inference mode.
#pragma once

#include <memory>
#include <string>

#include "eval/evaluator.h"
#include "net/architecture.h"

namespace rf {

class TorchEvaluator final : public Evaluator {
 public:
  // `digest` names the network in id(). `game` must outlive the object and be the network's.
  TorchEvaluator(const Game& game, const Architecture& architecture, const Weights& weights,
                 std::string digest, int max_batch);
  ~TorchEvaluator() override;
  std::string id() const override { return "network:" + digest_; }
  int max_batch() const override { return max_batch_; }
  // Honours EvalRequest::symmetry.
  int submit(std::span<const EvalRequest> batch) override;
  void wait(int) override {}

  // Positions whose logits were unusable (not finite) and got even priors instead.
  long long repaired() const { return repaired_; }

 private:
  struct Parts;  // the LibTorch side
  const Game& game_;
  std::string digest_;
  int max_batch_;
  long long repaired_ = 0;
  std::vector<std::vector<int>> inverse_action_;  // [K][A]
  std::vector<float> planes_, logits_;            // scratch of one position
  std::unique_ptr<Parts> parts_;
};

}  // namespace rf
