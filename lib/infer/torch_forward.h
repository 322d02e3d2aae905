// The network by LibTorch on the CPU: f32, channels last, inference mode.
#pragma once

#include <memory>

#include "infer/forward_pass.h"

namespace rf {

class TorchForward final : public ForwardPass {
 public:
  TorchForward(const FoldedNetwork& network, int rows);
  ~TorchForward() override;
  const BackendFacts& facts() const override { return facts_; }
  void run(int rows) override;
  void logits(int row, std::span<const int> actions, std::span<float> logits) override;
  float value(int row) override;

 private:
  struct Parts;  // the LibTorch side
  BackendFacts facts_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace rf
