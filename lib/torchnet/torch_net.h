// A network of net/architecture.h as LibTorch tensors, for training and inference. Functional: the tensors
// are held by the names of tensor_specs(), there is no nn::Module.
#pragma once

#include <torch/torch.h>

#include <map>
#include <string>

#include "net/architecture.h"

namespace rf {

struct NetOutput {
  torch::Tensor policy_logits;  // [B, A]
  torch::Tensor value;          // [B, 1] in (-1, 1)
};

class TorchNet {
 public:
  // Tensors in channels-last layout on the CPU, no gradients yet.
  TorchNet(const Architecture& architecture, const Weights& weights);

  // planes [B, C, H, W]. `training`: batch norm uses the batch and moves its running statistics. With
  // ghost_rows > 0, of which B is a multiple, each group of that many rows is normalised by itself, and the
  // running statistics move once, by the mean over the groups (ghost batch norm: Hoffer, Hubara and Soudry
  // 2017, "Train longer, generalize better").
  NetOutput forward(const torch::Tensor& planes, bool training, std::int64_t ghost_rows = 0);

  const Architecture& architecture() const { return architecture_; }
  std::map<std::string, torch::Tensor>& tensors() { return tensors_; }
  // A copy as plain f32.
  Weights weights() const;
  void to(torch::Device device, torch::Dtype dtype);

 private:
  torch::Tensor convolve(const torch::Tensor& x, const ConvSpec& conv, bool training,
                         std::int64_t ghost_rows);
  torch::Tensor normalize(const torch::Tensor& x, const std::string& name, bool training,
                          std::int64_t ghost_rows);
  torch::Tensor activate(const torch::Tensor& x) const;
  torch::Tensor linear(const torch::Tensor& x, const std::string& name) const;

  Architecture architecture_;
  std::vector<ConvSpec> tower_;
  std::vector<ConvSpec> heads_;
  std::map<std::string, torch::Tensor> tensors_;
};

}  // namespace rf
