// Games of Dots and Boxes as programs keep them in which the turn always alternates: after a move that closes
// a box the other side must play a pass, the action numbered one beyond the last edge (24 on 3x3 boxes).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "games/game.h"
#include "records/format.h"

namespace rf {

// One game a line, numbers with blanks or commas between; empty lines and lines that begin with # are left
// out. A pass must stand after each move that closes a box, except after the last edge, and nowhere else; a
// game that is broken off may end before or after it. Records hold the edges only. Throws Error(kBadData)
// that names the line and the number.
std::vector<Record> read_pass_list(const Game& game, std::string_view text);
// A game that is broken off ends without the pass that would follow.
std::string write_pass_list(const Game& game, std::span<const Record> records);

}  // namespace rf
