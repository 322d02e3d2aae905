#include "run/call_config.h"

#include "base/error.h"
#include "config/load.h"

namespace rf {

CallConfig call_config(const RunDirectory& run, const std::vector<Amendment>& amendments,
                       const std::optional<std::string>& file, const std::vector<std::string>& sets) {
  std::vector<Overlay> overlays = overlays_of(amendments);
  overlays.push_back({"--set", sets});
  CallConfig call{parse_layers(file ? read_config_text(*file) : run.run_config(),
                               file ? *file : run.run_yaml().string(), overlays),
                  {}};
  call.changes = compare_configs(amended_config(run, amendments), call.config);
  for (const ConfigDifference& difference : call.changes) {
    if (harmless(difference)) continue;
    fail(ExitCode::kBadConfig, difference.key + " is " + difference.was + " in " + run.root().string(),
         "this call says " + difference.now, "shards and networks of the run depend on it: make a new run");
  }
  return call;
}

}  // namespace rf
