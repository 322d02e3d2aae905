// Many self-play games in lock step on one rank; their leaves share a batch. Which games are played and
// where finished ones go is the caller's business, so nothing here knows of MPI or files.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/random_stream.h"
#include "eval/evaluator.h"
#include "replay/game_record.h"
#include "search/search.h"
#include "selfplay/config.h"

namespace rf {

struct SelfPlayCounts {
  long long games = 0, plies = 0, simulations = 0, evaluations = 0, batches = 0;
  long long truncated_searches = 0;
  double evaluate_seconds = 0, search_seconds = 0;
};

class SelfPlay {
 public:
  using NextGame = std::function<std::optional<std::int64_t>()>;  // a game index, or nothing for now
  using Finished = std::function<void(GameRecord&&)>;

  // References must outlive the object. Game g draws everything from stream(run seed, iteration, g).
  SelfPlay(const Game& game, const SearchConfig& search, const SelfplayConfig& config, Evaluator& evaluator,
           std::uint64_t run_seed, int iteration);

  // Fills free places with new games and evaluates one batch. Returns false when no game was running or
  // begun.
  bool step(const NextGame& next, const Finished& finished);
  int games_running() const { return num_running_; }
  const SelfPlayCounts& counts() const { return counts_; }

 private:
  struct Slot {  // a place for one game
    std::optional<RandomStream> stream;
    std::unique_ptr<Search> search;
    GameRecord record;
    bool running = false;
  };

  void start(Slot& slot, std::int64_t game_index);
  // Random plies that no search chose; stops before one that would end the game.
  void play_opening(Slot& slot, State& state);
  void begin_search(Slot& slot);
  // Plays the move that the finished search chose; true when the game ended.
  bool move(Slot& slot);

  const Game& game_;
  SearchConfig search_config_;
  SelfplayConfig config_;
  Evaluator& evaluator_;
  std::uint64_t run_seed_;
  int iteration_;
  std::vector<Slot> slots_;
  std::vector<EvalRequest> batch_;
  int num_running_ = 0;
  SelfPlayCounts counts_;
};

// A digest of a finished game's moves and targets; sums of them over a set of games do not depend on the
// order.
std::uint64_t game_digest(const GameRecord& record);

}  // namespace rf
