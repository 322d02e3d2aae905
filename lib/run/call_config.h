// The config of one call of a stage: run.yaml or the file of --config; over it amendments; over them --set.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/compare.h"
#include "config/run_config.h"
#include "run/amendments.h"
#include "run/run_directory.h"

namespace rf {

struct CallConfig {
  RunConfig config;
  std::vector<ConfigDifference> changes;  // what --config and --set of the call made of the amended run.yaml
};

// `amendments` are those that apply, `file` is --config, `sets` are --set. Throws Error(kBadConfig) also for
// a change of what is fixed for the life of a run, Error(kInputMissing) when there is no such file.
CallConfig call_config(const RunDirectory& run, const std::vector<Amendment>& amendments,
                       const std::optional<std::string>& file, const std::vector<std::string>& sets);

}  // namespace rf
