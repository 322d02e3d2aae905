// Gomoku records of Piskvork, its tournaments and its clones: .psq and .rec, one game a file.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "records/format.h"

namespace rf {

// .psq: a line "Piskvorky WxH, l1:l2, h" (levels, 0 = human; h = 1 if the second of them began), a line
// "x,y,ms" for each move, and in tournaments the names of both, an end code and the rule ("1,Freestyle"). x
// is our column, y our row, both from 1: Piskvork draws row 1 on top, a mirror image. Read are the size,
// which must be the game's, h, the moves and the names (tags Black, who begins, and White); times and levels
// are passed over and written as 0, as is what follows the names, unless it is a move.
std::vector<Record> read_psq(const Game& game, std::string_view text);
// Throws Error(kUsage) unless there is exactly one record, and for names that could be read as something
// else.
std::string write_psq(const Game& game, std::span<const Record> records);

// .rec: two lines of names, the first begins, then the moves as above, with x and y from 0. No size is in it.
std::vector<Record> read_rec(const Game& game, std::string_view text);
std::string write_rec(const Game& game, std::span<const Record> records);

}  // namespace rf
