#include "eval/symmetry_evaluator.h"

#include "base/random_stream.h"

namespace rf {

int SymmetryEvaluator::submit(std::span<const EvalRequest> batch) {
  seen_.assign(batch.begin(), batch.end());
  for (EvalRequest& request : seen_) {
    const std::uint64_t key = combine64(request.salt, request.state->hash());
    request.symmetry = int(combine64(key, std::uint64_t(Purpose::kSymmetry)) % num_symmetries_);
  }
  return inner_.submit(seen_);
}

}  // namespace rf
