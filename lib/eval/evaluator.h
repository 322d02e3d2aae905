// Evaluator: a batch of positions -> priors over the legal actions and a value each.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "games/game.h"

namespace rf {

// One position. What the pointers name must stay alive and unchanged until wait().
struct EvalRequest {
  const State* state = nullptr;   // not terminal
  std::span<const Action> legal;  // ascending, as State::legal_actions gives them
  int symmetry = 0;               // the image under which the position is looked at, in [0, K)
  std::uint64_t salt = 0;  // for evaluators that draw random numbers; a function of game and simulation
  std::span<float> prior;  // out: one entry per legal action, each >= 0, finite, sum 1
  float* value = nullptr;  // out: v in [-1, +1] for the player to move
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  // Names the function that is computed: "uniform", "hash:7", or "network:<digest>".
  virtual std::string id() const = 0;
  // The largest batch that submit() takes.
  virtual int max_batch() const = 0;
  // Starts a batch and returns its ticket. Up to two tickets may be open; a CPU evaluator may do all the
  // work here. The array `batch` itself is not used after the call.
  virtual int submit(std::span<const EvalRequest> batch) = 0;
  // Returns when the answers of that batch are written.
  virtual void wait(int ticket) = 0;

  // Any number of positions, cut into batches.
  void evaluate(std::span<const EvalRequest> batch);
};

// Shares 1 evenly.
void fill_uniform(std::span<float> prior);
// Scales to sum 1; when nothing usable is there (sum 0 or not finite) fills evenly and returns false.
bool normalise_prior(std::span<float> prior);
// Logits of the legal actions -> priors, in place; false as above.
bool softmax(std::span<float> logits);
// Softmax of logits[legal[i]] over the legal actions; false as above.
bool softmax_legal(std::span<const float> logits, std::span<const Action> legal, std::span<float> prior);

}  // namespace rf
