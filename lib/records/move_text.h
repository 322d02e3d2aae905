// Lists of moves as text: what --moves takes, and the plainest record formats.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "games/game.h"
#include "records/format.h"

namespace rf {

// The moves of a list, played one after the other on `state`. Between moves there are blanks or commas; none
// are needed where the game's texts stand together (GameSpec::joined_moves). Capitals are read too, and every
// notation of Xiangqi (xiangqi_notation.h). Throws Error(kBadData) that
// names the move, its number and the state where it is not legal.
std::vector<Action> play_moves(const Game& game, State& state, std::string_view text);
// The same with numbers of the policy; `what` names where they come from.
void play_actions(const Game& game, State& state, std::span<const Action> actions);

// Throws Error(kBadData): the next move of `state` is this word, and that is wrong.
[[noreturn]] void refuse_move(const State& state, std::string_view word, std::string_view why);

// One game a line; empty lines and lines that begin with # are left out. A line may begin with a position
// and ';' ("FEN; h2e2 h9g7") in games that have positions. `parse` and `text` are a notation: nothing when
// the word is no legal action of the state.
using ParseMove = std::optional<Action> (*)(const Game&, const State&, std::string_view);
using MoveText = std::function<std::string(const Game&, const State&, Action)>;
std::vector<Record> read_move_lines(const Game& game, std::string_view text, ParseMove parse);
std::string write_move_lines(const Game& game, std::span<const Record> records, const MoveText& text);

std::vector<Record> read_move_text(const Game& game, std::string_view text);
std::string write_move_text(const Game& game, std::span<const Record> records);
std::vector<Record> read_action_text(const Game& game, std::string_view text);
std::string write_action_text(const Game& game, std::span<const Record> records);

}  // namespace rf
