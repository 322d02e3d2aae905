// Exact values of positions, for games where they can be computed: the judge of moves.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "games/game.h"

namespace rf {

// Values are for the player to move, in the solver's unit; > 0 wins, 0 draws, < 0 loses, except where the
// solver's unit says otherwise (outcome_of()).
struct Solution {
  int value = 0;
  std::vector<Action> actions;  // every legal action, ascending
  // Same order; nothing where the solver knows only that the action is not best.
  std::vector<std::optional<int>> values;
  std::vector<Action> best;  // ascending; empty when the solver knows only the value
  bool proven = true;        // false: value means nothing, best are the moves not known to be worse
};

class Solver {
 public:
  virtual ~Solver() = default;
  // What the numbers mean, for people.
  virtual std::string unit() const = 0;
  // Nothing when the budget that the solver documents ran out. `state` is of its game and not terminal.
  virtual std::optional<Solution> solve(const State& state) = 0;
  // -1, 0 or +1: how the game ends when it is played on perfectly from `state`, whose solution has `value`.
  virtual int outcome_of(const State& state, int value) const;
};

// The solver of a game, or null when there is none. Throws Error(kUsage) when there is one, but not for this
// size. `game` must outlive it.
std::unique_ptr<Solver> make_solver(const GameSettings& settings, const Game& game);

}  // namespace rf
