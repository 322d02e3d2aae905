// The outermost frame of programs that need neither ranks nor a run.
#pragma once

#include <functional>

namespace rf {

// Returns the status of `body`, or logs what it throws and returns the exit code that goes with it.
int plain_main(const std::function<int()>& body);

}  // namespace rf
