// Looks at each position through one symmetry, chosen by the request's salt and the position: averages out
// what the network has not learnt to treat alike. Wraps an evaluator that honours EvalRequest::symmetry.
#pragma once

#include <vector>

#include "eval/evaluator.h"

namespace rf {

class SymmetryEvaluator final : public Evaluator {
 public:
  // `inner` must outlive this object.
  SymmetryEvaluator(const Game& game, Evaluator& inner)
      : inner_(inner), num_symmetries_(game.spec().symmetries.size()) {}
  std::string id() const override { return inner_.id() + "+symmetry"; }
  int max_batch() const override { return inner_.max_batch(); }
  int submit(std::span<const EvalRequest> batch) override;
  void wait(int ticket) override { inner_.wait(ticket); }

 private:
  Evaluator& inner_;
  std::size_t num_symmetries_;
  std::vector<EvalRequest> seen_;
};

}  // namespace rf
