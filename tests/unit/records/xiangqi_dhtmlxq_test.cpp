#include "records/xiangqi_dhtmlxq.h"

#include "records_fixtures.h"

namespace rf::testing {
namespace {

class XiangqiDhtmlxq : public ::testing::Test {
 protected:
  std::vector<Record> read(const std::string& text) const { return read_xiangqi_dhtmlxq(*game_, text); }
  Record read_one(const std::string& text) const {
    const auto records = read(text);
    EXPECT_EQ(records.size(), 1u);
    return records[0];
  }
  std::string write(const Record& record) const {
    return write_xiangqi_dhtmlxq(*game_, std::span(&record, 1));
  }
  static std::string field(const std::string& key, const std::string& value) {
    return "[DhtmlXQ_" + key + "]" + value + "[/DhtmlXQ_" + key + "]\n";
  }
  static std::string block(const std::string& fields) { return "[DhtmlXQ]\n" + fields + "[/DhtmlXQ]\n"; }
  std::unique_ptr<Game> game_ = game_from_text("xiangqi");
};

TEST_F(XiangqiDhtmlxq, PrintedGameIsReadAndWrittenByteForByte) {
  const std::string text = file_of("records/printed_game.dhtmlxq");
  const Record record = read_one(text);
  expect_printed_game(*game_, record, 61);
  EXPECT_EQ(record.tags, (std::map<std::string, std::string>{{"Name", "printed game"}}));
  EXPECT_EQ(write(record), text);
}

TEST_F(XiangqiDhtmlxq, TagsPositionAndResultRoundTrip) {
  Record record;
  record.tags = {{"Name", "名局"}, {"Event", "e"}, {"Date", "d"},    {"Site", "s"},  {"Round", "1"},
                 {"Table", "2"},   {"Red", "[r]"}, {"RedTeam", "x"}, {"Black", "b"}, {"BlackTeam", "y"}};
  record.start = "4k4/9/9/9/9/9/9/9/4r4/3K5 b - - 3 20";
  record.moves = {*game_->parse_action(*game_->parse_position(record.start), "e1e2")};
  for (const char* result : {"1-0", "0-1", "1/2-1/2", "*"}) {
    record.result = result;
    const auto records = read(write(record) + write(record));
    ASSERT_EQ(records.size(), 2u);
    EXPECT_EQ(records[1].tags, record.tags);
    EXPECT_EQ(records[1].start, record.start);
    EXPECT_EQ(records[1].moves, record.moves);
    EXPECT_EQ(records[1].result, record.result);
  }
  record.tags["Red"] = "a[/b";
  EXPECT_THROW((void)write(record), Error);
}

TEST_F(XiangqiDhtmlxq, PositionOfBinitAlone) {
  Record record;
  record.start = "4k4/9/9/9/9/9/9/9/4r4/3K5 b - - 3 20";
  record.moves = {*game_->parse_action(*game_->parse_position(record.start), "e1e2")};
  std::string text = write(record);
  text.erase(text.find("[DhtmlXQ_fen]"), text.find("[DhtmlXQ_binit]") - text.find("[DhtmlXQ_fen]"));
  const Record again = read_one(text);
  EXPECT_EQ(again.start, "4k4/9/9/9/9/9/9/9/4r4/3K5 b - - 0 1");  // Black moves first; no clocks
  EXPECT_EQ(moves_of(*game_, again), std::vector<std::string>{"e1e2"});
}

TEST_F(XiangqiDhtmlxq, WordsOfResultsAndBlanks) {
  for (const auto& [word, result] : {std::pair("红胜", "1-0"),
                                     {"紅勝", "1-0"},
                                     {"红方胜", "1-0"},
                                     {"黑胜", "0-1"},
                                     {"和棋", "1/2-1/2"},
                                     {"", "*"},
                                     {"未知", "*"}}) {
    const Record record =
        read_one(block(field("ver", "www") + field("result", word) + field("movelist", "77 47\n7062\r\n")));
    EXPECT_EQ(moves_of(*game_, record), (std::vector<std::string>{"h2e2", "h9g7"}));
    EXPECT_EQ(record.result, result) << word;
  }
}

TEST_F(XiangqiDhtmlxq, DamageIsRefusedByLine) {
  const std::string text = file_of("records/printed_game.dhtmlxq");
  for (std::size_t length = 0; length + 2 < text.size(); length += 7) {
    expect_refusal({"line "}, [&] { (void)read(text.substr(0, length)); });
  }
  expect_refusal({"line 2", "move 1", "'7797'"}, [&] { (void)read(block(field("movelist", "7797"))); });
  expect_refusal({"line 2", "move 2", "'74'"}, [&] { (void)read(block(field("movelist", "774774"))); });
  expect_refusal({"line 2", "64 digits"}, [&] { (void)read(block(field("binit", "89"))); });
  expect_refusal({"line 2", "two pieces"}, [&] { (void)read(block(field("binit", std::string(64, '8')))); });
  expect_refusal({"line 2", "no point"}, [&] { (void)read(block(field("binit", std::string(64, 'x')))); });
  expect_refusal({"line 2"}, [&] { (void)read(block(field("fen", "nonsense"))); });
  expect_refusal({"line 2", "no end"}, [&] { (void)read(block("[DhtmlXQ_red]x\n")); });
  expect_refusal({"line 2", "no end"}, [&] { (void)read(block("[DhtmlXQ_red\n")); });
}

}  // namespace
}  // namespace rf::testing
