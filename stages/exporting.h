// What rf-export writes.
#pragma once

#include <filesystem>

#include "stage_frame.h"

namespace rf {

// Largest difference of any output from the network as trained that an export may have.
inline constexpr double kExportTolerance = 1e-5;

// Writes network.pt, model_card.json and model_card.md for network `number` (-1: the champion) into `folder`
// (empty: RUN/export). A file that does not agree with the network within kExportTolerance is removed again:
// Error(kBadData).
void export_network(const StageFrame& frame, int number, const std::filesystem::path& folder);

}  // namespace rf
