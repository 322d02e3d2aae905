// Which moves of a position are right: from the line of the file, else from the solver.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "position_line.h"
#include "solve/solver.h"

namespace rf {

struct RightMoves {
  std::vector<Action> actions;  // every legal action, ascending
  std::vector<std::optional<int>>
      outcome;               // same order: -1, 0, +1 under perfect play, for the player to move
  std::vector<Action> best;  // ascending; empty when not known

  // True when no other action is known to have a better outcome; an action whose outcome is not known where
  // others are counts as wrong. Nothing when no outcome is known.
  std::optional<bool> keeps_outcome(Action action) const;
  // Nothing when `best` is not known.
  std::optional<bool> is_best(Action action) const;
};

class MoveJudge {
 public:
  // The reader's lines are of `game`, which must outlive the object.
  MoveJudge(const GameSettings& settings, const Game& game) : settings_(settings), game_(game) {}
  // What the line says (a value for each action: `values` of a plain line, the list `scores`; best moves:
  // the list `optimal`, `best` or `best_moves`), and from the solver what it does not say. Nothing is known
  // when there is no solver or it gives up. Throws Error(kBadData) when the line contradicts the rules.
  RightMoves judge(const PositionLine& line);

 private:
  void take_values(const PositionLine& line, RightMoves& right) const;
  void take_best(const PositionLine& line, RightMoves& right) const;
  void solve(const State& state, RightMoves& right);

  GameSettings settings_;
  const Game& game_;
  bool solver_asked_for_ = false;
  std::unique_ptr<Solver> solver_;
};

}  // namespace rf
