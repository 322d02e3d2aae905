# How MPI programs are started on this machine; sourced by jobs/local and jobs/quickstart.

# Prints the cores that this process may use: its affinity, no hardware thread twice, the container's share.
usable_cores() {
  local cores physical quota=max period=1
  cores=$(nproc || echo 1)
  physical=$(lscpu -p=CORE,SOCKET 2>/dev/null | grep -v '^#' | sort -u | wc -l || true)
  if ((${physical:-0} > 0 && physical < cores)); then cores=$physical; fi
  if [[ -r /sys/fs/cgroup/cpu.max ]]; then read -r quota period </sys/fs/cgroup/cpu.max; fi
  if [[ $quota != max ]] && ((quota >= period && quota / period < cores)); then cores=$((quota / period)); fi
  echo "$cores"
}

# set_launcher RANKS: sets the array `launcher`, to be put before a command; empty for one rank, which needs
# no MPI. Returns 1 when there is no mpirun. Ranks above the number of cores are not bound and yield.
set_launcher() {
  launcher=()
  if (($1 == 1)); then return 0; fi
  command -v mpirun >/dev/null || return 1
  launcher=(mpirun -np "$1")
  if (($1 > $(usable_cores))); then launcher+=(--oversubscribe --bind-to none); fi
}

export OMPI_MCA_mpi_yield_when_idle=1
if [[ $(id -u) -eq 0 ]]; then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi
