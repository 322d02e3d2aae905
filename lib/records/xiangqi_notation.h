// The notations of Xiangqi, both ways, on top of a game's positions (FEN) and moves ("h2e2").
//
//   kCoordinates  h2e2        files a to i from Red's left, ranks 0 to 9 from Red's side, for both sides
//   kIccs         H2-E2       the same
//   kWxf          C2=5        K A E H R C P, the file from the mover's right, + - =, then the number of
//   points,
//                             or the new file if it changes. Of two such pieces on a file + is the one in
//                             front and - the one behind ("C+=3"); soldiers where three are on a file or two
//                             files hold several have a number from the front, then the file ("15=6")
//   kChinese      炮二平五     Chinese numerals for Red, full-width digits for Black; 前 中 后 on a file, 前
//   二 三
//                             (四) 后 for four or five soldiers; where two files hold several soldiers, 一 二
//                             三 ... from the right file to the left, in each from the front
//
// Advisors and elephants are always named by their file. WXF names a piece by its file also where the other
// one has no room for the move ("R9-3"). Sources: the WXF and Chinese forms as the World Xiangqi Federation's
// rules and Fairy-Stockfish write them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "games/game.h"

namespace rf {

enum class XiangqiNotation { kCoordinates, kIccs, kWxf, kChinese };

std::string xiangqi_text(const Game& game, const State& state, Action legal, XiangqiNotation notation);

// The legal action with this text, in whichever notation it is. Read besides what is written: lower case, N
// and B for H and E, '.' for '=', digits of any kind for either side, a mark before the piece ("+C=3"),
// traditional characters, either side's name of a piece, marks where the file would do. Nothing where two
// actions fit.
std::optional<Action> parse_xiangqi(const Game& game, const State& state, std::string_view text);

// [rank * 9 + file], the letter of the FEN's piece or 0; `fen` is a position_text().
std::array<char, 90> xiangqi_pieces(std::string_view fen);

}  // namespace rf
