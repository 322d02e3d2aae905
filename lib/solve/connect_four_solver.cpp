#include "solve/connect_four_solver.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include "base/error.h"

namespace rf {
namespace {

// Score of the player who wins with the next disc when `discs` are on the board.
int winning_score(const DropBoard& board, int discs) {
  return (board.cells() - discs + 1) / 2;
}

// The landings that do not lose at once: `threats` are the cells with which the other player would win.
Cells safe_landings(const DropBoard& board, Cells taken, Cells threats) {
  Cells landings = board.landings(taken);
  const Cells forced = landings & threats;
  if (forced) {
    if (forced & (forced - 1)) return 0;  // two cells to stop
    landings = forced;
  }
  return landings & ~(threats >> 1);  // a disc below a threat lets the other player there
}

DropBoard checked_board(int columns, int rows) {
  if (columns * (rows + 1) > 64) {
    fail(ExitCode::kUsage,
         "no solver for Connect Four on " + std::to_string(columns) + "x" + std::to_string(rows),
         "columns * (rows + 1) may be 64 at most");
  }
  return DropBoard(columns, rows);
}

// The safe landings of a position, those that make most threats first, then the central ones.
struct OrderedMoves {
  OrderedMoves(const DropBoard& board, Cells own, Cells taken, Cells safe) {
    const int columns = board.columns();
    for (int i = 0; i < columns; ++i) {
      // Outwards from the centre: for seven columns 3 4 2 5 1 6 0.
      const int column = (columns - 1) / 2 + (i % 2 ? (i + 1) / 2 : -i / 2);
      const Cells landing = safe & board.column(column);
      if (!landing) continue;
      const int threats = std::popcount(board.completions(own | landing) & ~(taken | landing));
      int at = count++;
      for (; at > 0 && order[std::size_t(at - 1)].threats < threats; --at) {
        order[std::size_t(at)] = order[std::size_t(at - 1)];
      }
      order[std::size_t(at)] = {landing, threats};
    }
  }

  struct Move {
    Cells landing;
    int threats;
  };
  std::array<Move, 32> order;  // a board of one row has at most 32 columns
  int count = 0;
};

}  // namespace

ConnectFourSolver::ConnectFourSolver(int columns, int rows, int table_bits, std::uint64_t node_limit)
    : board_(checked_board(columns, rows)), table_(table_bits), node_limit_(node_limit) {}

std::string ConnectFourSolver::unit() const {
  return "score: k when the player to move wins with the k-th disc from his last, -k when he loses so, 0 "
         "draw";
}

bool ConnectFourSolver::at_least(const Position& position, int bound) {
  const int discs = position.discs;
  if (discs == board_.cells()) return bound <= 0;
  if (ran_out()) return false;
  ++nodes_;
  const Cells threats = board_.completions(position.other()) & ~position.taken;
  const Cells safe = safe_landings(board_, position.taken, threats);
  if (!safe) return bound <= -winning_score(board_, discs + 1);
  // The first to win now is the player to move in two plies, or the other in three.
  if (bound > std::max(0, winning_score(board_, discs + 2))) return false;
  if (bound <= std::min(0, -winning_score(board_, discs + 3))) return true;
  const std::uint64_t key = board_.key(position.own, position.taken);
  Bounds bounds = table_.find(key);
  if (bounds.lower >= bound) return true;
  if (bounds.upper < bound) return false;

  const std::uint64_t first_node = nodes_;
  const OrderedMoves moves(board_, position.own, position.taken, safe);
  bool found = false;
  for (int i = 0; i < moves.count && !found; ++i) {
    found = !at_least(position.after(moves.order[std::size_t(i)].landing), 1 - bound);
    if (ran_out()) return false;
  }
  (found ? bounds.lower : bounds.upper) = found ? bound : bound - 1;
  table_.store(key, bounds, unsigned(std::bit_width(nodes_ - first_node)));
  return found;
}

int ConnectFourSolver::score_within(const Position& position, int limit) {
  const int at_once = winning_score(board_, position.discs);
  if (board_.completions(position.own) & board_.landings(position.taken)) return std::min(limit, at_once);
  int lower = std::max(-limit, -at_once), upper = std::min(limit, at_once);
  while (lower < upper) {
    int bound = lower + (upper - lower + 1) / 2;
    if (lower < 1 && upper > 0) bound = 1;  // the sign first: it is cheap
    if (lower < 0 && upper == 0) bound = 0;
    if (at_least(position, bound)) {
      lower = bound;
    } else {
      upper = bound - 1;
    }
  }
  return lower;
}

ConnectFourSolver::Position ConnectFourSolver::position_of(const State& state) const {
  const std::size_t cells = std::size_t(board_.cells());
  std::vector<float> planes(2 * cells);  // own discs, the other's
  state.encode(planes);
  Position position{0, 0, state.ply()};
  for (std::size_t k = 0; k < cells; ++k) {
    const Cells cell = board_.cell(int(k) % board_.columns(), int(k) / board_.columns());
    if (planes[k] != 0) position.own |= cell;
    if (planes[k] != 0 || planes[cells + k] != 0) position.taken |= cell;
  }
  return position;
}

std::optional<int> ConnectFourSolver::score(const State& state) {
  last_node_ = nodes_ + node_limit_;
  const int value = score_within(position_of(state), board_.cells());
  return ran_out() ? std::nullopt : std::optional(value);
}

std::optional<Solution> ConnectFourSolver::solve_within(const State& state, int limit) {
  const Position position = position_of(state);
  const Cells wins = board_.completions(position.own) & board_.landings(position.taken);
  last_node_ = nodes_ + node_limit_;
  Solution solution;
  state.legal_actions(solution.actions);
  for (Action column : solution.actions) {
    const Cells landing = board_.landings(position.taken) & board_.column(column);
    const int value = landing & wins ? std::min(limit, winning_score(board_, position.discs))
                                     : -score_within(position.after(landing), limit);
    if (ran_out()) return std::nullopt;
    solution.values.push_back(value);
  }
  solution.value = **std::max_element(solution.values.begin(), solution.values.end());
  for (std::size_t i = 0; i < solution.actions.size(); ++i) {
    if (solution.values[i] == solution.value) solution.best.push_back(solution.actions[i]);
  }
  return solution;
}

std::optional<Solution> ConnectFourSolver::solve(const State& state) {
  return solve_within(state, board_.cells());
}

std::optional<Solution> ConnectFourSolver::solve_signs(const State& state) {
  return solve_within(state, 1);
}

std::unique_ptr<Solver> make_connect_four_solver(const GameSettings& settings, const Game& game) {
  const auto line = settings.values.find("line");
  if (line != settings.values.end() && line->second != 4) {
    fail(ExitCode::kUsage, "no solver for Connect Four with line " + std::to_string(line->second),
         "only lines of four are solved");
  }
  const Shape& shape = game.spec().shape;
  // 64 MiB, and half a minute for a position: from about the tenth disc on for every column of 7 x 6.
  return std::make_unique<ConnectFourSolver>(shape.cols, shape.rows, 22, 100'000'000);
}

}  // namespace rf
