// Files of tests/data/xiangqi, games played at random, and calls that must fail.
#pragma once

#include <gtest/gtest.h>
#include <iconv.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/random_stream.h"
#include "game_settings.h"
#include "records/format.h"

namespace rf::testing {

inline std::string file_of(const std::string& name) {
  std::ifstream file(std::string(RF_TEST_DATA "/data/xiangqi/") + name, std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// The cells "a | b | c" of each line; lines that begin with # are left out.
inline std::vector<std::vector<std::string>> table_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string>& row = rows.emplace_back();
    for (std::size_t at = 0, end = 0; end < line.size(); at = end + 3) {
      end = std::min(line.find(" | ", at), line.size());
      row.push_back(line.substr(at, end - at));
    }
  }
  return rows;
}

// The moves of the printed game that are legal under strict rules: 61.
inline std::vector<std::vector<std::string>> printed_game() {
  return table_of(file_of("records/printed_game.txt"));
}

// The coordinates of a record's moves.
inline std::vector<std::string> moves_of(const Game& game, const Record& record) {
  std::vector<std::string> moves;
  const auto state = first_state(game, record);
  for (Action action : record.moves) {
    moves.push_back(game.action_text(*state, action));
    state->apply(action);
  }
  return moves;
}

// The printed game is read whole, with every position as it was printed.
inline void expect_printed_game(const Game& game, const Record& record, std::size_t num_moves) {
  const auto rows = printed_game();
  ASSERT_EQ(record.moves.size(), num_moves);
  EXPECT_EQ(record.start, "");
  const auto state = first_state(game, record);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(state->position_text(), rows[i][0]) << i;
    if (i + 1 == rows.size()) break;
    EXPECT_EQ(game.action_text(*state, record.moves[i]), rows[i + 1][1]) << i;
    state->apply(record.moves[i]);
  }
  if (num_moves == 62) {
    EXPECT_EQ(game.action_text(*state, record.moves[61]), "g8g1");
  }
}

inline std::string gb18030(std::string text) {
  const iconv_t converter = iconv_open("GB18030", "UTF-8");
  std::string out(2 * text.size(), '\0');
  char *from = text.data(), *to = out.data();
  std::size_t left = text.size(), room = out.size();
  EXPECT_NE(iconv(converter, &from, &left, &to, &room), std::size_t(-1));
  iconv_close(converter);
  out.resize(out.size() - room);
  return out;
}

// Bad data; the message names each of these words.
template <class Call>
void expect_refusal(const std::vector<std::string>& words, Call call) {
  try {
    call();
    ADD_FAILURE() << "read without complaint; expected: " << (words.empty() ? "an Error" : words[0]);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadData) << error.what();
    for (const std::string& word : words) {
      EXPECT_NE(std::string_view(error.what()).find(word), std::string_view::npos)
          << error.what() << "\nlacks: " << word;
    }
  }
}

}  // namespace rf::testing
