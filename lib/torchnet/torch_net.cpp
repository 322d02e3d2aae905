#include "torchnet/torch_net.h"

#include <cstring>

namespace rf {
namespace {
constexpr double kMomentum = 0.1;  // of the running statistics, as in LibTorch
}

TorchNet::TorchNet(const Architecture& architecture, const Weights& weights)
    : architecture_(architecture), tower_(tower_convs(architecture)), heads_(head_convs(architecture)) {
  check_weights(architecture, weights, "the network");
  for (const TensorSpec& spec : tensor_specs(architecture)) {
    const std::vector<float>& values = weights.at(spec.name);
    torch::Tensor tensor = torch::empty(spec.shape, torch::kFloat32);
    std::memcpy(tensor.data_ptr<float>(), values.data(), values.size() * sizeof(float));
    if (spec.shape.size() == 4) tensor = tensor.contiguous(torch::MemoryFormat::ChannelsLast);
    tensors_[spec.name] = tensor;
  }
}

torch::Tensor TorchNet::activate(const torch::Tensor& x) const {
  return architecture_.network.activation == Activation::kRelu ? torch::relu(x) : torch::elu(x);
}

torch::Tensor TorchNet::normalize(const torch::Tensor& x, const std::string& name, bool training,
                                  std::int64_t ghost_rows) {
  const torch::Tensor &weight = tensors_.at(name + ".weight"), &bias = tensors_.at(name + ".bias");
  torch::Tensor& running_mean = tensors_.at(name + ".running_mean");
  torch::Tensor& running_var = tensors_.at(name + ".running_var");
  if (!training || ghost_rows == 0 || ghost_rows >= x.size(0)) {
    return torch::batch_norm(x, weight, bias, running_mean, running_var, training, kMomentum,
                             kBatchNormEpsilon, false);
  }
  std::vector<torch::Tensor> groups = x.split(ghost_rows);
  torch::Tensor mean = torch::zeros_like(running_mean), var = torch::zeros_like(running_var);
  for (torch::Tensor& group : groups) {
    // With momentum 1 these become the statistics of the group.
    const torch::Tensor group_mean = torch::zeros_like(mean), group_var = torch::zeros_like(var);
    group = torch::batch_norm(group, weight, bias, group_mean, group_var, true, 1, kBatchNormEpsilon, false);
    mean.add_(group_mean);
    var.add_(group_var);
  }
  const double share = kMomentum / double(groups.size());
  running_mean.mul_(1 - kMomentum).add_(mean, share);
  running_var.mul_(1 - kMomentum).add_(var, share);
  return torch::cat(groups);
}

torch::Tensor TorchNet::convolve(const torch::Tensor& x, const ConvSpec& conv, bool training,
                                 std::int64_t ghost_rows) {
  const torch::Tensor& weight = tensors_.at(conv.name + ".weight");
  if (!architecture_.network.batch_norm) {
    return torch::conv2d(x, weight, tensors_.at(conv.name + ".bias"), 1, conv.kernel / 2);
  }
  return normalize(torch::conv2d(x, weight, {}, 1, conv.kernel / 2), conv.name + ".bn", training, ghost_rows);
}

torch::Tensor TorchNet::linear(const torch::Tensor& x, const std::string& name) const {
  return torch::linear(x, tensors_.at(name + ".weight"), tensors_.at(name + ".bias"));
}

NetOutput TorchNet::forward(const torch::Tensor& planes, bool training, std::int64_t ghost_rows) {
  const auto conv = [&](const torch::Tensor& in, const ConvSpec& spec) {
    return convolve(in, spec, training, ghost_rows);
  };
  torch::Tensor x = activate(conv(planes, tower_[0]));
  if (architecture_.network.kind == NetworkKind::kPlain) {
    for (std::size_t i = 1; i < tower_.size(); ++i) x = activate(conv(x, tower_[i]));
  } else {
    for (std::size_t i = 1; i + 1 < tower_.size(); i += 2) {
      const torch::Tensor y = activate(conv(x, tower_[i]));
      x = activate(conv(y, tower_[i + 1]) + x);
    }
  }
  // flatten() goes by [C, H, W] whatever the memory layout.
  const torch::Tensor p = activate(conv(x, heads_[0])).flatten(1);
  const torch::Tensor v = activate(conv(x, heads_[1])).flatten(1);
  const torch::Tensor hidden = activate(linear(v, "value.hidden"));
  return {linear(p, "policy.linear"), torch::tanh(linear(hidden, "value.out"))};
}

Weights TorchNet::weights() const {
  Weights weights;
  for (const auto& [name, tensor] : tensors_) {
    const torch::Tensor plain = tensor.detach().to(torch::kCPU, torch::kFloat32).contiguous();
    weights[name].assign(plain.data_ptr<float>(), plain.data_ptr<float>() + plain.numel());
  }
  return weights;
}

void TorchNet::to(torch::Device device, torch::Dtype dtype) {
  for (auto& [name, tensor] : tensors_) tensor = tensor.to(device, dtype);
}

}  // namespace rf
