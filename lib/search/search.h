// Monte Carlo tree search with PUCT (Silver et al. 2017) over one game. It hands out leaves and takes
// answers back, so that many trees share one batch without threads; it never calls an evaluator.
//
//   search.set_root(state);
//   search.begin(stream, RootNoise::kOn);
//   while (!search.done()) {
//     search.collect(batch);        // appends requests; the evaluator writes into the search's own buffers
//     evaluator.evaluate(batch);
//     search.absorb();
//   }
//
// One simulation = one descent from the root over at least one edge. The evaluation of the root itself is
// not a simulation: after begin() .. done() the visits of the root's edges have grown by `simulations`.
// Every value is tied to the player to move at its node, never to the depth's parity.
#pragma once

#include <memory>
#include <vector>

#include "eval/evaluator.h"
#include "search/config.h"
#include "search/tree.h"

namespace rf {

class RandomStream;

enum class RootNoise { kOff, kOn };

struct SearchResult {
  std::vector<Action> actions;    // every legal action of the root, ascending
  std::vector<int> visits;        // N, same order
  std::vector<float> prior;       // P with noise, if any
  std::vector<float> mean_value;  // Q for the root's player; 0 where not visited
  float root_value = 0;           // mean over all simulations, for the root's player
};

class Search {
 public:
  // `game` must outlive the search. `simulations` may replace the config's (0 = as in the config).
  Search(const Game& game, const SearchConfig& config, int simulations = 0);

  // Forgets the tree.
  void set_root(const State& state);
  // Applies an action at the root and keeps its subtree if the config says so. A child that was the end of
  // the game only inside the search (State::begin_search) is searched anew; such ends deeper in a kept
  // subtree stay as they were judged.
  void advance(Action action);
  // Starts the next search; noise is drawn once, here, from `stream`. The stream's key also goes into the
  // salts.
  void begin(RandomStream& stream, RootNoise noise);

  // All simulations are finished, or the tree is full (truncated()).
  bool done() const;
  // Appends at most leaves_in_flight requests; terminal leaves are backed up at once. The requests point
  // into the search and stay valid until absorb(). absorb() must follow before the next collect().
  void collect(std::vector<EvalRequest>& out);
  void absorb();

  // Only when done().
  SearchResult result() const;
  // The most visited line from the root, at most `max_plies` actions.
  std::vector<Action> principal_variation(int max_plies) const;

  const State& root() const { return *root_state_; }
  const Tree& tree() const { return tree_; }
  bool truncated() const { return truncated_; }
  long long evaluations() const { return num_evaluations_; }  // requests handed out since construction
  int deepest() const { return deepest_; }                    // plies of the longest descent since begin()

 private:
  struct Step {
    std::int32_t node, edge;
  };
  struct Leaf {  // a position that waits for its evaluation
    std::unique_ptr<State> state;
    std::vector<Step> path;
    std::int32_t node = 0;
    std::vector<Action> legal;
    std::vector<float> prior;
    float value = 0;
  };
  enum class Descent { kLeaf, kTerminal, kCollision };

  Descent descend(Leaf& leaf);
  std::int32_t select(std::int32_t node) const;
  void back_up(const std::vector<Step>& path, std::int32_t leaf, float value);
  void request(Leaf& leaf, std::vector<EvalRequest>& out);
  void mix_noise();

  const Game& game_;
  SearchConfig config_;
  Tree tree_;
  std::unique_ptr<State> root_state_;
  std::vector<Leaf> leaves_;       // [leaves_in_flight]
  std::size_t num_waiting_ = 0;    // leaves_[0..) that were handed out
  std::vector<float> noise_;       // of this root, empty without noise
  std::vector<float> root_prior_;  // priors of the root's edges with noise
  std::uint64_t salt_ = 0;
  long long num_evaluations_ = 0, first_evaluation_ = 0;
  int started_ = 0;  // simulations begun since begin()
  int deepest_ = 0;
  bool truncated_ = false;
};

}  // namespace rf
