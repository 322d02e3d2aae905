#include "comm/launcher.h"

#include <cstdlib>
#include <initializer_list>

namespace rf {
namespace {

// The first of `names` that holds a positive number.
Launch announced_by(const Lookup& lookup, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const char* text = lookup(name);
    const int size = text ? std::atoi(text) : 0;
    if (size > 0) return Launch{true, size, std::string(name) + "=" + text};
  }
  return Launch{};
}

}  // namespace

Launch detect_launch(const Lookup& lookup) {
  if (lookup("OMPI_COMM_WORLD_SIZE")) return announced_by(lookup, {"OMPI_COMM_WORLD_SIZE"});
  if (lookup("PMI_RANK")) {
    Launch launch = announced_by(lookup, {"PMI_SIZE"});
    if (!launch.by_launcher && lookup("SLURM_STEP_ID")) {
      launch = announced_by(lookup, {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"});
    }
    launch.by_launcher = true;
    return launch;
  }
  const bool pmix = lookup("PMIX_RANK") != nullptr;
  if (lookup("SLURM_STEP_ID")) {
    Launch launch = announced_by(lookup, {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"});
    // One task without PMIx needs no MPI: `srun -n 1` works where Slurm and MPI do not know each other.
    launch.by_launcher = pmix || launch.announced_size > 1;
    return launch;
  }
  return Launch{pmix, 0, {}};
}

Launch detect_launch() {
  return detect_launch([](const char* name) -> const char* { return std::getenv(name); });
}

}  // namespace rf
