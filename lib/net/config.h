// Keys of the config's `network` section.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "base/describe.h"

namespace rf {

enum class NetworkKind { kResidual, kPlain };
inline constexpr std::array<std::string_view, 2> kNetworkKindNames = {"residual", "plain"};
enum class Activation { kRelu, kElu };
inline constexpr std::array<std::string_view, 2> kActivationNames = {"relu", "elu"};

struct NetworkConfig {
  NetworkKind kind = NetworkKind::kResidual;
  int blocks = 2;
  int channels = 32;
  std::vector<int> plain_channels = {32, 64, 128};
  int policy_channels = 4;
  int value_channels = 2;
  int value_width = 64;
  Activation activation = Activation::kRelu;
  bool batch_norm = true;
  bool operator==(const NetworkConfig&) const = default;
};

template <class V>
void describe(V& v, NetworkConfig& c) {
  v.choice("kind", c.kind, kNetworkKindNames,
           "residual = stem and residual blocks; plain = 3x3 convolutions one after the other");
  v.number("blocks", c.blocks, 0, 100, "blocks", "residual blocks of two 3x3 convolutions (kind residual)");
  v.number("channels", c.channels, 1, 4096, "channels", "width of the residual tower (kind residual)");
  v.numbers("plain_channels", c.plain_channels, 1, 4096, 32, "channels",
            "width of each convolution (kind plain)");
  v.number("policy_channels", c.policy_channels, 1, 4096, "channels",
           "1x1 convolution before the policy layer");
  v.number("value_channels", c.value_channels, 1, 4096, "channels",
           "1x1 convolution before the value layers");
  v.number("value_width", c.value_width, 1, 65536, "units", "hidden layer of the value head");
  v.choice("activation", c.activation, kActivationNames, "after every convolution and hidden layer");
  v.flag("batch_norm", c.batch_norm, "batch normalisation after every convolution");
}

}  // namespace rf
