// One line of a file of positions, in any of the forms in which such files come.
//
// A line that begins with { is a JSON object with some of these keys (others are left alone):
//   fen, position     where to begin, in the game's notation; else the game's start
//   moves             moves from there: a text as for --moves, or a list of texts or of action numbers
//   edges             a list of action numbers, played in that order
//   mask              bit e = action e was played, in ascending order
//   board, to_move    nine cells "X", "O" or "." by rows, and who moves (Tic-tac-toe)
//   the game's options by name (rows, rule, ...), or w, h, n, cols for its sizes: they go before --set
// Any other line is plain:
//   "4455 -2", "4455 -2 --=+..."   moves, the score, and a value for each column (Connect Four); two words
//                                  that are a legal move each are moves
//   "5 -2"                         with `masks`: a mask as above; the rest of the line is left alone
//   a line with / in it            a FEN; numbers behind it, and "moves ..." as engines write it, may follow
//   "FEN; moves" or "moves"        as record format `moves` has it
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "games/game.h"
#include "records/format.h"
#include "run/json_file.h"

namespace rf {

struct PositionLine {
  const Game* game = nullptr;  // the reader's
  std::string start;           // "" = the game's initial state
  std::vector<Action> moves;
  std::unique_ptr<State> state;  // after the moves
  // Moves of a list that were not played, since the game was over by repetition or for want of captures:
  // other programs leave these ends to a claim.
  int moves_left = 0;
  bool by_number = false;        // the line speaks of actions by number
  Json object = Json::object();  // the JSON line
  std::string values;            // of a plain line: + = - for each column, . for a full one
};

class PositionReader {
 public:
  // Lines that name no sizes are of this game.
  explicit PositionReader(GameSettings settings, bool masks = false)
      : settings_(std::move(settings)), masks_(masks) {}
  // Throws Error, of kBadData in most cases, that says what is wrong with the line.
  PositionLine read(std::string_view line);
  // Of a game that read() returned.
  const GameSettings& settings(const Game& game) const;

 private:
  const Game& game_of(const Json& object);
  void play_json(PositionLine& line) const;
  void play_plain(PositionLine& line, std::string_view text) const;

  struct Entry {
    GameSettings settings;
    std::unique_ptr<Game> game;
  };
  GameSettings settings_;
  bool masks_;
  std::map<std::map<std::string, int>, Entry> games_;  // by the values of the options
};

// A line that holds nothing: blank, or a comment that begins with #.
bool is_empty_line(std::string_view line);

}  // namespace rf
