// The table of games. A new game is one file plus one line in registry.cpp.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "games/game.h"

namespace rf {

struct GameEntry {
  std::string_view name;
  std::string_view sentence;  // for --help
  std::vector<GameOption> (*options)();
  // `values` holds every option, each within its range. Throws BadSetting("game.<option>") on a
  // contradiction.
  std::unique_ptr<Game> (*make)(const std::map<std::string, int>& values);
};

std::span<const GameEntry> game_entries();
// Throws Error(kBadConfig) that lists the known names.
const GameEntry& game_entry(std::string_view name);
// Fills in initial values; throws BadSetting for an unknown option or a value out of range.
std::unique_ptr<Game> make_game(const GameSettings& settings);

}  // namespace rf
