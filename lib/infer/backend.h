// Which backend evaluates a network on this machine: the first that can, by the config and by what the
// processor has, and that passes its self-test.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "infer/config.h"
#include "infer/forward_pass.h"

namespace rf {

// Makes the torch backend; throws Error when it cannot.
using MakeTorch = std::function<std::unique_ptr<ForwardPass>(const FoldedNetwork&, int rows)>;

struct ChosenBackend {
  std::unique_ptr<ForwardPass> forward;
  std::vector<std::string> warnings;  // what was asked for and could not be had, for the log
};

// Room for `rows` positions. Order: onednn in bf16 where the processor has it (precision auto, or asked for),
// onednn in f32, torch. What has no fast kernel for the network or fails its self-test is passed over with a
// warning. Throws the last backend's Error when none is left.
ChosenBackend choose_backend(const Architecture& architecture, const Weights& weights, int rows,
                             const InferenceConfig& config, const MakeTorch& make_torch);

// Compares a forward pass with plain loops on two made-up positions. Returns what is wrong, or "". What may
// differ: logits by that share of the largest one, values by that much.
std::string self_test(ForwardPass& forward, const FoldedNetwork& network);
inline constexpr double kSelfTestF32 = 1e-3, kSelfTestBf16 = 0.1;

}  // namespace rf
