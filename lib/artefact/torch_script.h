// The network as a TorchScript file that torch.jit.load reads in Python or C++.
//   forward(planes: float32 [B, C, H, W]) -> (policy_logits: float32 [B, A], value: float32 [B, 1])
// In evaluation mode for good: batch norm uses the running statistics. The operations are those of training,
// so the outputs are the trained network's but for rounding. The model card is inside, as extra file
// "model_card.json".
#pragma once

#include <filesystem>
#include <string>

#include "games/game.h"
#include "net/architecture.h"

namespace rf {

// Written beside and renamed. Throws Error(kCannotWrite).
void write_torch_script(const std::filesystem::path& path, const Architecture& architecture,
                        const Weights& weights, const std::string& model_card);

// Loads the file anew and compares it with the network as trained on positions of random games, in batches of
// several sizes. Returns the largest absolute difference of any output.
double compare_torch_script(const std::filesystem::path& path, const Game& game,
                            const Architecture& architecture, const Weights& weights, int positions);

// The TorchScript source of forward(); exposed for tests.
std::string torch_script_source(const Architecture& architecture);

}  // namespace rf
