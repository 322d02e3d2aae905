// Positions per second of each game's rules, one thread: simulation is what a simulation asks of them (copy
// the root, play a move, has it ended, legal moves, encode), random_game is random play (legal moves, play).
#include <benchmark/benchmark.h>

#include "base/random_stream.h"
#include "game_settings.h"

namespace rf::testing {
namespace {

// Plays one random move, from the start again when a game has ended.
class RandomGame {
 public:
  explicit RandomGame(const Game& game)
      : start_(game.initial_state()), state_(game.initial_state()), stream_(1) {}
  const State& state() const { return *state_; }
  void next() {
    if (state_->terminal()) state_->assign(*start_);
    state_->legal_actions(legal_);
    state_->apply(legal_[stream_.below(std::uint32_t(legal_.size()))]);
  }

 private:
  std::unique_ptr<State> start_, state_;
  std::vector<Action> legal_;
  RandomStream stream_;
};

void random_game(benchmark::State& loop, const std::string& settings) {
  const auto game = game_from_text(settings);
  RandomGame random(*game);
  for (auto _ : loop) random.next();
  loop.SetItemsProcessed(loop.iterations());
}

void simulation(benchmark::State& loop, const std::string& settings) {
  const auto game = game_from_text(settings);
  RandomGame random(*game);
  const auto leaf = game->initial_state();
  std::vector<Action> legal;
  std::vector<float> planes(std::size_t(game->spec().shape.size()));
  for (auto _ : loop) {
    random.next();
    leaf->assign(random.state());
    leaf->legal_actions(legal);
    if (!leaf->terminal()) leaf->apply(legal[0]);
    leaf->legal_actions(legal);
    leaf->encode(planes);
    benchmark::DoNotOptimize(planes.data());
    benchmark::DoNotOptimize(leaf->hash());
  }
  loop.SetItemsProcessed(loop.iterations());
}

}  // namespace
}  // namespace rf::testing

int main(int argc, char** argv) {
  using namespace rf::testing;
  std::vector<std::string> games;
  for (const rf::GameEntry& entry : rf::game_entries()) games.emplace_back(entry.name);
  for (const char* variant :
       {"gomoku width=6 height=6 line=4", "xiangqi rules=loose", "xiangqi repetition=chase"}) {
    games.emplace_back(variant);
  }
  for (const std::string& settings : games) {
    benchmark::RegisterBenchmark(("random_game/" + settings).c_str(), random_game, settings);
    benchmark::RegisterBenchmark(("simulation/" + settings).c_str(), simulation, settings);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 64;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
