// links: rf_games
// State::assign, apply, legal_actions and encode do not allocate once the targets have their size.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "base/random_stream.h"
#include "game_settings.h"

namespace {
long long g_allocations = 0;
}

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++g_allocations;
  if (void* p = std::malloc(size ? size : 1)) return p;
  std::abort();
}
[[gnu::noinline]] void operator delete(void* p) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}

namespace rf::testing {
namespace {

class HotPath : public ::testing::TestWithParam<std::string> {};

TEST_P(HotPath, DoesNotAllocate) {
  const auto game = game_from_text(GetParam());
  const auto start = game->initial_state();
  const auto state = game->initial_state(), leaf = game->initial_state();
  std::vector<Action> legal(std::size_t(game->spec().num_actions));
  std::vector<float> planes(std::size_t(game->spec().shape.size()));
  long long allocations = -1;
  std::uint64_t sum = 0;
  for (int i = 0; i < 20; ++i) {
    RandomStream stream = make_stream(1, 0, std::uint64_t(i), Purpose::kTest);
    const long long before = g_allocations;
    state->assign(*start);
    while (!state->terminal()) {
      leaf->assign(*state);
      leaf->legal_actions(legal);
      leaf->apply(legal[stream.below(std::uint32_t(legal.size()))]);
      leaf->encode(planes);
      sum += leaf->hash() + std::uint64_t(leaf->is_legal(legal[0]));
      state->assign(*leaf);
    }
    allocations = g_allocations - before;
  }
  EXPECT_EQ(allocations, 0);
  EXPECT_NE(sum, 0u);
}

TEST(HotPathCount, SeesAllocations) {
  const long long before = g_allocations;
  const auto state = game_from_text("tic_tac_toe")->initial_state();
  EXPECT_GT(g_allocations, before);
}

INSTANTIATE_TEST_SUITE_P(All, HotPath, ::testing::ValuesIn(contract_games()), test_name);

}  // namespace
}  // namespace rf::testing
