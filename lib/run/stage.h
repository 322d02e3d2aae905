// The stages of an iteration, in their order.
#pragma once

#include <array>
#include <string_view>

namespace rf {

enum class Stage { kGenerate, kTrain, kGate };

inline constexpr std::array<Stage, 3> kStages{Stage::kGenerate, Stage::kTrain, Stage::kGate};

// "generate", "train", "gate": the manifest's name without ".json".
constexpr std::string_view stage_name(Stage stage) {
  switch (stage) {
    case Stage::kGenerate:
      return "generate";
    case Stage::kTrain:
      return "train";
    case Stage::kGate:
      return "gate";
  }
  return "";
}

}  // namespace rf
