// Xiangqi positions as FEN: ranks from 9 down to 0, files from a, red pieces in capitals, empty squares
// counted; then the side to move ("w" is Red), "- -", plies since the last capture, and the number of the
// move:  rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
#pragma once

#include <string>
#include <string_view>

#include "games/xiangqi_board.h"

namespace rf {

struct XiangqiPosition {
  XiangqiBoard board;
  int color = 0;        // to move
  int quiet_plies = 0;  // since the last capture
  int move_number = 1;  // counts up when Black has moved
};

std::string xiangqi_fen(const XiangqiPosition& position);

// Reads also E and H for elephants and horses, "r" for Red to move, and a text that ends after the side or
// after "- -" (then 0 and 1). Throws Error(kBadData) when it is no FEN, there are too many of a type or not
// one general a side, or the counters are out of range (plies above `max_quiet_plies`).
XiangqiPosition xiangqi_parse_fen(std::string_view text, int max_quiet_plies);

// Throws Error(kBadData) when a piece stands where none of its kind ever can.
void xiangqi_require_possible(const XiangqiPosition& position);
// Throws Error(kBadData) when the side that is not to move is in check: its general could be captured.
void xiangqi_require_safe(const XiangqiPosition& position);

// 'K', 'a' ...; '.' for none.
char xiangqi_letter(std::uint8_t piece);

}  // namespace rf
