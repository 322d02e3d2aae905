#include "every_line.h"

#include <array>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/signals.h"
#include "base/timer.h"
#include "match_runner.h"
#include "players.h"
#include "search/puct.h"
#include "versus.h"

namespace rf {
namespace {

// Walks all lines of one colour without recursion: a stack of positions in which the opponent has moves left.
class EveryLine {
 public:
  EveryLine(const StageFrame& frame, Evaluator& evaluator, int simulations)
      : game_(frame.game()),
        seed_(frame.config().run.seed),
        evaluator_(evaluator),
        search_(frame.game(), frame.config().search, simulations) {}

  // Lines won, drawn and lost by the network as player `own`; those there are when a signal came.
  Tally walk(int own) {
    Tally tally;
    std::vector<std::unique_ptr<State>> stack;
    stack.push_back(game_.initial_state());
    std::vector<Action> legal;
    while (!stack.empty() && !stop_requested()) {
      const std::unique_ptr<State> state = std::move(stack.back());
      stack.pop_back();
      while (!state->terminal() && state->to_move() == own) state->apply(choose(*state));
      if (state->terminal()) {
        const float z = state->outcome();
        tally.add((1 + (state->to_move() == own ? z : -z)) / 2);
        if ((state->to_move() == own ? z : -z) < 0 && first_loss_.empty()) first_loss_ = state->text();
        continue;
      }
      state->legal_actions(legal);
      for (Action action : legal) {
        stack.push_back(state->clone());
        stack.back()->apply(action);
      }
    }
    return tally;
  }
  const std::string& first_loss() const { return first_loss_; }
  long long searched() const { return searched_; }

 private:
  Action choose(const State& state) {
    if (++searched_ > kEveryLinePositions) {
      fail(ExitCode::kUsage, "--versus every is for small games",
           game_.spec().id + " has more than " + grouped(kEveryLinePositions) + " positions to search",
           "use --versus mcts:N");
    }
    search_.set_root(state);
    RandomStream stream = make_stream(seed_, 0, state.hash(), Purpose::kMatch);
    search_.begin(stream, RootNoise::kOff);
    while (!search_.done()) {
      batch_.clear();
      search_.collect(batch_);
      evaluator_.evaluate(batch_);
      search_.absorb();
    }
    const SearchResult result = search_.result();
    return result.actions[sample_visits(result.visits, 0, stream)];
  }

  const Game& game_;
  std::uint64_t seed_;
  Evaluator& evaluator_;
  Search search_;
  std::vector<EvalRequest> batch_;
  std::string first_loss_;
  long long searched_ = 0;
};

}  // namespace

int play_every_line(const StageFrame& frame, const CommandLine& line) {
  for (const char* option : {"games", "opening-plies", "seed"}) {
    if (line.given(option)) {
      fail(ExitCode::kUsage, std::string("--") + option + " has no meaning with --versus every",
           "every line is played once, from the start");
    }
  }
  const auto [path, digest] = find_network(frame, int(line.whole("network")));  // collective
  if (!frame.root()) return int(ExitCode::kDone);
  const Timer timer;
  int simulations = int(line.whole("simulations"));
  if (simulations == 0) simulations = frame.config().gate.simulations;
  NetworkPlayer player(frame.game(), frame.architecture(), path, digest, frame.config(), 1);
  EveryLine lines(frame, player.evaluator(), simulations);
  MatchScore score;
  score.first = lines.walk(0);
  score.second = lines.walk(1);
  score.all = {score.first.wins + score.second.wins, score.first.draws + score.second.draws,
               score.first.losses + score.second.losses};
  const int used = simulations > 0 ? simulations : frame.config().search.simulations;
  if (stop_requested()) {
    log_info("interrupted by " + std::string(stop_signal_name()) + " after " + grouped(score.all.games()) +
             " lines");
    return int(ExitCode::kTryAgain);
  }
  std::string text = frame.run().relative(path) + " (" + std::to_string(used) +
                     " simulations a move) against every line of play: " + grouped(score.all.games()) +
                     " lines, " + duration(timer.seconds()) + "\n" + score_table(score) + "\n";
  if (!lines.first_loss().empty()) text += "the first line that was lost ends so:\n" + lines.first_loss();
  if (line.flag("json")) {
    Json json = score_json(score);
    json["network"] = frame.run().relative(path);
    json["versus"] = "every";
    json["simulations"] = used;
    json["positions_searched"] = lines.searched();
    json["seconds"] = timer.seconds();
    text += json.dump() + "\n";
  }
  print_result(text);
  return int(ExitCode::kDone);
}

}  // namespace rf
