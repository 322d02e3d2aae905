#include "eval/uniform_evaluator.h"

namespace rf {

int UniformEvaluator::submit(std::span<const EvalRequest> batch) {
  for (const EvalRequest& request : batch) {
    fill_uniform(request.prior);
    *request.value = 0;
  }
  return 0;
}

}  // namespace rf
