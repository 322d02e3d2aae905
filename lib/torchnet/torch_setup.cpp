#include "torchnet/torch_setup.h"

#include <dlfcn.h>
#include <malloc.h>
#include <sched.h>
#include <torch/torch.h>

#include <limits>
#include <string>

#include "base/log.h"
#include "base/timer.h"

namespace rf {
namespace {

template <class F>
F symbol(const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_DEFAULT, name));
}

int allowed_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

}  // namespace

int set_up_torch(int num_threads) {
  if (num_threads <= 0) num_threads = allowed_cores();
  at::set_num_threads(num_threads);
  if (auto set_blas_threads = symbol<void (*)(int)>("openblas_set_num_threads")) set_blas_threads(1);
  if (auto set_cache = symbol<int (*)(int)>("dnnl_set_primitive_cache_capacity")) set_cache(8192);
  // Keep big activations on the heap instead of mapping them anew for each call (training: a quarter faster).
  mallopt(M_MMAP_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_TOP_PAD, 64 << 20);
  return num_threads;
}

void check_blas_speed() {
  const c10::InferenceMode guard;
  const torch::Tensor a = torch::ones({512, 512});
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const Timer timer;
    const torch::Tensor product = a.mm(a);
    best = std::min(best, timer.seconds());
  }
  if (best > 0.05) {
    log_warning(
        "the BLAS is slow (512x512x512 product took " + fixed(best * 1e3, 0) +
        " ms, 20 are usual): install libopenblas0-pthread, or check update-alternatives for libblas.so.3");
  }
}

std::string torch_version() {
  return TORCH_VERSION;
}

}  // namespace rf
