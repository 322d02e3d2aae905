// Records of Xiangqi as PGN: tags in brackets, then numbered moves in one of the notations.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "records/format.h"
#include "records/xiangqi_notation.h"

namespace rf {

// Any number of games, each in any notation, whatever its tag Format says; UTF-8 or GB18030. Comments in
// {} and after ;, variations in (), $ marks, ! and ? are passed over. The tag Result counts, then the result
// after the moves, then what the rules say of the last position. Unknown values ("?") are no tags.
std::vector<Record> read_xiangqi_pgn(const Game& game, std::string_view text);

// UTF-8; the position of the first move is always written.
std::string write_xiangqi_pgn(const Game& game, std::span<const Record> records, XiangqiNotation notation);

}  // namespace rf
