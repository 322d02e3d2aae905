// What a match says: points with an interval, by colour, over distinct games.
#pragma once

#include <span>

#include "arena/match.h"

namespace rf {

struct Tally {
  int wins = 0, draws = 0, losses = 0;  // of player A
  int games() const { return wins + draws + losses; }
  double points() const { return wins + 0.5 * draws; }
  void add(float points_a);
};

struct MatchScore {
  Tally all, first, second;  // `first`: games in which A moved first
  int duplicates = 0;        // games equal to an earlier one, colours included; not counted above
  double share() const { return all.games() > 0 ? all.points() / all.games() : 0.5; }
  // Half the width of the 95 % interval of share(), by the normal approximation with the draws' smaller
  // variance; never narrower than for one game more that goes the other way.
  double half_interval() const;
};

// Identical games (same colours, same moves) count once.
MatchScore score_match(std::span<const MatchGame> games);

// Elo difference that a share of points stands for, clipped to +-1200.
double elo_of_share(double share);

}  // namespace rf
