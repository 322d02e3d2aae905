# shellcheck shell=bash
# What jobs/local and jobs/quickstart share: how MPI programs are started on this machine, how options are checked.
# Both define `die CODE TEXT` and set `given` to one blank before the first option.

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

# check_option OPTION VALUE: ends with 64 when it is doubled (only --set may be), or its value is none.
check_option() {
  [[ -n $2 ]] || die 64 "$1 lacks its value: --help tells how it is used"
  case $1 in
    --set) return 0 ;;
    --config | --run | --bin)
      [[ $2 != -* ]] || die 64 "$1 $2 looks like an option: if it is a path, write ./$2"
      ;;
    --iterations | --seconds | --ranks | --train-ranks)
      [[ $2 =~ ^[1-9][0-9]{0,8}$ ]] || die 64 "$1 $2 is no whole number of at least 1"
      ;;
  esac
  [[ $given != *" $1 "* ]] || die 64 "$1 is given twice"
  given+="$1 "
}

# Prints a path without slashes at its end; / stays.
without_slash() {
  local path=$1
  while [[ $path == ?*/ ]]; do path=${path%/}; done
  printf '%s\n' "$path"
}

# set_launcher RANKS [threads]: sets the array `launcher`, to be put before a command; empty for one rank, which needs
# no MPI. Returns 1 when there is no mpirun. Ranks above the number of cores are not bound and yield, nor are ranks with
# threads, which mpirun would put on one core.
set_launcher() {
  launcher=()
  if (($1 == 1)); then return 0; fi
  command -v mpirun >/dev/null || return 1
  launcher=(mpirun -np "$1")
  if (($1 > $(usable_cores))); then launcher+=(--oversubscribe); fi
  if (($1 > $(usable_cores))) || [[ ${2:-} == threads ]]; then launcher+=(--bind-to none); fi
}

export OMPI_MCA_mpi_yield_when_idle=1
if [[ $(id -u) -eq 0 ]]; then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi
