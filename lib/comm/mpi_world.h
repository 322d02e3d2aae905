// The MPI side of a Communicator; for files of comm/ only.
#pragma once

#include <mpi.h>

#include <chrono>
#include <thread>

namespace rf {

struct MpiWorld {
  MPI_Comm comm = MPI_COMM_NULL;
};

// Sleeps a little longer at each call: first it only yields, then up to 1 ms.
class Patience {
 public:
  void wait() {
    if (++waits_ <= 20) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(waits_ < 100 ? 50 : 1000));
    }
  }

 private:
  int waits_ = 0;
};

// MPI_Wait without spinning.
inline void wait_patiently(MPI_Request* request) {
  Patience patience;
  for (int done = 0;;) {
    MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (done) return;
    patience.wait();
  }
}

}  // namespace rf
