// main of the rank tests: all ranks run all tests in step; a failure on any rank ends the job at once, since
// the others would wait for it in the next collective call.
#include <gtest/gtest.h>

#include <cstdio>
#include <optional>

#include "comm/scoped_mpi.h"
#include "mpi/ranks.h"

namespace rf::test {
namespace {

std::optional<Communicator> g_world;

class EndJobOnFailure : public testing::EmptyTestEventListener {
 public:
  explicit EndJobOnFailure(const ScopedMpi& mpi) : mpi_(mpi) {}
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "[rank %d] %s:%d: %s\n", mpi_.rank(), result.file_name() ? result.file_name() : "?",
                 result.line_number(), result.message());
    mpi_.abort_all(1);
  }

 private:
  const ScopedMpi& mpi_;
};

}  // namespace

const Communicator& world() {
  return *g_world;
}

}  // namespace rf::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return rf::run_ranks([](const rf::ScopedMpi& mpi) {
    rf::test::g_world = rf::Communicator::world(mpi);
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    if (mpi.rank() > 0) delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new rf::test::EndJobOnFailure(mpi));
    return RUN_ALL_TESTS();
  });
}
