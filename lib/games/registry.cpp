#include "games/registry.h"

#include <string>

#include "base/error.h"

namespace rf {

// Each game file defines these two functions.
#define RF_GAMES(X)                                                                 \
  X(tic_tac_toe, "Tic-tac-toe: 3x3 board, three in a row")                          \
  X(gomoku, "Gomoku: any board and line length; freestyle, standard or renju")      \
  X(connect6, "Connect6: two stones a turn, six in a row wins")                     \
  X(connect_four, "Connect Four: discs fall down columns, four in a row wins")      \
  X(dots_and_boxes, "Dots and Boxes: who closes a box moves again; more boxes win") \
  X(xiangqi, "Xiangqi: Chinese chess, mate or stalemate the other general")

#define RF_DECLARE(name, sentence)          \
  std::vector<GameOption> name##_options(); \
  std::unique_ptr<Game> make_##name(const std::map<std::string, int>& values);
RF_GAMES(RF_DECLARE)
#undef RF_DECLARE

std::span<const GameEntry> game_entries() {
#define RF_ENTRY(name, sentence) GameEntry{#name, sentence, name##_options, make_##name},
  static const GameEntry entries[] = {RF_GAMES(RF_ENTRY)};
#undef RF_ENTRY
  return entries;
}

const GameEntry& game_entry(std::string_view name) {
  std::string known;
  for (const GameEntry& entry : game_entries()) {
    if (entry.name == name) return entry;
    known.append(known.empty() ? "" : ", ").append(entry.name);
  }
  fail_setting("game.name", "no game is called '" + std::string(name) + "'", "known games: " + known);
}

std::unique_ptr<Game> make_game(const GameSettings& settings) {
  const GameEntry& entry = game_entry(settings.name);
  std::map<std::string, int> values;
  for (const GameOption& option : entry.options()) values[option.name] = option.initial;
  for (const auto& [name, value] : settings.values) {
    const auto known = values.find(name);
    if (known == values.end()) {
      fail_setting("game." + name, "unknown option '" + name + "'", "game " + settings.name);
    }
    for (const GameOption& option : entry.options()) {
      if (option.name != name) continue;
      const int min = option.choices.empty() ? option.min : 0;
      const int max = option.choices.empty() ? option.max : int(option.choices.size()) - 1;
      if (value < min || value > max) {
        fail_setting("game." + name, name + " is " + std::to_string(value),
                     "allowed: " + std::to_string(min) + " to " + std::to_string(max));
      }
    }
    known->second = value;
  }
  return entry.make(values);
}

}  // namespace rf
