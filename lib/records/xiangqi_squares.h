// Squares of Xiangqi as two digits, the way of CBF and DhtmlXQ: the file 0 to 8 from Red's left, then the row
// 0 to 9 from Black's side.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "games/game.h"

namespace rf {

// Four digits: from, to.
std::string xy_text(const Game& game, const State& state, Action legal);
std::optional<Action> parse_xy(const Game& game, const State& state, std::string_view text);

}  // namespace rf
