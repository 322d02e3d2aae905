// A synthetic network: priors and value are a pure function of the position's hash and a seed. The same on
// every machine and in every batch, so whole trees and whole runs can be pinned with it.
#pragma once

#include "eval/evaluator.h"

namespace rf {

class HashEvaluator final : public Evaluator {
 public:
  explicit HashEvaluator(std::uint64_t seed) : seed_(seed) {}
  std::string id() const override { return "hash:" + std::to_string(seed_); }
  int max_batch() const override { return 4096; }
  int submit(std::span<const EvalRequest> batch) override;
  void wait(int) override {}

 private:
  std::uint64_t seed_;
};

}  // namespace rf
