// Which launcher started this process, read from the environment alone: no MPI call.
#pragma once

#include <functional>
#include <string>

namespace rf {

struct Launch {
  bool by_launcher = false;  // false: a plain ./program; MPI stays untouched
  int announced_size = 0;    // ranks that the launcher promised; 0: it did not say
  std::string source;        // the variable that told the size, for messages
};

// Returns the value of an environment variable, or null.
using Lookup = std::function<const char*(const char*)>;

// The innermost launcher wins: mpirun inside a Slurm step is mpirun's job.
//   Open MPI  OMPI_COMM_WORLD_SIZE
//   MPICH and its kin  PMI_RANK, PMI_SIZE
//   Slurm  SLURM_STEP_ID with SLURM_STEP_NUM_TASKS or SLURM_NTASKS, when PMIX_RANK is set or tasks > 1
Launch detect_launch(const Lookup& lookup);
Launch detect_launch();  // of this process

}  // namespace rf
