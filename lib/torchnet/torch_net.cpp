#include "torchnet/torch_net.h"

#include <cstring>

namespace rf {

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

torch::Tensor TorchNet::convolve(const torch::Tensor& x, const ConvSpec& conv, bool training) {
  const torch::Tensor& weight = tensors_.at(conv.name + ".weight");
  if (!architecture_.network.batch_norm) {
    return torch::conv2d(x, weight, tensors_.at(conv.name + ".bias"), 1, conv.kernel / 2);
  }
  const torch::Tensor y = torch::conv2d(x, weight, {}, 1, conv.kernel / 2);
  return torch::batch_norm(y, tensors_.at(conv.name + ".bn.weight"), tensors_.at(conv.name + ".bn.bias"),
                           tensors_.at(conv.name + ".bn.running_mean"),
                           tensors_.at(conv.name + ".bn.running_var"), training, 0.1, kBatchNormEpsilon,
                           false);
}

torch::Tensor TorchNet::linear(const torch::Tensor& x, const std::string& name) const {
  return torch::linear(x, tensors_.at(name + ".weight"), tensors_.at(name + ".bias"));
}

NetOutput TorchNet::forward(const torch::Tensor& planes, bool training) {
  torch::Tensor x = activate(convolve(planes, tower_[0], training));
  if (architecture_.network.kind == NetworkKind::kPlain) {
    for (std::size_t i = 1; i < tower_.size(); ++i) x = activate(convolve(x, tower_[i], training));
  } else {
    for (std::size_t i = 1; i + 1 < tower_.size(); i += 2) {
      const torch::Tensor y = activate(convolve(x, tower_[i], training));
      x = activate(convolve(y, tower_[i + 1], training) + x);
    }
  }
  // flatten() goes by [C, H, W] whatever the memory layout.
  const torch::Tensor p = activate(convolve(x, heads_[0], training)).flatten(1);
  const torch::Tensor v = activate(convolve(x, heads_[1], training)).flatten(1);
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
