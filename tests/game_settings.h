// Games by the text of GameSpec::id ("gomoku width=6 height=6 line=4 planes=own2"), and those that every
// contract suite runs on.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "games/registry.h"

namespace rf::testing {

// Options that the text leaves out have their initial value. An unknown game, option or choice fails as in a
// config.
inline GameSettings settings_from_text(const std::string& text) {
  std::istringstream words(text);
  GameSettings settings;
  words >> settings.name;
  const std::vector<GameOption> options = game_entry(settings.name).options();
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals), value = word.substr(equals + 1);
    settings.values[key] = std::atoi(value.c_str());
    for (const GameOption& option : options) {
      const auto choice = std::find(option.choices.begin(), option.choices.end(), value);
      if (option.name == key && !option.choices.empty()) {
        settings.values[key] = int(choice - option.choices.begin());
      }
    }
  }
  return settings;
}

inline std::unique_ptr<Game> game_from_text(const std::string& text) {
  return make_game(settings_from_text(text));
}

// Every registered game as it is by default, then variants: small, not square, thin, with other planes,
// large.
inline std::vector<std::string> contract_games() {
  std::vector<std::string> games;
  for (const GameEntry& entry : game_entries()) games.emplace_back(entry.name);
  for (const char* variant : {"gomoku width=6 height=6 line=4 planes=own2",
                              "gomoku width=6 height=6 line=4 planes=classic4",
                              "gomoku width=7 height=9 line=5",
                              "gomoku width=5 height=8 line=4 planes=classic4",
                              "gomoku width=1 height=5 line=3",
                              "gomoku width=5 height=1 line=3",
                              "gomoku width=3 height=3 line=3",
                              "gomoku width=2 height=2 line=2",
                              "gomoku width=15 height=15 line=5 planes=classic4",
                              "gomoku width=19 height=19 line=5",
                              "gomoku width=52 height=3 line=9",
                              "gomoku width=7 height=9 line=5 rule=standard",
                              "gomoku width=6 height=5 line=3 rule=standard planes=classic4",
                              "gomoku width=7 height=9 line=5 rule=renju",
                              "gomoku width=15 height=15 line=5 rule=renju planes=classic4",
                              "connect6 width=5 height=4 line=3",
                              "connect6 width=7 height=9 line=4",
                              "connect6 width=1 height=6 line=4",
                              "connect_four columns=5 rows=4",
                              "connect_four columns=4 rows=5 line=3",
                              "connect_four columns=9 rows=7 line=5",
                              "connect_four columns=10 rows=3 line=3",
                              "connect_four columns=1 rows=4",
                              "connect_four columns=4 rows=1 line=2",
                              "dots_and_boxes rows=1 cols=1",
                              "dots_and_boxes rows=1 cols=2",
                              "dots_and_boxes rows=2 cols=2",
                              "dots_and_boxes rows=2 cols=3",
                              "dots_and_boxes rows=3 cols=2",
                              "dots_and_boxes rows=4 cols=5",
                              "dots_and_boxes rows=7 cols=6",
                              "xiangqi rules=loose",
                              "xiangqi planes=pieces14",
                              "xiangqi repetition=chase search_repetition=third",
                              "xiangqi max_plies=30",
                              "xiangqi no_capture_plies=10"}) {
    games.emplace_back(variant);
  }
  return games;
}

// For INSTANTIATE_TEST_SUITE_P: a name of letters, digits and underscores.
inline std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

}  // namespace rf::testing
