// The game and the position that a command line names: --game, --set, --position, --moves.
#pragma once

#include <memory>
#include <string>

#include "config/command_line.h"
#include "games/game.h"

namespace rf {

void add_game_options(CommandLine& line);      // --game, --set
void add_position_options(CommandLine& line);  // these, --position and --moves

// Without --game it is `otherwise`, or Error(kUsage) that lists the games when that is empty.
GameSettings game_settings(const CommandLine& line, const std::string& otherwise = "");

struct Position {
  std::unique_ptr<Game> game;
  std::unique_ptr<State> state;
};
Position read_position(const CommandLine& line);

// "red" or "first": what people call the player to move first (0) or second (1).
std::string player_word(const GameSpec& spec, int player);
// 0, 1, or -1 for a draw. Only when terminal.
int winner_of(const State& state);
// Of every legal action, sorted.
std::vector<std::string> sorted_texts(const Game& game, const State& state);

// "tic_tac_toe, gomoku"
std::string game_names();

}  // namespace rf
