#include "terminal_game.h"

#include <algorithm>
#include <iostream>
#include <numeric>

#include "base/error.h"
#include "base/log.h"
#include "search/puct.h"

namespace rf {

TerminalGame::TerminalGame(const StageFrame& frame, const NetworkChoice& network, int simulations,
                           std::uint64_t seed)
    : game_(frame.game()),
      player_(frame.game(), frame.architecture(), network.path, network.digest, frame.config(), 1),
      search_(frame.game(), frame.config().search, simulations),
      stream_(make_stream(frame.config().run.seed, 0, seed, Purpose::kMatch)),
      state_(frame.game().initial_state()) {}

void TerminalGame::replay() {
  state_ = game_.initial_state();
  for (Action a : moves_) state_->apply(a);
  search_.set_root(*state_);
}

void TerminalGame::think() {
  search_.begin(stream_, RootNoise::kOff);
  std::vector<EvalRequest> batch;
  while (!search_.done()) {
    batch.clear();
    search_.collect(batch);
    player_.evaluator().evaluate(batch);
    search_.absorb();
  }
}

void TerminalGame::show_hint(std::ostream& out) {
  think();
  const SearchResult result = search_.result();
  std::vector<std::size_t> order(result.actions.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return result.visits[a] > result.visits[b]; });
  out << "  move   visits  prior   value\n";
  for (std::size_t i = 0; i < std::min<std::size_t>(5, order.size()); ++i) {
    const std::size_t k = order[i];
    const std::string move = game_.action_text(*state_, result.actions[k]);
    const std::string visits = std::to_string(result.visits[k]);
    out << "  " << move << std::string(8 - std::min<std::size_t>(7, move.size()), ' ')
        << std::string(5 - std::min<std::size_t>(5, visits.size()), ' ') << visits << "   "
        << fixed(result.prior[k], 3) << "   " << fixed(result.mean_value[k], 2) << "\n";
  }
  search_.set_root(*state_);
}

void TerminalGame::engine_move(std::ostream& out) {
  think();
  const SearchResult result = search_.result();
  const std::size_t best = sample_visits(result.visits, 0, stream_);
  const Action action = result.actions[best];
  const int all = std::accumulate(result.visits.begin(), result.visits.end(), 0);
  out << "\nthe network plays " << game_.action_text(*state_, action) << " (" << result.visits[best] << " of "
      << all << " visits, expects " << fixed(result.mean_value[best], 2) << ")\n";
  moves_.push_back(action);
  state_->apply(action);
  search_.advance(action);
}

bool TerminalGame::human_move(const bool human[2], std::istream& in, std::ostream& out) {
  for (;;) {
    out << "your move: " << std::flush;
    std::string text;
    if (!std::getline(in, text)) {
      out << "\n(end of input)\n";
      return false;
    }
    text.erase(0, text.find_first_not_of(" \t\r"));
    text.erase(text.find_last_not_of(" \t\r") + 1);
    for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
    if (text.empty()) continue;
    if (text == "quit" || text == "exit") return false;
    if (text == "help") {
      std::vector<Action> legal;
      state_->legal_actions(legal);
      out << "a move such as " << game_.action_text(*state_, legal.front())
          << ", undo (your last move), hint (what the network thinks), board, quit\n";
    } else if (text == "board") {
      out << state_->text();
    } else if (text == "hint") {
      show_hint(out);
    } else if (text == "undo") {
      // Back to the person's own last decision.
      std::size_t keep = moves_.size();
      for (std::size_t n = moves_.size(); n-- > 0;) {
        auto state = game_.initial_state();
        for (std::size_t i = 0; i < n; ++i) state->apply(moves_[i]);
        if (human[state->to_move()]) {
          keep = n;
          break;
        }
      }
      if (keep == moves_.size()) {
        out << "nothing to take back\n";
        continue;
      }
      moves_.resize(keep);
      replay();
      out << state_->text();
    } else if (const auto action = game_.parse_action(*state_, text)) {
      moves_.push_back(*action);
      state_->apply(*action);
      search_.advance(*action);
      return true;
    } else {
      out << "'" << text << "' is no legal move here (type help)\n";
    }
  }
}

int TerminalGame::play(const bool human[2], std::istream& in, std::ostream& out) {
  out << game_.spec().id << ", network " << player_.digest().substr(0, 12) << "\n";
  replay();
  while (!state_->terminal()) {
    if (human[state_->to_move()]) {
      out << "\n" << state_->text();
      if (!human_move(human, in, out)) return int(ExitCode::kDone);
    } else {
      engine_move(out);
      if (!human[0] && !human[1]) out << state_->text();
    }
  }
  out << "\n" << state_->text();
  const int winner = state_->outcome() == 0  ? -1
                     : state_->outcome() > 0 ? state_->to_move()
                                             : 1 - state_->to_move();
  const char* who = winner < 0 ? "a draw"
                    : !human[0] && !human[1]
                        ? (winner == 0 ? "the first player wins" : "the second player wins")
                    : human[winner] ? "you win"
                                    : "the network wins";
  out << "the game is over: " << who << " (" << state_->end_reason() << ")\nmoves:";
  auto state = game_.initial_state();
  for (Action a : moves_) {
    out << " " << game_.action_text(*state, a);
    state->apply(a);
  }
  out << "\n";
  return int(ExitCode::kDone);
}

}  // namespace rf
