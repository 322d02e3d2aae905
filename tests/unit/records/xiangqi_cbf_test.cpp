#include "records/xiangqi_cbf.h"

#include "records_fixtures.h"

namespace rf::testing {
namespace {

class XiangqiCbf : public ::testing::Test {
 protected:
  Record read(const std::string& text) const {
    const auto records = read_xiangqi_cbf(*game_, text);
    EXPECT_EQ(records.size(), 1u);
    return records[0];
  }
  std::string write(const Record& record) const { return write_xiangqi_cbf(*game_, std::span(&record, 1)); }
  // A file with these children of Head and these moves.
  static std::string file(const std::string& head, const std::string& moves) {
    return "<?xml version=\"1.0\"?>\n<ChineseChessRecord Version=\"1.0\"><Head>" + head +
           "</Head>\n<MoveList>" + moves + "</MoveList></ChineseChessRecord>\n";
  }
  std::unique_ptr<Game> game_ = game_from_text("xiangqi");
};

TEST_F(XiangqiCbf, StrictGameIsReadAndWrittenByteForByte) {
  const std::string text = file_of("records/printed_game_strict.cbf");
  const Record record = read(text);
  expect_printed_game(*game_, record, 61);
  EXPECT_EQ(record.result, "*");
  EXPECT_EQ(record.tags, (std::map<std::string, std::string>{
                             {"Name", "noname"}, {"Red", "net"}, {"Black", "net"}, {"RecordType", "1"}}));
  EXPECT_EQ(write(record), text);
}

TEST_F(XiangqiCbf, TheWholePrintedGameNeedsLooseRules) {
  const std::string text = file_of("records/printed_game.cbf");
  expect_refusal({"line 101", "move 62", "'61-68'", "no legal move"}, [&] { (void)read(text); });
  game_ = game_from_text("xiangqi rules=loose");
  const Record record = read(text);
  expect_printed_game(*game_, record, 62);
  EXPECT_EQ(record.tags.at("Date"), "2020-01-01");
  Record open = record;
  open.result = "*";  // as the file leaves it
  EXPECT_EQ(write(open), text);
}

TEST_F(XiangqiCbf, EveryChildOfHeadIsKept) {
  Record record;
  record.tags = {{"Name", "a & <b>"},
                 {"URL", "u"},
                 {"From", "f"},
                 {"ContestType", "t"},
                 {"Event", "五羊杯"},
                 {"Round", "3"},
                 {"Group", "g"},
                 {"Table", "1"},
                 {"Date", "2020"},
                 {"Site", "s"},
                 {"TimeRule", "60"},
                 {"Red", "r"},
                 {"RedTeam", "rt"},
                 {"RedTime", "1"},
                 {"RedRating", "2"},
                 {"Black", "b"},
                 {"BlackTeam", "bt"},
                 {"BlackTime", "3"},
                 {"BlackRating", "4"},
                 {"Referee", "e"},
                 {"Recorder", "o"},
                 {"Commentator", "c"},
                 {"CommentatorURL", "cu"},
                 {"Creator", "cr"},
                 {"CreatorURL", "cru"},
                 {"DateCreated", "d"},
                 {"DateModified", "m"},
                 {"ECCO", "C20"},
                 {"RecordType", "2"},
                 {"RecordKind", "k"},
                 {"ResultType", "y"}};
  record.start = "4k4/9/9/9/9/9/9/9/4r4/3K5 b - - 3 20";
  for (const char* result : {"1-0", "0-1", "1/2-1/2", "*"}) {
    record.result = result;
    const Record again = read(write(record));
    EXPECT_EQ(again.tags, record.tags);
    EXPECT_EQ(again.start, record.start);
    EXPECT_EQ(again.result, record.result);
    EXPECT_TRUE(again.moves.empty());
  }
  EXPECT_NE(write(record).find("<Contest>五羊杯</Contest>"), std::string::npos);
}

TEST_F(XiangqiCbf, CommentsAndUnknownElementsArePassedOver) {
  const std::string head =
      "<Future><FEN>x</FEN></Future><Red>a</Red><RecordResult>4</RecordResult><FEN></FEN>";
  const std::string moves =
      "<Move value=\"00-00\"><![CDATA[a <comment>]]></Move><Other/><!-- <Move value=\"11-11\"/> -->"
      "<Move value=\"77-47\"><![CDATA[good]]><Move value=\"17-47\"/></Move><Move value=\"79-67\"/>"
      "<Move value=\"70-62\" end=\"1\"/><Move value=\"17-47\"/>";
  expect_refusal({"line 3", "move 2", "'79-67'"}, [&] { (void)read(file(head, moves)); });
  const std::string legal = std::string(moves).replace(moves.find("79-67"), 5, "12-42");
  expect_refusal({"line 3", "move 3", "'70-62'"}, [&] { (void)read(file(head, legal)); });
  const Record record = read(file(head, std::string(legal).replace(legal.find("70-62"), 5, "79-67")));
  EXPECT_EQ(moves_of(*game_, record), (std::vector<std::string>{"h2e2", "b7e7", "h0g2"}));
  EXPECT_EQ(record.tags, (std::map<std::string, std::string>{{"Red", "a"}}));
  EXPECT_EQ(record.result, "1/2-1/2");
  EXPECT_EQ(read(file("", "")).moves.size(), 0u);
}

TEST_F(XiangqiCbf, Gb18030IsRead) {
  const std::string text = file("<Red>胡荣华</Red>", "<Move value=\"77-47\"><![CDATA[当头炮]]></Move>");
  EXPECT_EQ(read(gb18030(text)).tags.at("Red"), "胡荣华");
  EXPECT_EQ(read("\xef\xbb\xbf" + text).moves.size(), 1u);
}

TEST_F(XiangqiCbf, DamageIsRefusedByLine) {
  const std::string text = file_of("records/printed_game_strict.cbf");
  expect_refusal({"no XML"}, [&] { (void)read(""); });
  for (std::size_t length = 1; length + 2 < text.size(); length += 37) {
    expect_refusal({"line "}, [&] { (void)read(text.substr(0, length)); });
  }
  expect_refusal({"line 1", "ChineseChessRecord"}, [&] { (void)read("<a/>"); });
  expect_refusal({"line 3", "move 1", "'00-0'"}, [&] { (void)read(file("", "<Move value=\"00-0\"/>")); });
  expect_refusal({"line 3", "move 1"}, [&] { (void)read(file("", "<Move/>")); });
  expect_refusal({"line 3", "move 1", "'00-00'"},
                 [&] { (void)read(file("", "<Move value=\"00-00\"/><Move value=\"00-00\"/>")); });
  expect_refusal({"line 2"}, [&] { (void)read(file("<FEN>nonsense</FEN>", "")); });
  expect_refusal({"neither"}, [&] { (void)read("<a>\xff\xff\xff</a>"); });
}

TEST_F(XiangqiCbf, DeepAndExplodingXmlIsHarmless) {
  std::string deep;
  for (int i = 0; i < 200000; ++i) deep += "<a>";
  expect_refusal({"no XML"}, [&] { (void)read(deep); });
  std::string closed = deep;
  for (int i = 0; i < 200000; ++i) closed += "</a>";
  EXPECT_EQ(read(file(closed, "<Move value=\"77-47\"/>")).moves.size(), 1u);
  std::string bomb = "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a0 \"ha\">";
  for (int i = 1; i < 40; ++i) {
    const std::string name = "&a" + std::to_string(i - 1) + ";";
    bomb += "<!ENTITY a" + std::to_string(i) + " \"" + name + name + "\">";
  }
  bomb +=
      "<!ENTITY file SYSTEM \"file:///etc/passwd\">]><ChineseChessRecord><Head><Red>&a39;</Red>"
      "<Black>&file;</Black></Head><MoveList/></ChineseChessRecord>";
  const Record record = read(bomb);
  EXPECT_EQ(record.tags.at("Red"), "&a39;");
  EXPECT_EQ(record.tags.at("Black"), "&file;");
}

TEST_F(XiangqiCbf, OneGameAFile) {
  const std::vector<Record> records(2);
  for (std::size_t count : {0, 2}) {
    try {
      (void)write_xiangqi_cbf(*game_, std::span(records).first(count));
      ADD_FAILURE() << count;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kUsage) << error.what();
    }
  }
}

}  // namespace
}  // namespace rf::testing
