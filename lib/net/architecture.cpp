#include "net/architecture.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random_stream.h"

namespace rf {

int Architecture::trunk_channels() const {
  if (network.kind == NetworkKind::kResidual) return network.channels;
  return network.plain_channels.empty() ? planes : network.plain_channels.back();
}

std::int64_t TensorSpec::size() const {
  std::int64_t n = 1;
  for (std::int64_t d : shape) n *= d;
  return n;
}

std::vector<ConvSpec> tower_convs(const Architecture& a) {
  std::vector<ConvSpec> convs;
  if (a.network.kind == NetworkKind::kPlain) {
    int in = a.planes;
    for (std::size_t i = 0; i < a.network.plain_channels.size(); ++i) {
      convs.push_back({"conv" + std::to_string(i), in, a.network.plain_channels[i], 3});
      in = a.network.plain_channels[i];
    }
    return convs;
  }
  const int width = a.network.channels;
  convs.push_back({"stem", a.planes, width, 3});
  for (int i = 0; i < a.network.blocks; ++i) {
    for (const char* which : {".conv1", ".conv2"})
      convs.push_back({"block" + std::to_string(i) + which, width, width, 3});
  }
  return convs;
}

std::vector<ConvSpec> head_convs(const Architecture& a) {
  const int trunk = a.trunk_channels();
  return {{"policy.conv", trunk, a.network.policy_channels, 1},
          {"value.conv", trunk, a.network.value_channels, 1}};
}

std::vector<TensorSpec> tensor_specs(const Architecture& a) {
  std::vector<TensorSpec> specs;
  auto convs = tower_convs(a);
  for (ConvSpec& head : head_convs(a)) convs.push_back(std::move(head));
  for (const ConvSpec& c : convs) {
    specs.push_back({c.name + ".weight", {c.out, c.in, c.kernel, c.kernel}, true});
    if (a.network.batch_norm) {
      specs.push_back({c.name + ".bn.weight", {c.out}, true});
      specs.push_back({c.name + ".bn.bias", {c.out}, true});
      specs.push_back({c.name + ".bn.running_mean", {c.out}, false});
      specs.push_back({c.name + ".bn.running_var", {c.out}, false});
    } else {
      specs.push_back({c.name + ".bias", {c.out}, true});
    }
  }
  const auto linear = [&](const std::string& name, int out, int in) {
    specs.push_back({name + ".weight", {out, in}, true});
    specs.push_back({name + ".bias", {out}, true});
  };
  linear("policy.linear", a.num_actions, a.network.policy_channels * a.cells());
  linear("value.hidden", a.network.value_width, a.network.value_channels * a.cells());
  linear("value.out", 1, a.network.value_width);
  return specs;
}

Weights initial_weights(const Architecture& a, std::uint64_t seed) {
  RandomStream stream = make_stream(seed, 0, 0, Purpose::kWeights);
  Weights weights;
  for (const TensorSpec& spec : tensor_specs(a)) {
    std::vector<float>& tensor = weights[spec.name];
    tensor.assign(std::size_t(spec.size()), 0.f);
    if (spec.name.ends_with(".bn.weight") || spec.name.ends_with(".running_var")) {
      tensor.assign(tensor.size(), 1.f);
    } else if (spec.shape.size() > 1) {
      const double fan_in = double(spec.size()) / double(spec.shape[0]);
      // Output layers start small, so that the first priors are nearly uniform and the first values nearly 0.
      const bool output = spec.name == "policy.linear.weight" || spec.name == "value.out.weight";
      const double scale = (output ? 0.1 : 1.0) * std::sqrt(2.0 / fan_in);
      for (float& w : tensor) w = float(scale * stream.normal());
    }
  }
  return weights;
}

void check_weights(const Architecture& a, const Weights& weights, const std::string& origin) {
  const auto specs = tensor_specs(a);
  for (const TensorSpec& spec : specs) {
    const auto found = weights.find(spec.name);
    if (found == weights.end()) {
      fail(ExitCode::kBadData, origin + " has no tensor " + spec.name, architecture_text(a) + " needs it");
    }
    if (std::int64_t(found->second.size()) != spec.size()) {
      fail(ExitCode::kBadData,
           origin + ": tensor " + spec.name + " has " + std::to_string(found->second.size()) + " values",
           architecture_text(a) + " needs " + std::to_string(spec.size()));
    }
    for (float w : found->second) {
      if (!std::isfinite(w))
        fail(ExitCode::kBadData, origin + ": tensor " + spec.name + " is not finite", "NaN or infinity");
      if (w < 0 && spec.name.ends_with(".running_var"))
        fail(ExitCode::kBadData, origin + ": tensor " + spec.name + " is negative", "it holds variances");
    }
  }
  for (const auto& entry : weights) {
    const std::string& name = entry.first;
    if (std::none_of(specs.begin(), specs.end(), [&](const TensorSpec& spec) { return spec.name == name; })) {
      fail(ExitCode::kBadData, origin + " has a foreign tensor " + name,
           architecture_text(a) + " has none of that name");
    }
  }
}

FoldedNetwork fold_batch_norm(const Architecture& a, const Weights& weights) {
  FoldedNetwork folded{a, {}};
  folded.architecture.network.batch_norm = false;
  if (!a.network.batch_norm) {
    folded.weights = weights;
    return folded;
  }
  auto convs = tower_convs(a);
  for (ConvSpec& head : head_convs(a)) convs.push_back(std::move(head));
  for (const ConvSpec& c : convs) {
    const auto& gamma = weights.at(c.name + ".bn.weight");
    const auto& beta = weights.at(c.name + ".bn.bias");
    const auto& mean = weights.at(c.name + ".bn.running_mean");
    const auto& var = weights.at(c.name + ".bn.running_var");
    std::vector<float> kernel = weights.at(c.name + ".weight");
    std::vector<float> bias(std::size_t(c.out));
    const std::size_t per_channel = kernel.size() / std::size_t(c.out);
    for (std::size_t o = 0; o < bias.size(); ++o) {
      const double scale = gamma[o] / std::sqrt(double(var[o]) + kBatchNormEpsilon);
      for (std::size_t i = 0; i < per_channel; ++i)
        kernel[o * per_channel + i] = float(kernel[o * per_channel + i] * scale);
      bias[o] = float(beta[o] - mean[o] * scale);
    }
    folded.weights[c.name + ".weight"] = std::move(kernel);
    folded.weights[c.name + ".bias"] = std::move(bias);
  }
  for (const char* name : {"policy.linear", "value.hidden", "value.out"}) {
    for (const char* part : {".weight", ".bias"})
      folded.weights[std::string(name) + part] = weights.at(std::string(name) + part);
  }
  return folded;
}

std::int64_t count_parameters(const Architecture& a) {
  std::int64_t n = 0;
  for (const TensorSpec& spec : tensor_specs(a)) n += spec.trained ? spec.size() : 0;
  return n;
}

double mflops_per_evaluation(const Architecture& a) {
  double madds = 0;
  for (const TensorSpec& spec : tensor_specs(a)) {
    if (spec.shape.size() == 4) madds += double(spec.size()) * a.cells();
    if (spec.shape.size() == 2) madds += double(spec.size());
  }
  return 2e-6 * madds;
}

std::string architecture_text(const Architecture& a) {
  if (a.network.kind == NetworkKind::kResidual) {
    return "residual " + std::to_string(a.network.blocks) + "x" + std::to_string(a.network.channels);
  }
  std::string text = "plain ";
  for (std::size_t i = 0; i < a.network.plain_channels.size(); ++i) {
    text += (i ? "-" : "") + std::to_string(a.network.plain_channels[i]);
  }
  return text;
}

}  // namespace rf
