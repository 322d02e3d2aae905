// From a finished game to rows: the game is replayed, every position is encoded and seen through every
// symmetry.
#pragma once

#include "games/game.h"
#include "replay/game_record.h"
#include "replay/packed_rows.h"

namespace rf {

// Appends the rows of `record`, by ply, then by symmetry. Images that are equal in planes and policy are
// written once, under the lowest symmetry; the identity row is always there and is the one marked unique. A
// ply without visits (not searched) has no row. Outcomes are for the player to move at the ply, as the replay
// says, never by parity.
//
// The record is checked on the way: Error(kInternal) for an illegal move or policy action, actions out of
// order, visits below 1, an unfinished game, moves after the end, an outcome or reason that the replay
// contradicts. `rows` is then unchanged.
void append_game(const Game& game, const GameRecord& record, PackedRows& rows);

}  // namespace rf
