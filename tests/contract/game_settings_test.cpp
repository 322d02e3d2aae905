// links: rf_games
// What the registry refuses, with the key as in the config file.
#include <gtest/gtest.h>

#include "base/error.h"
#include "game_settings.h"

namespace rf::testing {
namespace {

// The key of the BadSetting that `settings` raises, or "made" when there was none.
std::string refused_key(const GameSettings& settings, std::string* message = nullptr) {
  try {
    make_game(settings);
  } catch (const BadSetting& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadConfig);
    if (message) *message = error.what();
    return error.key();
  }
  return "made";
}

TEST(GameSettings, UnknownGameListsTheKnownOnes) {
  std::string message;
  EXPECT_EQ(refused_key({"gomokku", {}}, &message), "game.name");
  EXPECT_NE(message.find("gomokku"), std::string::npos) << message;
  for (const GameEntry& entry : game_entries()) {
    EXPECT_NE(message.find(std::string(entry.name)), std::string::npos) << message;
  }
  EXPECT_EQ(refused_key({"", {}}), "game.name");
}

class RegisteredGame : public ::testing::TestWithParam<std::string> {};

TEST_P(RegisteredGame, IsMadeByItsDefaults) {
  EXPECT_EQ(refused_key({GetParam(), {}}), "made");
  EXPECT_FALSE(game_entry(GetParam()).sentence.empty());
}

TEST_P(RegisteredGame, UnknownOptionIsRefused) {
  std::string message;
  EXPECT_EQ(refused_key({GetParam(), {{"widht", 6}}}, &message), "game.widht");
  EXPECT_NE(message.find("widht"), std::string::npos) << message;
}

TEST_P(RegisteredGame, EachOptionIsRefusedOutsideItsRange) {
  for (const GameOption& option : game_entry(GetParam()).options()) {
    const int min = option.choices.empty() ? option.min : 0;
    const int max = option.choices.empty() ? option.max : int(option.choices.size()) - 1;
    EXPECT_LE(min, option.initial) << option.name;
    EXPECT_GE(max, option.initial) << option.name;
    EXPECT_FALSE(option.sentence.empty()) << option.name;
    std::string message;
    for (int value : {min - 1, max + 1, INT_MIN, INT_MAX}) {
      EXPECT_EQ(refused_key({GetParam(), {{option.name, value}}}, &message), "game." + option.name) << value;
      EXPECT_NE(message.find(std::to_string(value)), std::string::npos) << message;
    }
  }
}

TEST_P(RegisteredGame, OptionsOfEqualValueAreTheSameGame) {
  GameSettings settings{GetParam(), {}};
  for (const GameOption& option : game_entry(GetParam()).options()) {
    settings.values[option.name] = option.initial;
  }
  EXPECT_EQ(make_game(settings)->spec().id, make_game({GetParam(), {}})->spec().id);
}

std::vector<std::string> registered() {
  std::vector<std::string> names;
  for (const GameEntry& entry : game_entries()) names.emplace_back(entry.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(All, RegisteredGame, ::testing::ValuesIn(registered()), test_name);

TEST(GameSettings, LineLongerThanTheBoardIsRefused) {
  std::string message;
  EXPECT_EQ(refused_key(settings_from_text("gomoku width=6 height=5 line=7"), &message), "game.line");
  EXPECT_NE(message.find("6x5"), std::string::npos) << message;
  EXPECT_EQ(refused_key(settings_from_text("gomoku width=1 height=1 line=2")), "game.line");
  EXPECT_EQ(refused_key(settings_from_text("connect_four columns=3 rows=2"), &message), "game.line");
  EXPECT_NE(message.find("3x2"), std::string::npos) << message;
  EXPECT_EQ(refused_key(settings_from_text("connect_four columns=32 rows=32 line=32")), "made");
  EXPECT_EQ(refused_key(settings_from_text("gomoku width=6 height=5 line=6")), "made");
  EXPECT_EQ(refused_key(settings_from_text("gomoku width=1 height=2 line=2")), "made");
  EXPECT_EQ(refused_key(settings_from_text("gomoku width=52 height=52 line=52")), "made");
}

TEST(GameSettings, LineOfOneIsRefused) {
  EXPECT_EQ(refused_key(settings_from_text("gomoku line=1")), "game.line");
  EXPECT_EQ(refused_key(settings_from_text("connect_four line=1")), "game.line");
}

}  // namespace
}  // namespace rf::testing
