// What rank_main.cpp offers to the tests of one program.
#pragma once

#include "comm/communicator.h"

namespace rf::test {

// All ranks that mpirun started.
const Communicator& world();

}  // namespace rf::test
