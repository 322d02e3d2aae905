#include "search/search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "eval/hash_evaluator.h"
#include "eval/rollout_evaluator.h"
#include "eval/uniform_evaluator.h"
#include "search_fixtures.h"

namespace rf {
namespace {

SearchConfig quiet(int simulations, int leaves) {
  SearchConfig config;
  config.simulations = simulations;
  config.leaves_in_flight = leaves;
  return config;
}

// A second, slow search: maps instead of arrays, recursion instead of paths, one leaf at a time. Written from
// the formula, so that it shares no mistake with the real one.
class NaiveSearch {
 public:
  NaiveSearch(Evaluator& evaluator, const SearchConfig& config) : evaluator_(evaluator), config_(config) {}

  std::map<Action, int> run(const State& root, const std::vector<Action>& path = {}) {
    const auto state = root.clone();
    evaluate(*state, path);
    for (int i = 0; i < config_.simulations; ++i) {
      const auto s = root.clone();
      simulate(*s, path);
    }
    std::map<Action, int> visits;
    for (auto& [a, prior] : priors_[path]) visits[a] = N_[child(path, a)];
    return visits;
  }

 private:
  using Path = std::vector<Action>;
  static Path child(Path path, Action a) {
    path.push_back(a);
    return path;
  }
  // Returns the value for the player to move at `state`.
  double evaluate(const State& state, const Path& path) {
    std::vector<Action> legal;
    state.legal_actions(legal);
    std::vector<float> prior(legal.size());
    float value = 0;
    EvalRequest request{&state, legal, 0, 0, prior, &value};
    evaluator_.evaluate({&request, 1});
    for (std::size_t i = 0; i < legal.size(); ++i) priors_[path][legal[i]] = prior[i];
    N_[path] = 1;
    W_[path] = value;
    return value;
  }
  double simulate(State& state, const Path& path) {
    if (state.terminal()) {
      N_[path] += 1;
      W_[path] += state.outcome();
      return state.outcome();
    }
    if (!priors_.contains(path)) return evaluate(state, path);
    const int mover = state.to_move();
    double mass = 0;
    for (auto& [a, P] : priors_[path]) mass += N_[child(path, a)] > 0 ? P : 0;
    const double reduction = path.empty() ? config_.fpu_reduction_root : config_.fpu_reduction;
    const double fpu = W_[path] / N_[path] - reduction * std::sqrt(mass);
    Action best = -1;
    double best_score = -1e9;
    // Hash priors make ties between visited and new actions all but impossible.
    for (auto& [a, P] : priors_[path]) {
      const Path next = child(path, a);
      const double n = N_[next];
      const double Q = n > 0 ? sign_[next] * W_[next] / n : fpu;
      const double score = Q + config_.c_puct * P * std::sqrt(double(N_[path])) / (1 + n);
      if (score > best_score) {
        best_score = score;
        best = a;
      }
    }
    const Path next = child(path, best);
    state.apply(best);
    sign_[next] = state.to_move() == mover ? 1 : -1;
    const double value = sign_[next] * simulate(state, next);
    N_[path] += 1;
    W_[path] += value;
    return value;
  }

  Evaluator& evaluator_;
  SearchConfig config_;
  std::map<Path, std::map<Action, float>> priors_;
  std::map<Path, int> N_;
  std::map<Path, double> W_, sign_;
};

TEST(Search, OneLeafAtATimeEqualsTheNaiveReference) {
  for (const auto& game : {make_game({"tic_tac_toe", {}}), gomoku(6, 6, 4), gomoku(3, 5, 3)}) {
    for (int simulations : {1, 2, 3, 50, 400}) {
      for (std::uint64_t seed : {1, 2, 3}) {
        HashEvaluator evaluator(seed);
        const SearchConfig config = quiet(simulations, 1);
        Search search(*game, config);
        search.set_root(*game->initial_state());
        RandomStream stream(1);
        run_search(search, evaluator, stream);
        const auto expected = NaiveSearch(evaluator, config).run(*game->initial_state());
        const SearchResult result = search.result();
        for (std::size_t i = 0; i < result.actions.size(); ++i) {
          ASSERT_EQ(result.visits[i], expected.at(result.actions[i]))
              << game->spec().id << " action " << result.actions[i] << " of " << simulations;
        }
      }
    }
  }
}

TEST(Search, VisitsAreTheSimulationsAskedFor) {
  const auto game = gomoku(6, 6, 4);
  HashEvaluator evaluator(5);
  for (int simulations : {1, 2, 3, 8, 9, 100, 401}) {
    for (int leaves : {1, 3, 8, 64}) {
      Search search(*game, quiet(simulations, leaves));
      search.set_root(*game->initial_state());
      RandomStream stream(1);
      run_search(search, evaluator, stream);
      EXPECT_EQ(sum_visits(search.result()), simulations);
      EXPECT_EQ(sum_pending(search.tree()), 0);
      EXPECT_EQ(search.tree().node(0).visits, simulations + 1);
    }
  }
}

TEST(Search, ReusedTreeAddsToTheSimulations) {
  const auto game = gomoku(6, 6, 4);
  HashEvaluator evaluator(5);
  Search search(*game, quiet(200, 4));
  search.set_root(*game->initial_state());
  RandomStream stream(1);
  run_search(search, evaluator, stream, RootNoise::kOn);
  for (int move = 0; move < 6; ++move) {
    const SearchResult before = search.result();
    const Action action = most_visited(before);
    int visits = 0;
    for (std::size_t i = 0; i < before.actions.size(); ++i) {
      if (before.actions[i] == action) visits = before.visits[i];
    }
    search.advance(action);
    // The child was evaluated once itself; its other visits went on to its own edges.
    run_search(search, evaluator, stream, RootNoise::kOn);
    EXPECT_EQ(sum_visits(search.result()), 200 + visits - 1);
    EXPECT_EQ(sum_pending(search.tree()), 0);
  }
}

TEST(Search, ReusedTreeGivesTheSamePriorsAsAFreshOneWithoutNoise) {
  const auto game = gomoku(6, 6, 4);
  HashEvaluator evaluator(5);
  Search search(*game, quiet(100, 4));
  search.set_root(*game->initial_state());
  RandomStream stream(1);
  run_search(search, evaluator, stream, RootNoise::kOn);
  const Action action = most_visited(search.result());
  search.advance(action);
  run_search(search, evaluator, stream);
  Search fresh(*game, quiet(100, 4));
  fresh.set_root(*after(*game, {action}));
  run_search(fresh, evaluator, stream);
  EXPECT_EQ(search.result().prior, fresh.result().prior);
}

TEST(Search, NoiseIsDrawnOncePerRootAndOnlyWhenAsked) {
  const auto game = gomoku(6, 6, 4);
  UniformEvaluator evaluator;
  Search search(*game, quiet(50, 4));
  search.set_root(*game->initial_state());
  RandomStream stream(3);
  run_search(search, evaluator, stream);
  for (float p : search.result().prior) EXPECT_FLOAT_EQ(p, 1 / 36.f);
  search.set_root(*game->initial_state());
  run_search(search, evaluator, stream, RootNoise::kOn);
  const auto first = search.result().prior;
  double sum = 0;
  bool moved = false;
  for (float p : first) {
    sum += p;
    moved |= std::fabs(p - 1 / 36.f) > 1e-4;
    EXPECT_GE(p, 0.75f / 36 - 1e-6f);
  }
  EXPECT_NEAR(sum, 1, 1e-5);
  EXPECT_TRUE(moved);
  search.set_root(*game->initial_state());
  run_search(search, evaluator, stream, RootNoise::kOn);
  EXPECT_NE(search.result().prior, first);
}

TEST(Search, OneSimulationTakesTheHighestPriorNotTheFirstAction) {
  const auto game = gomoku(6, 6, 4);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    HashEvaluator evaluator(seed);
    Search search(*game, quiet(1, 1));
    search.set_root(*game->initial_state());
    RandomStream stream(1);
    run_search(search, evaluator, stream);
    const SearchResult result = search.result();
    const auto best = std::max_element(result.prior.begin(), result.prior.end()) - result.prior.begin();
    EXPECT_EQ(result.visits[std::size_t(best)], 1);
  }
}

TEST(Search, SeesAForcedWinAndAForcedBlock) {
  const auto game = make_game({"tic_tac_toe", {}});
  UniformEvaluator evaluator;
  for (int leaves : {1, 8}) {
    Search search(*game, quiet(200, leaves));
    RandomStream stream(1);
    search.set_root(*after(*game, {0, 3, 1, 4}));  // X wins on 2
    run_search(search, evaluator, stream);
    EXPECT_EQ(most_visited(search.result()), 2);
    EXPECT_GT(search.result().root_value, 0.5);
    search.set_root(*after(*game, {0, 4, 1}));  // O must take 2
    run_search(search, evaluator, stream);
    EXPECT_EQ(most_visited(search.result()), 2);
  }
}

TEST(Search, ValueIsForThePlayerToMove) {
  // O to move, X threatens two lines at once: lost for O.
  const auto game = make_game({"tic_tac_toe", {}});
  UniformEvaluator evaluator;
  Search search(*game, quiet(400, 4));
  RandomStream stream(1);
  search.set_root(*after(*game, {0, 1, 4, 2, 6}));
  run_search(search, evaluator, stream);
  EXPECT_LT(search.result().root_value, -0.5);
}

TEST(Search, VirtualLossSpreadsWithoutTurningTheSearch) {
  const auto game = gomoku(6, 6, 4);
  HashEvaluator evaluator(11);
  std::vector<int> serial, parallel;
  for (int leaves : {1, 8}) {
    Search search(*game, quiet(800, leaves));
    search.set_root(*game->initial_state());
    RandomStream stream(1);
    run_search(search, evaluator, stream);
    (leaves == 1 ? serial : parallel) = search.result().visits;
  }
  double difference = 0;
  for (std::size_t i = 0; i < serial.size(); ++i) difference += std::abs(serial[i] - parallel[i]);
  EXPECT_LT(difference / (2 * 800), 0.25);
}

TEST(Search, AFullTreeStopsAndSaysSo) {
  const auto game = gomoku(6, 6, 4);
  UniformEvaluator evaluator;
  SearchConfig config = quiet(1000, 4);
  config.max_nodes = 50;
  Search search(*game, config);
  search.set_root(*game->initial_state());
  RandomStream stream(1);
  run_search(search, evaluator, stream);
  EXPECT_TRUE(search.truncated());
  EXPECT_LE(search.tree().num_nodes(), 51u);
  EXPECT_LT(sum_visits(search.result()), 1000);
}

TEST(Search, AZeroPriorOnTheOnlyWinIsStillFoundWithNoise) {
  // The prior is all on a losing action; FPU and root noise must bring the search to the win.
  class Biased final : public Evaluator {
   public:
    std::string id() const override { return "biased"; }
    int max_batch() const override { return 64; }
    int submit(std::span<const EvalRequest> batch) override {
      for (const EvalRequest& request : batch) {
        for (float& p : request.prior) p = 0;
        request.prior[request.prior.size() - 1] = 1;
        *request.value = 0;
      }
      return 0;
    }
    void wait(int) override {}
  } evaluator;
  const auto game = make_game({"tic_tac_toe", {}});
  Search search(*game, quiet(400, 4));
  RandomStream stream(1);
  search.set_root(*after(*game, {0, 3, 1, 4}));
  run_search(search, evaluator, stream, RootNoise::kOn);
  EXPECT_EQ(most_visited(search.result()), 2);
}

TEST(Search, MemoryStaysFlatOverManyGames) {
  const auto game = make_game({"tic_tac_toe", {}});
  HashEvaluator evaluator(1);
  Search search(*game, quiet(50, 4));
  RandomStream stream(1);
  std::size_t most = 0;
  for (int g = 0; g < 300; ++g) {
    search.set_root(*game->initial_state());
    while (!search.root().terminal()) {
      run_search(search, evaluator, stream, RootNoise::kOn);
      most = std::max(most, search.tree().num_nodes());
      search.advance(most_visited(search.result()));
    }
  }
  EXPECT_LT(most, 1000u);  // about 50 a move, and what is kept
}

TEST(Search, PrincipalVariationIsALegalLine) {
  const auto game = gomoku(6, 6, 4);
  HashEvaluator evaluator(1);
  Search search(*game, quiet(300, 4));
  search.set_root(*game->initial_state());
  RandomStream stream(1);
  run_search(search, evaluator, stream);
  const auto line = search.principal_variation(10);
  ASSERT_GE(line.size(), 2u);
  auto state = game->initial_state();
  for (Action a : line) {
    ASSERT_TRUE(state->is_legal(a));
    state->apply(a);
  }
  EXPECT_EQ(line[0], most_visited(search.result()));
}

// The salts that symmetries and rollouts are drawn from.
std::vector<std::uint64_t> salts_of_a_game(Search& search, const Game& game) {
  std::vector<std::uint64_t> salts;
  RandomStream stream(7);
  HashEvaluator evaluator(1);
  search.set_root(*game.initial_state());
  for (int ply = 0; ply < 3; ++ply) {
    search.begin(stream, RootNoise::kOff);
    std::vector<EvalRequest> batch;
    while (!search.done()) {
      batch.clear();
      search.collect(batch);
      for (const EvalRequest& request : batch) salts.push_back(request.salt);
      evaluator.evaluate(batch);
      search.absorb();
    }
    search.advance(most_visited(search.result()));
  }
  return salts;
}

TEST(Search, SaltsOfAGameDoNotDependOnTheGameBefore) {
  const auto game = gomoku(4, 4, 3);
  Search fresh(*game, quiet(30, 2)), used(*game, quiet(30, 2));
  HashEvaluator other(2);
  RandomStream stream(8);
  used.set_root(*after(*game, {0, 1}));
  run_search(used, other, stream);
  EXPECT_EQ(salts_of_a_game(used, *game), salts_of_a_game(fresh, *game));
}

}  // namespace
}  // namespace rf
