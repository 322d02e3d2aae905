// The convolutions of a network for one number of rows as oneDNN primitives, run one after the other on the
// calling thread. Activations are channels last; batch norm, activation and the sum of a residual block are
// inside the convolutions, and the sum goes straight into the block's input.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "infer/onednn_api.h"
#include "net/architecture.h"

namespace rf::onednn {

// What the engines of a network share: its tensors as the primitives want them, each reordered once.
class PackedNetwork {
 public:
  // Batch norm folded. `data`: of weights and activations, f32 or bf16; sums and the heads' outputs are f32.
  // Engines have at most `most_rows` rows.
  PackedNetwork(FoldedNetwork network, DataType data, int most_rows);

  const Architecture& architecture() const { return network_.architecture; }
  DataType data() const { return data_; }
  const dnnl::engine& engine() const { return engine_; }
  dnnl::stream& stream() { return stream_; }
  // Tensor `name`, which is `plain` (f32), as `wanted`; where `wanted` is larger, the rest is 0.
  memory packed(const std::string& name, const memory::desc& plain, const memory::desc& wanted);

  // Activations that the engines share, since one runs at a time: the planes in bf16, the trunk, and what is
  // inside a block. A memory of `rows` rows lies at the beginning of the room.
  enum class Room { kPlanes, kTrunk, kInside };
  memory activations(Room room, int channels, int rows);
  memory::desc describe(int channels, DataType data, int rows) const;

 private:
  FoldedNetwork network_;
  DataType data_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  int most_rows_;
  std::map<std::string, std::vector<memory>> packed_;
  std::map<Room, memory> rooms_;
};

class Engine {
 public:
  // Throws Error(kInternal) when a layer has no primitive, or only a reference one. `network` must outlive
  // it.
  Engine(PackedNetwork& network, int rows);

  // planes [rows, H, W, C] -> what the heads' convolutions give, after the activation:
  // policy [rows, H, W, policy_channels], value [rows, H, W, value_channels].
  void run(const float* planes, float* policy, float* value);
  // A layer a line in order: "stem brgconv:avx512_core".
  const std::vector<std::string>& kernels() const { return kernels_; }

 private:
  struct Step {
    dnnl::primitive primitive;
    std::vector<std::pair<int, memory>> arguments;
    std::vector<dnnl_exec_arg_t> plain_arguments;  // the same for the C interface, which copies nothing
  };

  memory take_planes();
  memory head(const memory& source, const ConvSpec& conv);
  void add_convolution(const memory& source, const ConvSpec& conv, const memory& output, bool add_to_output);
  void finish();

  PackedNetwork& network_;
  int rows_;
  memory planes_, policy_, value_;
  memory scratchpad_;  // of all steps
  std::vector<memory::desc> scratchpads_;
  std::vector<Step> steps_;
  std::vector<std::string> kernels_;
};

}  // namespace rf::onednn
