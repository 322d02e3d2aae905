#include "arena/score.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace rf {

void Tally::add(float points_a) {
  (points_a > 0.75f ? wins : points_a < 0.25f ? losses : draws) += 1;
}

double MatchScore::half_interval() const {
  const double n = all.games();
  if (n == 0) return 0.5;
  const double m = share();
  const double second_moment = (all.wins + 0.25 * all.draws) / n;
  const double variance = std::max(0.0, second_moment - m * m);
  return std::max(1.96 * std::sqrt(variance / n), 1 / (n + 1));
}

MatchScore score_match(std::span<const MatchGame> games) {
  MatchScore score;
  std::set<std::pair<bool, std::vector<Action>>> seen;
  for (const MatchGame& game : games) {
    if (!seen.emplace(game.a_first, game.moves).second) {
      ++score.duplicates;
      continue;
    }
    score.all.add(game.points_a);
    (game.a_first ? score.first : score.second).add(game.points_a);
  }
  return score;
}

double elo_of_share(double share) {
  if (share <= 0.001) return -1200;
  if (share >= 0.999) return 1200;
  return -400 * std::log10(1 / share - 1);
}

}  // namespace rf
