// The network by oneDNN, on the calling thread. A batch is cut into parts of at most a few dozen rows; a part
// is run by the engine of its size, rounded up. What a position gets does not depend on the batch it is in.
#pragma once

#include <memory>

#include "infer/config.h"
#include "infer/forward_pass.h"

namespace rf {

class OnednnForward final : public ForwardPass {
 public:
  // `precision` is not kAuto here. Throws Error(kInternal) when the library has no fast kernel for a layer.
  OnednnForward(const FoldedNetwork& network, int rows, PrecisionKind precision);
  ~OnednnForward() override;

  const BackendFacts& facts() const override { return facts_; }
  void run(int rows) override;
  void logits(int row, std::span<const int> actions, std::span<float> logits) override;
  float value(int row) override;

 private:
  struct Parts;
  BackendFacts facts_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace rf
