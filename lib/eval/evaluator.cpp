#include "eval/evaluator.h"

#include <algorithm>
#include <cmath>

namespace rf {

void Evaluator::evaluate(std::span<const EvalRequest> batch) {
  const std::size_t most = std::size_t(max_batch());
  for (std::size_t first = 0; first < batch.size(); first += most) {
    wait(submit(batch.subspan(first, std::min(most, batch.size() - first))));
  }
}

void fill_uniform(std::span<float> prior) {
  for (float& p : prior) p = 1.f / float(prior.size());
}

bool normalise_prior(std::span<float> prior) {
  double sum = 0;
  for (float p : prior) sum += p;
  if (!(sum > 0) || !std::isfinite(sum)) {
    fill_uniform(prior);
    return false;
  }
  for (float& p : prior) p = float(p / sum);
  return true;
}

bool softmax(std::span<float> logits) {
  float top = -INFINITY;
  for (float logit : logits) top = std::max(top, logit);
  for (float& logit : logits) logit = std::exp(logit - top);
  return normalise_prior(logits);
}

bool softmax_legal(std::span<const float> logits, std::span<const Action> legal, std::span<float> prior) {
  for (std::size_t i = 0; i < legal.size(); ++i) prior[i] = logits[std::size_t(legal[i])];
  return softmax(prior);
}

}  // namespace rf
