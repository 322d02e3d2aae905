// Monotonic and wall-clock time.
#pragma once

#include <string>

namespace rf {

double seconds_now();   // monotonic, arbitrary origin
double cpu_seconds();   // of this process, all threads
std::string utc_now();  // "2026-01-31T12:00:00Z"

class Timer {
 public:
  double seconds() const { return seconds_now() - start_; }

 private:
  double start_ = seconds_now();
};

}  // namespace rf
