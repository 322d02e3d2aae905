#include "records/piskvork.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "game_settings.h"

namespace rf::testing {
namespace {

const char* const kBoard = "gomoku width=7 height=9 line=5";

// What the reader says about bad data; fails the test if it says nothing.
template <class Read>
std::string refusal(Read read, std::string_view text) {
  try {
    read(*game_from_text(kBoard), text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadData) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused: " << text;
  return "";
}

TEST(Psq, ReadsATournamentRecord) {
  const auto game = game_from_text(kBoard);
  for (const std::string end : {"\n", "\r\n"}) {
    const std::string text = "Piskvorky 7x9, 0:0, 0" + end + "1,1,0" + end + "7,9,1500" + end + "2,1,31" +
                             end + "pbrain-one.exe" + end + "pbrain-two.exe" + end + "-1" + end;
    const std::vector<Record> records = read_psq(*game, text);
    ASSERT_EQ(records.size(), 1u);
    EXPECT_EQ(records[0].moves, (std::vector<Action>{0, 62, 1}));
    EXPECT_EQ(records[0].tags.at("Black"), "pbrain-one.exe");
    EXPECT_EQ(records[0].tags.at("White"), "pbrain-two.exe");
    EXPECT_EQ(records[0].result, "*");
  }
}

TEST(Psq, WhatTournamentsWriteBehindTheNamesIsLeftOut) {
  const auto game = game_from_text(kBoard);
  for (const std::string end : {"\n", "\r\n"}) {
    for (const char* behind : {"", "-1", "-1|1,Freestyle", "0|0,Renju", "0,Freestyle", "1,1", "1,1,",
                               "1,1,0,0", "-1|1,Freestyle|a remark|1", "1,2,x", ",,", "-1||1,Freestyle||"}) {
      std::string text = std::string("Piskvorky 7x9, 11:11, 1|1,1,0|7,9,1500|one|two|") + behind;
      for (std::size_t at; (at = text.find('|')) != text.npos;) text.replace(at, 1, end);
      const Record record = read_psq(*game, text)[0];
      EXPECT_EQ(record.moves, (std::vector<Action>{0, 62})) << text;
      EXPECT_EQ(record.tags, (std::map<std::string, std::string>{{"Black", "two"}, {"White", "one"}}))
          << text;
    }
  }
  const Record nameless = read_psq(*game, "Piskvorky 7x9, 0:0, 0\n1,1,0\n-1\n1,Freestyle\n")[0];
  EXPECT_EQ(nameless.moves, std::vector<Action>{0});
  EXPECT_TRUE(nameless.tags.empty());
}

TEST(Psq, TheSecondNameMayBegin) {
  const auto game = game_from_text(kBoard);
  const Record record = read_psq(*game, "Piskvorky 7x9, 11:11, 1\n4,5,0\na\nb\n")[0];
  EXPECT_EQ(record.tags.at("Black"), "b");
  EXPECT_EQ(record.tags.at("White"), "a");
  EXPECT_EQ(record.moves, std::vector<Action>{4 * 7 + 3});
}

TEST(Psq, MovesAloneAreEnoughAndTheResultIsOfTheRules) {
  const auto game = game_from_text(kBoard);
  const Record record = read_psq(
      *game, "Piskvorky 7x9, 0:0, 0\n1,1,0\n1,2,0\n2,1,0\n2,2,0\n3,1,0\n3,2,0\n4,1,0\n4,2,0\n5,1,0")[0];
  EXPECT_EQ(record.moves.size(), 9u);
  EXPECT_EQ(record.result, "1-0");
  EXPECT_TRUE(record.tags.empty());
}

TEST(Psq, WritesWhatItReads) {
  const auto game = game_from_text(kBoard);
  const std::string text = "Piskvorky 7x9, 0:0, 0\n1,1,0\n7,9,0\none\ntwo\n0\n";
  const std::vector<Record> records = read_psq(*game, text);
  EXPECT_EQ(write_psq(*game, records), text);
}

TEST(Psq, RefusesWithTheLine) {
  const std::string head = "Piskvorky 7x9, 0:0, 0\n";
  const struct {
    std::string text, line, word;
  } cases[] = {
      {"", "line 1", "Piskvorky"},
      {"piskvorky 7x9, 0:0, 0\n", "line 1", "Piskvorky"},
      {"Piskvorky 9x7, 0:0, 0\n1,1,0\n", "line 1", "game.width"},
      {"Piskvorky 15x15, 0:0, 0\n", "line 1", "15x15"},
      {"Piskvorky 7, 0:0, 0\n", "line 1", "WxH"},
      {"Piskvorky 99999999999x9, 0:0\n", "line 1", "WxH"},
      {head + "0,1,0\n", "line 2", "outside"},
      {head + "1,0,0\n", "line 2", "outside"},
      {head + "8,1,0\n", "line 2", "outside"},
      {head + "1,10,0\n", "line 2", "outside"},
      {head + "-1,1,0\n", "line 2", "outside"},
      {head + "1,1,0\r\n\r\n1,1,0\r\n", "line 4", "taken"},
      {head + "1,1\n", "line 2", "no move"},
      {head + "1,1,\n", "line 2", "no move"},
      {head + "1,1,0,0\n", "line 2", "no move"},
      {head + "1,1,0 0\n", "line 2", "no move"},
      {head + "1,99999999999,0\n", "line 2", "no move"},
      {head + "1,1,0\nx\n2,2,0\n", "line 4", "after 'x'"},
      {head + "1,1,0\na\nb\n-1\n1,Freestyle\n2,2,0\n", "line 7", "after '1,Freestyle'"},
      {head + "1,1,0\na\nb\n99,99,0\n", "line 5", "after 'b'"},
      {head + "1,1,0\n1,Freestyle\na\nb\n", "line 3", "no move"},
      {head + "1,1,0\n" + head, "line 3", "second game"},
      {head + "1,1,0\n1,2,0\n2,1,0\n2,2,0\n3,1,0\n3,2,0\n4,1,0\n4,2,0\n5,1,0\n7,7,0\n", "line 11", "over"}};
  for (const auto& c : cases) {
    const std::string message = refusal(read_psq, c.text);
    EXPECT_EQ(message.rfind(c.line + ":", 0), 0u) << message;
    EXPECT_NE(message.find(c.word), std::string::npos) << message;
  }
}

TEST(Rec, CountsFromZero) {
  const auto game = game_from_text(kBoard);
  const std::string text = "one\ntwo\n0,0,0\n6,8,0\n";
  const std::vector<Record> records = read_rec(*game, text);
  EXPECT_EQ(records[0].moves, (std::vector<Action>{0, 62}));
  EXPECT_EQ(records[0].tags.at("Black"), "one");
  EXPECT_EQ(records[0].tags.at("White"), "two");
  EXPECT_EQ(write_rec(*game, records), text);
}

TEST(Rec, RefusesWithTheLine) {
  EXPECT_EQ(refusal(read_rec, "one\n").rfind("line 1:", 0), 0u);
  EXPECT_EQ(refusal(read_rec, "one\n0,0,0\n").rfind("line 2:", 0), 0u);
  EXPECT_EQ(refusal(read_rec, "one\ntwo\n7,0,0\n").rfind("line 3:", 0), 0u);
  EXPECT_EQ(refusal(read_rec, "one\ntwo\n0,9,0\n").rfind("line 3:", 0), 0u);
  EXPECT_EQ(refusal(read_rec, "one\ntwo\n0,0,0\nend\n").rfind("line 4:", 0), 0u);
}

TEST(Piskvork, WritesOneGameAndNoNameThatMisleads) {
  const auto game = game_from_text(kBoard);
  const auto usage = [&](const std::vector<Record>& records) {
    for (const auto& write : {write_psq, write_rec}) {
      try {
        write(*game, records);
        ADD_FAILURE();
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::kUsage) << error.what();
      }
    }
  };
  usage({});
  usage({Record(), Record()});
  for (const char* name : {"", "12", "1,1,0", "a\nb", "Piskvorky 7x9"}) {
    Record record;
    record.tags["White"] = name;
    usage({record});
  }
}

TEST(StringFormat, IsReadInEitherCaseAndWrittenWithoutBlanks) {
  const auto game = game_from_text("gomoku");
  const RecordFormat& format = record_format("string", *game);
  const std::vector<Record> records = format.read(*game, "h8g7f6\r\nA1 o15\n# no game\n\nH8,i9\n");
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].moves, (std::vector<Action>{112, 96, 80}));
  EXPECT_EQ(records[1].moves, (std::vector<Action>{0, 224}));
  EXPECT_EQ(records[2].moves, (std::vector<Action>{112, 128}));
  EXPECT_EQ(format.write(*game, records), "h8g7f6\na1o15\nh8i9\n");
  for (const char* text : {"h8g7\nh8h8\n", "h8\nh16\n", "h8\np1\n", "a1\nh8g\n"}) {
    try {
      format.read(*game, text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kBadData);
      EXPECT_NE(std::string(error.what()).find("line 2"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace rf::testing
