// Knows nothing: equal priors, value 0.
#pragma once

#include "eval/evaluator.h"

namespace rf {

class UniformEvaluator final : public Evaluator {
 public:
  std::string id() const override { return "uniform"; }
  int max_batch() const override { return 4096; }
  int submit(std::span<const EvalRequest> batch) override;
  void wait(int) override {}
};

}  // namespace rf
