// Records of Xiangqi as DhtmlXQ, the text in brackets that Chinese web pages show games from.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "records/format.h"

namespace rf {

// Any number of games. The position comes from _fen, else from _binit, where the side to move follows from
// the first move. title, event, date, place, round, table, red, redteam, black and blackteam are the tags
// Name, Event, Date, Site, Round, Table, Red, RedTeam, Black and BlackTeam; comments and variations are
// passed over. UTF-8 or GB18030.
std::vector<Record> read_xiangqi_dhtmlxq(const Game& game, std::string_view text);

// _fen is written where the game does not begin with the usual position. Other tags are left out.
std::string write_xiangqi_dhtmlxq(const Game& game, std::span<const Record> records);

}  // namespace rf
