// The forward pass of one network on one thread: planes in, logits and values out. What computes it (oneDNN,
// LibTorch) is the subclass; the rows in between are here.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "net/architecture.h"

namespace rf {

// How a network is evaluated, for logs and manifests.
struct BackendFacts {
  std::string backend;       // "onednn", "torch"
  std::string version;       // of that library
  std::string precision;     // "f32", "bf16"
  std::string processor;     // instruction set that the library uses; "" where it does not say
  std::string text() const;  // "onednn 2.6.3, bf16, avx512_core_amx"
};

class ForwardPass {
 public:
  // Room for `rows` positions.
  ForwardPass(const Architecture& architecture, int rows)
      : row_planes_(std::size_t(architecture.planes) * std::size_t(architecture.cells())),
        planes_(row_planes_ * std::size_t(rows)) {}
  virtual ~ForwardPass() = default;
  ForwardPass(const ForwardPass&) = delete;
  ForwardPass& operator=(const ForwardPass&) = delete;

  virtual const BackendFacts& facts() const = 0;

  // [H, W, C] of a position, to be written before run().
  std::span<float> planes(int row) { return {&planes_[std::size_t(row) * row_planes_], row_planes_}; }
  // Evaluates the first `rows` rows.
  virtual void run(int rows) = 0;
  // Of the last run: the logits of some actions, and the value after tanh.
  virtual void logits(int row, std::span<const int> actions, std::span<float> logits) = 0;
  virtual float value(int row) = 0;

 protected:
  std::size_t row_planes_;
  std::vector<float> planes_;  // [rows, H, W, C]
};

}  // namespace rf
