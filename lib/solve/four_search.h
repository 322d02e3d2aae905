// Wins by continuous fours (VCF): every move of the attacker but the last threatens to complete a line at
// once, so that the other has one reply; and what may be seen at a glance. The idea is that of threat-space
// search (Allis, van den Herik, Huntjens 1993), with fours alone.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "games/gomoku_rule.h"

namespace rf {

class FourSearch {
 public:
  FourSearch(StoneBoard board, int line, GomokuRule rule)
      : board_(std::move(board)), line_(line), rule_(rule) {}

  const StoneBoard& board() const { return board_; }
  void put(int cell, int player);
  void remove(int cell);

  // Cells on which `player` wins at once, ascending.
  std::vector<int> winning_cells(int player) const;
  // Cells that complete a line together with the stone on `cell`: the winning cells that this stone made.
  struct Cells {
    int count = 0;
    int cell[8];  // two ends of a row in four directions
    operator std::span<const int>() const { return {cell, std::size_t(count)}; }
  };
  Cells completions(int cell) const;

  // Is this empty cell a forbidden move of `player`?
  bool forbidden(int cell, int player);
  // Can `player`, to move and without a winning cell, play here so that whatever the other does it wins with
  // its next move? `threats`: winning cells of the other.
  bool wins_in_3(int cell, int player, std::span<const int> threats);

  // The shortest win of `player`, to move, by continuous fours: moves of both in turn, the last completes the
  // line (or is the forbidden reply that is the only one left). Empty when there is none, or none with at
  // most `node_budget` fours looked at in one search; exhausted() tells.
  std::vector<int> shortest_win(int player, long long node_budget);
  bool exhausted() const { return nodes_ > budget_; }
  long long nodes() const { return nodes_; }

 private:
  bool search(int player, int fours_left, const Cells& threats);
  bool try_four(int player, int cell, int fours_left);

  StoneBoard board_;
  int line_;
  GomokuRule rule_;
  std::uint64_t hash_ = 0;  // of the stones put since the search began
  long long nodes_ = 0, budget_ = 0;
  bool cut_ = false;                             // the depth limit was met
  std::unordered_map<std::uint64_t, int> lost_;  // stones -> fours that are not enough
  std::vector<int> win_;                         // from the end to the beginning
};

}  // namespace rf
