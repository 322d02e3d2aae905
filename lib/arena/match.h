// Games between two players in lock step on one rank. Game 2k and 2k+1 are a colour pair: both begin with
// opening k, player A moves first in the even one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random_stream.h"
#include "eval/evaluator.h"
#include "search/search.h"

namespace rf {

// Chooses moves by itself, without a search that waits for evaluations.
class Opponent {
 public:
  virtual ~Opponent() = default;
  // Draws among equals from the game's stream. `state` is not terminal.
  virtual Action choose(const State& state, RandomStream& stream) = 0;
};

// How one side chooses moves: an opponent, a search with an evaluator, or uniformly at random with neither.
// Without temperature it plays the most visited action, ties decided by the game's stream; no root noise.
struct Player {
  std::string name;
  Evaluator* evaluator = nullptr;
  SearchConfig search;
  int simulations = 0;  // per move; 0 = as in `search`
  Opponent* opponent = nullptr;
};

struct MatchGame {
  std::int64_t index = 0;
  bool a_first = true;
  std::vector<Action> moves;  // with the opening
  float points_a = 0;         // 1 win, 0.5 draw, 0 loss
  std::string end_reason;
};

class Match {
 public:
  using NextGame = std::function<std::optional<std::int64_t>()>;
  using Finished = std::function<void(MatchGame&&)>;

  // `openings` is used round robin by pair; references and evaluators must outlive the object.
  Match(const Game& game, Player a, Player b, std::vector<std::vector<Action>> openings,
        int games_in_parallel, std::uint64_t run_seed, int iteration);

  // Fills free places and evaluates one batch for each side. Returns false when no game was running or
  // begun.
  bool step(const NextGame& next, const Finished& finished);

 private:
  struct Slot {
    std::unique_ptr<State> state;
    std::unique_ptr<Search> search[2];  // of player A, B; null for a random player
    std::optional<RandomStream> stream;
    MatchGame game;
    bool running = false;
    int player_to_move() const { return (state->to_move() == 0) == game.a_first ? 0 : 1; }
  };

  void start(Slot& slot, std::int64_t index);
  void begin_move(Slot& slot);
  // Plays the move of a finished search (or a random one); true when the game ended.
  bool move(Slot& slot);
  bool ready(const Slot& slot) const;  // a move can be made without an evaluation

  const Game& game_;
  Player players_[2];
  std::vector<std::vector<Action>> openings_;
  std::uint64_t run_seed_;
  int iteration_;
  std::vector<Slot> slots_;
  std::vector<EvalRequest> batches_[2];
};

// `count` random openings of `plies` plies, none of them ending the game, all different positions even when
// the board is turned or mirrored. Fewer when the game has no more of them; at least one (maybe empty).
std::vector<std::vector<Action>> make_openings(const Game& game, int count, int plies, std::uint64_t run_seed,
                                               int iteration);

}  // namespace rf
