// Opponents that need no evaluator: the measuring sticks of a match.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "arena/match.h"
#include "solve/solver.h"

namespace rf {

// Uniformly among the legal actions.
class RandomOpponent final : public Opponent {
 public:
  Action choose(const State& state, RandomStream& stream) override;

 private:
  std::vector<Action> legal_;
};

// Wins at once if it can; else scores as many points as one action can, if any; else plays at random, even
// what gives points away (the usual greedy player of Dots and Boxes). Uniformly among equals.
class GreedyOpponent final : public Opponent {
 public:
  explicit GreedyOpponent(const Game& game) : child_(game.initial_state()) {}
  Action choose(const State& state, RandomStream& stream) override;

 private:
  std::unique_ptr<State> child_;
  std::vector<Action> legal_, best_;
};

// Negamax with alpha-beta (Knuth and Moore 1975) to a fixed depth, without any knowledge of the game. Ends of
// the game count exactly, sooner wins and later losses before others, then more points; at the horizon a
// position counts as its score margin (0 in games without points). Uniformly among the best actions.
class AlphaBetaOpponent final : public Opponent {
 public:
  AlphaBetaOpponent(const Game& game, int depth);  // plies, >= 1
  Action choose(const State& state, RandomStream& stream) override;

 private:
  // Value of states_[ply] for its player to move: exact within (alpha, beta), else a bound on that side.
  int value(int ply, int alpha, int beta);
  // Applies `action` at states_[ply] and returns the value of that to the same player.
  int value_after(int ply, Action action, int alpha, int beta);

  int depth_;
  std::vector<std::unique_ptr<State>> states_;  // [depth + 1], the line that is looked at
  std::vector<std::vector<Action>> legal_;      // [depth + 1]
  std::vector<Action> best_;
};

// Perfect play: uniformly among Solution::best.
class SolverOpponent final : public Opponent {
 public:
  explicit SolverOpponent(std::shared_ptr<Solver> solver) : solver_(std::move(solver)) {}
  // Throws Error(kUsage) where the solver gives up or knows only the value.
  Action choose(const State& state, RandomStream& stream) override;

 private:
  std::shared_ptr<Solver> solver_;
};

inline constexpr int kMostAlphaBetaPlies = 64;

// "random", "greedy", "alphabeta:D" with D in [1, 64], or "solver"; null for any other text. Throws
// Error(kUsage) when D is no such number, or the game has no solver. `game` must outlive the opponent.
std::unique_ptr<Opponent> make_opponent(std::string_view text, const GameSettings& settings,
                                        const Game& game);

}  // namespace rf
