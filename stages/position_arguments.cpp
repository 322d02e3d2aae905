#include "position_arguments.h"

#include <algorithm>

#include "base/error.h"
#include "config/load.h"
#include "config/nearest.h"
#include "games/registry.h"
#include "records/move_text.h"

namespace rf {

std::string game_names() {
  std::string names;
  for (const GameEntry& entry : game_entries()) {
    names.append(names.empty() ? "" : ", ").append(entry.name);
  }
  return names;
}

void add_game_options(CommandLine& line) {
  line.add_value("game", "NAME", "the game: " + game_names());
  line.add_values("set", "game.OPTION=VALUE",
                  "sets one option of the game (--help-config lists them); any number of times");
}

void add_position_options(CommandLine& line) {
  add_game_options(line);
  line.add_value("position", "P", "where to begin, in the game's notation (FEN); else the game's start");
  line.add_value("moves", "LIST", "moves played from there, between blanks or commas");
}

GameSettings game_settings(const CommandLine& line, const std::string& otherwise) {
  const std::string name = line.text("game").value_or(otherwise);
  if (name.empty()) fail(ExitCode::kUsage, "--game is missing", "", "one of " + game_names());
  std::vector<std::string> known;
  for (const GameEntry& entry : game_entries()) known.emplace_back(entry.name);
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    const auto near = nearest_name(name, known);
    fail(ExitCode::kUsage, "there is no game " + name, "",
         near ? "did you mean " + *near + "?" : "one of " + game_names());
  }
  return parse_game_settings(name, line.texts("set"));
}

Position read_position(const CommandLine& line) {
  Position position;
  position.game = make_game(game_settings(line));
  const auto text = line.text("position");
  position.state = text ? position.game->parse_position(*text) : position.game->initial_state();
  if (const auto moves = line.text("moves")) play_moves(*position.game, *position.state, *moves);
  return position;
}

std::string player_word(const GameSpec& spec, int player) {
  if (spec.name == "xiangqi") return player == 0 ? "red" : "black";
  if (spec.name == "gomoku" || spec.name == "connect6") return player == 0 ? "black" : "white";
  if (spec.name == "tic_tac_toe") return player == 0 ? "X" : "O";
  return player == 0 ? "first" : "second";
}

int winner_of(const State& state) {
  const float z = state.outcome();
  return z == 0 ? -1 : z > 0 ? state.to_move() : 1 - state.to_move();
}

std::vector<std::string> sorted_texts(const Game& game, const State& state) {
  std::vector<Action> legal;
  state.legal_actions(legal);
  std::vector<std::string> texts;
  for (Action action : legal) texts.push_back(game.action_text(state, action));
  std::sort(texts.begin(), texts.end());
  return texts;
}

}  // namespace rf
