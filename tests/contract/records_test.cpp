// links: rf_records
// What every format of records promises, for every game that it is for: a record is read as it was written.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "base/random_stream.h"
#include "game_settings.h"
#include "records/format.h"

namespace rf::testing {
namespace {

class RecordContract : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { game_ = game_from_text(GetParam()); }

  // Calls visit(format) for each format that reads and writes this game.
  template <class Visit>
  void each_format(Visit visit) const {
    int count = 0;
    for (const RecordFormat& format : record_formats()) {
      const auto& games = format.games;
      const bool fits =
          games.empty() || std::find(games.begin(), games.end(), game_->spec().name) != games.end();
      if (!fits || format.read == nullptr || format.write == nullptr) continue;
      SCOPED_TRACE(std::string(format.name));
      visit(format);
      ++count;
    }
    EXPECT_GE(count, 2);
  }

  // A game at random of at most `max_moves` moves, after `before` moves that only its start knows of; a
  // start is set where the game has positions.
  Record random_record(int index, int before, int max_moves) const {
    RandomStream stream = make_stream(11, 0, std::uint64_t(index), Purpose::kTest);
    auto state = game_->initial_state();
    std::vector<Action> legal;
    const auto step = [&] {
      state->legal_actions(legal);
      const Action action = legal[stream.below(std::uint32_t(legal.size()))];
      state->apply(action);
      return action;
    };
    Record record;
    if (!state->position_text().empty()) {
      for (int i = 0; i < before && !state->terminal(); ++i) step();
      if (state->terminal()) state = game_->initial_state();
      record.start = start_text(*game_, state->position_text());
      state = first_state(*game_, record);
    }
    while (!state->terminal() && int(record.moves.size()) < max_moves) record.moves.push_back(step());
    record.tags = {{"Event", "An event"}, {"Red", "First & \"last\""}, {"Black", "<Second>"}};
    record.result = result_text(*state);
    return record;
  }

  static void expect_equal(const Record& read, const Record& written) {
    EXPECT_EQ(read.start, written.start);
    EXPECT_EQ(read.moves, written.moves);
    EXPECT_EQ(read.result, written.result);
    for (const auto& [name, value] : read.tags) {  // a format may keep none
      const auto tag = written.tags.find(name);
      EXPECT_EQ(value, tag == written.tags.end() ? value : tag->second) << name;
    }
  }

  std::unique_ptr<Game> game_;
};

TEST_P(RecordContract, WhatWasWrittenIsRead) {
  each_format([&](const RecordFormat& format) {
    for (int i = 0; i < 12 && !HasFailure(); ++i) {
      const Record record = random_record(i, i % 3 == 2 ? 5 + i : 0, i % 2 == 0 ? 100000 : 7);
      const std::vector<Record> read = format.read(*game_, format.write(*game_, std::span(&record, 1)));
      ASSERT_EQ(read.size(), 1u);
      expect_equal(read[0], record);
    }
  });
}

TEST_P(RecordContract, AByteOrderMarkMayStandBefore) {
  const Record record = random_record(0, 0, 30);
  each_format([&](const RecordFormat& format) {
    const std::string text = format.write(*game_, std::span(&record, 1));
    const std::vector<Record> read = format.read(*game_, "\xef\xbb\xbf" + text);
    ASSERT_EQ(read.size(), 1u);
    expect_equal(read[0], record);
    EXPECT_EQ(format.read(*game_, text)[0].tags, read[0].tags);
  });
}

TEST_P(RecordContract, SeveralGamesOrARefusal) {
  std::vector<Record> records;
  for (int i = 0; i < 4; ++i) records.push_back(random_record(i, 3 * (i % 2), 20));
  each_format([&](const RecordFormat& format) {
    std::string text;
    try {
      text = format.write(*game_, records);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kUsage) << error.what();
      return;
    }
    const std::vector<Record> read = format.read(*game_, text);
    ASSERT_EQ(read.size(), records.size());
    for (std::size_t i = 0; i < read.size(); ++i) expect_equal(read[i], records[i]);
  });
}

TEST_P(RecordContract, DamagedTextIsReadOrRefused) {
  const Record record = random_record(1, 0, 30);
  RandomStream stream = make_stream(12, 0, 0, Purpose::kTest);
  each_format([&](const RecordFormat& format) {
    const std::string whole = format.write(*game_, std::span(&record, 1));
    const auto attempt = [&](const std::string& text) {
      try {
        for (const Record& read : format.read(*game_, text)) (void)last_state(*game_, read);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::kBadData) << error.what();
        EXPECT_LT(std::string_view(error.what()).size(), 600u) << error.what();
        EXPECT_NE(std::string_view(error.what()).find("line "), std::string_view::npos) << error.what();
      }
    };
    for (int i = 0; i < 60; ++i) {
      const std::size_t at = stream.below(std::uint32_t(whole.size()));
      attempt(whole.substr(0, at));
      attempt(whole.substr(at));
      std::string changed = whole;
      changed[at] = char(stream.below(256));
      attempt(changed);
      attempt(whole.substr(0, at) + whole.substr(stream.below(std::uint32_t(whole.size()))));
    }
    std::string binary;
    for (int i = 0; i < 4096; ++i) binary += char(stream.below(256));
    for (const std::string& text :
         {std::string(), std::string(1, '\0'), std::string("\n\n"), binary, whole + whole,
          std::string(1 << 20, 'a'), std::string(1 << 20, '1'), std::string(1 << 20, ';'),
          std::string(1 << 20, '['), "[DhtmlXQ]" + binary}) {
      attempt(text);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(All, RecordContract, ::testing::ValuesIn(contract_games()), test_name);

TEST(RecordFormats, LongRepetitionsAreReadOrRefused) {
  for (const GameEntry& entry : game_entries()) {
    const auto game = game_from_text(std::string(entry.name));
    for (const RecordFormat& format : record_formats()) {
      if (format.games.empty() || format.games[0] != entry.name || format.read == nullptr) continue;
      for (const std::string part :
           {"[a \"b\"]", "[DhtmlXQ][/DhtmlXQ]", "[DhtmlXQ][DhtmlXQ_a][/DhtmlXQ_a][/DhtmlXQ]", "* ", "{}",
            "()", "$1 ", "1. ", "<a/>", "\n;", "#\n", ", "}) {
        std::string text;
        while (text.size() < 1 << 17) text += part;
        try {
          (void)format.read(*game, text);
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), ExitCode::kBadData) << error.what();
        }
      }
    }
  }
}

}  // namespace
}  // namespace rf::testing
