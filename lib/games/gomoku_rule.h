// How a stone ends a game of Gomoku, under each of its rules.
#pragma once

#include <string_view>

#include "games/stone_board.h"

namespace rf {

enum class GomokuRule {
  kFreestyle,  // `line` or more in a row wins
  kStandard,   // exactly `line` in a row wins; a longer row alone does nothing
  kRenju,      // line 5: black (player 0) wins by exactly five and loses by a forbidden move; white wins by
               // five or more
};

enum class GomokuVerdict { kGoesOn, kLine, kOverline, kDoubleFour, kDoubleThree };  // kLine wins

// Does a row of this length win for this player?
inline bool wins_by(int length, int line, GomokuRule rule, int player) {
  const bool exactly = rule == GomokuRule::kStandard || (rule == GomokuRule::kRenju && player == 0);
  return exactly ? length == line : length >= line;
}

// Verdict on the stone on `cell`, put there last. The board is equal again afterwards.
//
// Renju forbids black, unless the same stone makes a five (Renju International Federation, rules of play,
// section 9):
//   overline      six or more in a row;
//   double four   two fours at once, in two directions or in one. A four is four stones of a row of exactly
//                 five whose last cell is empty; two ways to complete the same four stones are one four;
//   double three  threes in two directions. A three can become a straight four (four unbroken stones that
//                 exactly five can be made of at both ends) by one more stone, and that stone makes no five
//                 at the same time and is not forbidden itself, which is judged in the same way, to any
//                 depth.
// A stone that is forbidden for several reasons gets the first of them.
GomokuVerdict gomoku_verdict(StoneBoard& board, int cell, int line, GomokuRule rule);

// "line", "forbidden overline", ...; "full board" for kGoesOn.
std::string_view verdict_text(GomokuVerdict verdict);

}  // namespace rf
