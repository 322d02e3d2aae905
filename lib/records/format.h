// Records of games: the formats in which people and other programs keep them.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "games/game.h"

namespace rf {

// One game. Tags have the names of PGN where PGN has one: Event, Site, Date, Round, Red or White, Black,
// RedTeam, BlackTeam. What is in the other members is no tag.
struct Record {
  std::map<std::string, std::string> tags;
  std::string start;  // position text of the first state; "" = the game's initial state
  std::vector<Action> moves;
  std::string result = "*";  // "1-0" the first player won, "0-1", "1/2-1/2", or "*"
};

// One line of the table in format.cpp. Either function may be null: not read, or not written.
struct RecordFormat {
  std::string_view name;      // as on the command line: "pgn-wxf"
  std::string_view sentence;  // for --help
  // Games that the format is for; empty = all.
  std::vector<std::string_view> games;
  // Every record of a file, which may begin with a byte order mark of UTF-8. Throws Error(kBadData) that
  // names the line and what is wrong, an illegal move included.
  std::vector<Record> (*read)(const Game& game, std::string_view text);
  // The whole text of a file with these records. Throws Error(kUsage) if the format cannot hold them.
  std::string (*write)(const Game& game, std::span<const Record> records);
};

std::span<const RecordFormat> record_formats();
// Throws Error(kUsage) that lists the formats of the game.
const RecordFormat& record_format(std::string_view name, const Game& game);

// Record::start of a game that begins with this position. Throws as Game::parse_position.
std::string start_text(const Game& game, std::string_view position);
// Record::result of a game that ends with this state: "*" while it is not over.
std::string result_text(const State& last);

// The state where the record begins, and the one where it ends.
std::unique_ptr<State> first_state(const Game& game, const Record& record);
std::unique_ptr<State> last_state(const Game& game, const Record& record);

}  // namespace rf
