#include "arena/opponents.h"

#include <charconv>
#include <string>

#include "base/error.h"

namespace rf {
namespace {

Action any_of(const std::vector<Action>& actions, RandomStream& stream) {
  return actions[stream.below(std::uint32_t(actions.size()))];
}

// An end of the game is worth more than any score, and a ply more than any difference in points.
constexpr int kPly = 1 << 12;  // more than twice the points of any game
constexpr int kWin = 1 << 30;
constexpr int kBound = kWin + kPly;  // beyond every value

int end_value(const State& end, int plies) {
  return int(end.outcome()) * (kWin - plies * kPly) + end.score_margin();
}

}  // namespace

Action RandomOpponent::choose(const State& state, RandomStream& stream) {
  state.legal_actions(legal_);
  return any_of(legal_, stream);
}

Action GreedyOpponent::choose(const State& state, RandomStream& stream) {
  state.legal_actions(legal_);
  int most = 0;
  best_.clear();
  for (Action action : legal_) {
    child_->assign(state);
    child_->apply(action);
    const int sign = child_->to_move() == state.to_move() ? 1 : -1;
    const bool wins = child_->terminal() && sign * child_->outcome() > 0;
    const int gain = wins ? kWin : sign * child_->score_margin() - state.score_margin();
    if (gain > most) {
      most = gain;
      best_.clear();
    }
    if (gain == most && most > 0) best_.push_back(action);
  }
  return any_of(most > 0 ? best_ : legal_, stream);
}

AlphaBetaOpponent::AlphaBetaOpponent(const Game& game, int depth)
    : depth_(depth), legal_(std::size_t(depth) + 1) {
  RF_ASSERT(depth >= 1);
  for (int ply = 0; ply <= depth; ++ply) states_.push_back(game.initial_state());
}

Action AlphaBetaOpponent::choose(const State& state, RandomStream& stream) {
  states_[0]->assign(state);
  states_[0]->begin_search();
  states_[0]->legal_actions(legal_[0]);
  int most = -kBound;
  for (Action action : legal_[0]) {
    // The window reaches one below the best so far, so that an equal action is known to be equal.
    const int value = value_after(0, action, most - 1, kBound);
    if (value > most) {
      most = value;
      best_.clear();
    }
    if (value == most) best_.push_back(action);
  }
  return any_of(best_, stream);
}

int AlphaBetaOpponent::value_after(int ply, Action action, int alpha, int beta) {
  const State& state = *states_[std::size_t(ply)];
  State& child = *states_[std::size_t(ply) + 1];
  child.assign(state);
  child.apply(action);
  // A player may move several times in a row.
  return child.to_move() == state.to_move() ? value(ply + 1, alpha, beta) : -value(ply + 1, -beta, -alpha);
}

int AlphaBetaOpponent::value(int ply, int alpha, int beta) {
  const State& state = *states_[std::size_t(ply)];
  if (state.terminal()) return end_value(state, ply);
  if (ply == depth_) return state.score_margin();
  std::vector<Action>& legal = legal_[std::size_t(ply)];
  state.legal_actions(legal);
  int most = -kBound;
  for (Action action : legal) {
    most = std::max(most, value_after(ply, action, std::max(alpha, most), beta));
    if (most >= beta) break;
  }
  return most;
}

Action SolverOpponent::choose(const State& state, RandomStream& stream) {
  const std::optional<Solution> solution = solver_->solve(state);
  if (!solution || solution->best.empty()) {
    fail(ExitCode::kUsage, "the solver finds no best move at ply " + std::to_string(state.ply()),
         "it does not solve every position",
         "let games begin later with a longer opening, or name another opponent");
  }
  return any_of(solution->best, stream);
}

std::unique_ptr<Opponent> make_opponent(std::string_view text, const GameSettings& settings,
                                        const Game& game) {
  if (text == "random") return std::make_unique<RandomOpponent>();
  if (text == "greedy") return std::make_unique<GreedyOpponent>(game);
  if (text == "solver") {
    std::shared_ptr<Solver> solver = make_solver(settings, game);
    if (!solver) fail(ExitCode::kUsage, "opponent 'solver'", game.spec().name + " has no solver");
    return std::make_unique<SolverOpponent>(std::move(solver));
  }
  constexpr std::string_view kAlphaBeta = "alphabeta";
  const std::string_view kind = text.substr(0, text.find(':'));
  if (kind != kAlphaBeta) return nullptr;
  int depth = 0;
  const std::string_view number = text.substr(std::min(text.size(), kind.size() + 1));
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), depth);
  if (error != std::errc() || end != number.data() + number.size() || depth < 1 ||
      depth > kMostAlphaBetaPlies) {
    fail(ExitCode::kUsage, "opponent '" + std::string(text) + "'",
         "its depth must be 1 to " + std::to_string(kMostAlphaBetaPlies) + " plies", "as in alphabeta:4");
  }
  return std::make_unique<AlphaBetaOpponent>(game, depth);
}

}  // namespace rf
