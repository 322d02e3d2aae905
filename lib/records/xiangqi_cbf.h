// Records of Xiangqi as CBF, the XML of the program CCBridge: one game a file.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "records/format.h"

namespace rf {

// The children of Head are tags of the same name, except that Contest is the tag Event, and that FEN and
// RecordResult (1 Red won, 2 Black won, 3 or 4 a draw, else unknown: then the last position counts) are the
// record's start and result. Comments, variations and unknown elements are passed over. UTF-8 or GB18030.
std::vector<Record> read_xiangqi_cbf(const Game& game, std::string_view text);

// Throws Error(kUsage) unless there is one record. Tags that Head has no place for are left out.
std::string write_xiangqi_cbf(const Game& game, std::span<const Record> records);

}  // namespace rf
