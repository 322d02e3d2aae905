#include "solve/gomoku_solver.h"

#include <algorithm>

#include "base/error.h"
#include "solve/full_solver.h"

namespace rf {
namespace {

constexpr int kShortestLine = 4;

// The legal actions, and this value for the best ones.
Solution solution_of(const State& state, int value, std::vector<int> best) {
  Solution solution;
  solution.value = value;
  state.legal_actions(solution.actions);
  for (Action action : solution.actions) {
    const bool is_best = std::find(best.begin(), best.end(), action) != best.end();
    solution.values.push_back(is_best ? std::optional(value) : std::nullopt);
  }
  solution.best = std::move(best);
  return solution;
}

std::vector<int> wins_in_3(FourSearch& search, int player, std::span<const int> threats) {
  std::vector<int> wins;
  for (int cell = 0; cell < search.board().num_cells(); ++cell) {
    if (search.board().is_empty(cell) && search.wins_in_3(cell, player, threats)) wins.push_back(cell);
  }
  return wins;
}

bool some_win_in_3(FourSearch& search, int player, std::span<const int> threats) {
  for (int cell = 0; cell < search.board().num_cells(); ++cell) {
    if (search.board().is_empty(cell) && search.wins_in_3(cell, player, threats)) return true;
  }
  return false;
}

}  // namespace

std::string GomokuSolver::unit() const {
  return "1000 - plies to the win (an upper limit of them beyond 5), negative for a loss; 0: not proven";
}

FourSearch GomokuSolver::search_of(const State& state) const {
  StoneBoard board(width_, height_);
  std::vector<float> planes(std::size_t(4 * board.num_cells()));  // as many as any choice of planes has
  state.encode(planes);
  for (int cell = 0; cell < board.num_cells(); ++cell) {
    if (planes[std::size_t(cell)] > 0) board.put(cell, state.to_move());
    if (planes[std::size_t(board.num_cells() + cell)] > 0) board.put(cell, 1 - state.to_move());
  }
  return FourSearch(std::move(board), line_, rule_);
}

// Every reply of the other is tried. A move after which `player` would not win in 3 even if the other passed
// is left out at once: under freestyle and standard one more stone of the other never helps `player`, whose
// wins in 3 are fours that the other cannot stop (it has no winning cell of its own, or it would have won).
std::vector<int> GomokuSolver::wins_in_5(FourSearch& search, int player, std::span<const int> threats) const {
  std::vector<int> wins, replies;
  if (threats.size() > 1) return wins;
  for (int cell = 0; cell < search.board().num_cells(); ++cell) {
    if (!search.board().is_empty(cell) || (threats.size() == 1 && threats[0] != cell)) continue;
    search.put(cell, player);
    const FourSearch::Cells four = search.completions(cell);
    replies.assign(four.cell, four.cell + four.count);
    if (replies.empty()) search.board().empty_cells(replies);
    bool won = !replies.empty() && (four.count > 0 || some_win_in_3(search, player, {}));
    for (std::size_t i = 0; won && i < replies.size(); ++i) {
      search.put(replies[i], 1 - player);
      won = some_win_in_3(search, player, search.completions(replies[i]));
      search.remove(replies[i]);
    }
    search.remove(cell);
    if (won) wins.push_back(cell);
  }
  return wins;
}

std::optional<Solution> GomokuSolver::solve(const State& state) {
  RF_ASSERT(!state.terminal());
  const int player = state.to_move();
  FourSearch search = search_of(state);
  const std::vector<int> threats = search.winning_cells(1 - player);
  if (auto wins = search.winning_cells(player); !wins.empty()) {
    return solution_of(state, kWin - 1, std::move(wins));
  }
  if (threats.size() > 1 || (threats.size() == 1 && search.forbidden(threats[0], player))) {
    Solution lost = solution_of(state, 2 - kWin, {});
    for (std::size_t i = 0; i < lost.actions.size(); ++i) {  // a forbidden move loses at once
      lost.values[i] = search.forbidden(lost.actions[i], player) ? 1 - kWin : 2 - kWin;
      if (*lost.values[i] == lost.value) lost.best.push_back(lost.actions[i]);
    }
    if (lost.best.empty()) return solution_of(state, 1 - kWin, {lost.actions.begin(), lost.actions.end()});
    return lost;
  }
  if (auto wins = wins_in_3(search, player, threats); !wins.empty()) {
    return solution_of(state, kWin - 3, std::move(wins));
  }
  if (rule_ != GomokuRule::kRenju) {
    if (auto wins = wins_in_5(search, player, threats); !wins.empty()) {
      return solution_of(state, kWin - 5, std::move(wins));
    }
  }
  if (const auto line = search.shortest_win(player, kNodeBudget); !line.empty()) {
    return solution_of(state, kWin - int(line.size() + 1 - line.size() % 2), {line[0]});
  }
  if (threats.empty()) return {};
  Solution open = solution_of(state, 0, threats);
  open.proven = false;
  for (std::size_t i = 0; i < open.actions.size(); ++i) {
    if (open.actions[i] != threats[0])
      open.values[i] = (search.forbidden(open.actions[i], player) ? 1 : 2) - kWin;
  }
  return open;
}

std::unique_ptr<Solver> make_gomoku_solver(const GameSettings& settings, const Game& game) {
  const Shape shape = game.spec().shape;
  if (shape.cells() <= FullSolver::kMostActions) return std::make_unique<FullSolver>(game);
  std::map<std::string, int> values = settings.values;  // what is left out has its initial value
  values.try_emplace("line", 5);
  values.try_emplace("rule", 0);
  if (values["line"] < kShortestLine) {
    fail(ExitCode::kUsage, "no solver for rows of " + std::to_string(values["line"]) + " on this board",
         std::to_string(shape.cells()) + " cells",
         "at most " + std::to_string(FullSolver::kMostActions) + " cells, or rows of " +
             std::to_string(kShortestLine) + " or more");
  }
  return std::make_unique<GomokuSolver>(shape.cols, shape.rows, values["line"], GomokuRule(values["rule"]));
}

}  // namespace rf
