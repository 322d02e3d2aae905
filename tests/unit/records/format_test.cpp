#include "records/format.h"

#include "records_fixtures.h"

namespace rf::testing {
namespace {

TEST(RecordFormats, EachIsInTheTableOfTheReadme) {
  const std::string page = file_of("../../../lib/records/README.md");
  for (const RecordFormat& format : record_formats()) {
    EXPECT_NE(page.find("`" + std::string(format.name) + "`"), std::string::npos) << format.name;
  }
}

TEST(RecordFormats, AnUnknownNameListsThoseOfTheGame) {
  const auto game = game_from_text("tic_tac_toe");
  EXPECT_EQ(record_format("moves", *game).name, "moves");
  try {
    (void)record_format("pgn-wxf", *game);  // not of this game
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    EXPECT_NE(std::string_view(error.what()).find("moves, actions"), std::string_view::npos) << error.what();
    EXPECT_EQ(std::string_view(error.what()).find("cbf"), std::string_view::npos) << error.what();
  }
}

TEST(RecordFormats, AStartIsKeptOnlyIfItIsNotTheUsualOne) {
  const auto game = game_from_text("xiangqi");
  EXPECT_EQ(start_text(*game, game->initial_state()->position_text()), "");
  const std::string other = "4k4/9/9/9/9/9/9/9/4r4/3K5 b - - 3 20";
  EXPECT_EQ(start_text(*game, other), other);
}

}  // namespace
}  // namespace rf::testing
