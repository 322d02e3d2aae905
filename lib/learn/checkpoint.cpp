#include "learn/checkpoint.h"

#include "base/error.h"
#include "store/tensor_file.h"

namespace rf {
namespace {

Tensor flat(std::vector<float> values) {
  const auto n = std::int64_t(values.size());
  return {{n}, std::move(values)};
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Architecture& architecture,
                      const Checkpoint& checkpoint) {
  TensorFile file;
  file.kind = kTrainingFiletype;
  file.attributes["set_id"] = checkpoint.set_id;
  file.attributes["game_id"] = architecture.game_id;
  file.attributes["network"] = architecture_text(architecture);
  file.attributes["network_digest"] = checkpoint.network_digest;
  file.attributes["batches"] = checkpoint.batches;
  file.attributes["steps"] = checkpoint.optimizer.steps;
  file.attributes["rate_multiplier"] = checkpoint.rate_multiplier;
  file.attributes["has_weights"] = std::int64_t(checkpoint.weights.has_value());
  file.tensors["optimizer.first"] = flat(checkpoint.optimizer.first);
  file.tensors["optimizer.second"] = flat(checkpoint.optimizer.second);
  file.tensors["metrics"] = flat(checkpoint.curve.to_numbers());
  if (checkpoint.weights) {
    for (const TensorSpec& spec : tensor_specs(architecture)) {
      file.tensors["weights." + spec.name] = {spec.shape, checkpoint.weights->at(spec.name)};
    }
  }
  write_tensor_file(path, file);
}

Checkpoint read_checkpoint(const std::filesystem::path& path, const Architecture& architecture) {
  TensorFile file = read_tensor_file(path, kTrainingFiletype);
  const std::string text = architecture_text(architecture);
  if (file.text("game_id") != architecture.game_id || file.text("network") != text) {
    fail(ExitCode::kBadData,
         path.string() + " is the training state of '" + file.text("network") + "' for '" +
             file.text("game_id") + "'",
         "this run has '" + text + "' for '" + architecture.game_id + "'");
  }
  Checkpoint checkpoint;
  checkpoint.set_id = file.text("set_id");
  checkpoint.network_digest = file.text("network_digest");
  checkpoint.batches = file.integer("batches");
  checkpoint.rate_multiplier = file.real("rate_multiplier");
  checkpoint.optimizer.steps = file.integer("steps");
  checkpoint.optimizer.first = file.tensor("optimizer.first").values;
  checkpoint.optimizer.second = file.tensor("optimizer.second").values;
  checkpoint.curve.from_numbers(file.tensor("metrics").values);
  if (file.integer("has_weights") != 0) {
    checkpoint.weights.emplace();
    for (const TensorSpec& spec : tensor_specs(architecture)) {
      (*checkpoint.weights)[spec.name] = file.tensor("weights." + spec.name).values;
    }
    check_weights(architecture, *checkpoint.weights, path.string());
  }
  return checkpoint;
}

}  // namespace rf
