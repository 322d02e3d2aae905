// Process-wide settings of LibTorch and the libraries under it.
#pragma once

#include <string>

namespace rf {

// Threads of LibTorch; the BLAS's own pool is always cut to one thread (the two would fight for cores).
// Raises oneDNN's primitive cache, since batch sizes vary (default 1024 entries: a fifth slower here).
// Call once at start. num_threads 0: as many as this process may use. Returns the number chosen.
int set_up_torch(int num_threads);

// Warns when the BLAS is the reference one (a 512^3 product takes 100 ms with it, 3 to 20 with a good one).
void check_blas_speed();

// "1.13.0"
std::string torch_version();

}  // namespace rf
