#include "records/xiangqi_pgn.h"

#include "records_fixtures.h"

namespace rf::testing {
namespace {

using Moves = std::vector<std::string>;

class XiangqiPgn : public ::testing::Test {
 protected:
  std::vector<Record> read(const std::string& text) const { return read_xiangqi_pgn(*game_, text); }
  Record read_one(const std::string& text) const {
    const auto records = read(text);
    EXPECT_EQ(records.size(), 1u) << text;
    return records.empty() ? Record() : records[0];
  }
  Moves moves(const std::string& text) const { return moves_of(*game_, read_one(text)); }
  std::string write(const Record& record, XiangqiNotation notation) const {
    return write_xiangqi_pgn(*game_, std::span(&record, 1), notation);
  }
  std::unique_ptr<Game> game_ = game_from_text("xiangqi");
};

TEST_F(XiangqiPgn, PrintedGame) {
  for (const auto& [name, notation] :
       {std::pair("iccs", XiangqiNotation::kIccs), {"wxf", XiangqiNotation::kWxf}}) {
    const std::string text = file_of("records/printed_game_" + std::string(name) + ".pgn");
    const Record record = read_one(text);
    expect_printed_game(*game_, record, 61);
    EXPECT_EQ(record.result, "*");
    EXPECT_EQ(record.tags, (std::map<std::string, std::string>{{"Red", "net"}, {"Black", "net"}}));
    EXPECT_EQ(write(record, notation), text);
    expect_printed_game(*game_, read_one(write(record, XiangqiNotation::kChinese)), 61);
  }
}

TEST_F(XiangqiPgn, ChineseTextInAnyEncoding) {
  const std::string text =
      "[Game \"Chinese Chess\"]\r\n[Event \"五羊杯\"]\r\n[Red \"胡荣华\"]\r\n[Black \"杨官璘\"]\r\n"
      "[Result \"1/2-1/2\"]\r\n[ECCO \"C20\"]\r\n[Opening \"中炮\"]\r\n\r\n"
      "  1. 炮二平五　马８进７\r\n  2. 马二进三 {好棋 ; 1. 炮} 车９平８\r\n  3. 車一平二 1/2-1/2\r\n";
  const Moves expected = {"h2e2", "h9g7", "h0g2", "i9h9", "i0h0"};
  for (const std::string& bytes : {text, "\xef\xbb\xbf" + text, gb18030(text)}) {
    const Record record = read_one(bytes);
    EXPECT_EQ(moves_of(*game_, record), expected);
    EXPECT_EQ(record.result, "1/2-1/2");
    EXPECT_EQ(record.tags, (std::map<std::string, std::string>{{"Event", "五羊杯"},
                                                               {"Red", "胡荣华"},
                                                               {"Black", "杨官璘"},
                                                               {"ECCO", "C20"},
                                                               {"Opening", "中炮"}}));
    const Record again = read_one(write(record, XiangqiNotation::kChinese));
    EXPECT_EQ(again.tags, record.tags);
    EXPECT_EQ(again.moves, record.moves);
    EXPECT_EQ(again.result, record.result);
  }
}

TEST_F(XiangqiPgn, WhatIsWritten) {
  Record record;
  record.tags = {{"Event", "a \"b\" \\c"}, {"RedTeam", "North"}, {"Opening", "x"}, {"Annotator", "me"}};
  record.start = "4k4/9/9/9/9/9/9/9/4r4/3K5 b - - 3 20";
  record.result = "0-1";
  const auto state = game_->parse_position(record.start);
  for (const char* move : {"e1e2", "d0d1", "e2e3"}) {
    record.moves.push_back(*game_->parse_action(*state, move));
    state->apply(record.moves.back());
  }
  EXPECT_EQ(
      write(record, XiangqiNotation::kWxf),
      "[Game \"Chinese Chess\"]\n[Event \"a \\\"b\\\" \\\\c\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n"
      "[Round \"?\"]\n[Red \"?\"]\n[RedTeam \"North\"]\n[Black \"?\"]\n[Result \"0-1\"]\n[Opening \"x\"]\n"
      "[Annotator \"me\"]\n[Format \"WXF\"]\n[FEN \"4k4/9/9/9/9/9/9/9/4r4/3K5 b - - 3 20\"]\n\n"
      "1... R5-1\n2. K6+1 R5-1\n0-1\n");
  const Record again = read_one(write(record, XiangqiNotation::kWxf));
  EXPECT_EQ(again.tags, record.tags);
  EXPECT_EQ(again.start, record.start);
  EXPECT_EQ(again.moves, record.moves);
  EXPECT_EQ(again.result, "0-1");
}

TEST_F(XiangqiPgn, CommentsVariationsAndNumbersArePassedOver) {
  const Moves expected = {"h2e2", "h9g7"};
  for (const char* text : {"1. h2e2 h9g7", "1.C2=5 H8+7 *", "1. C2=5 1... H8+7", "1 C2=5 H8+7", "C2=5 H8+7",
                           "{a ( b} 1. C2=5! (1. C8=5 (1. C2=4) {)} H2+3) H8+7!? $3 ; H2+3 \n",
                           "% escaped C8=5\nC2=5{x}H8+7(y)*", "[Format \"ICCS\"]\n1. C2=5\nh9-g7",
                           "[Unknown \"\"]\n1. 炮二平五 马８进７ *"}) {
    EXPECT_EQ(moves(text), expected) << text;
  }
  // A soldier's move like 15=6 is no move number.
  EXPECT_EQ(moves("[FEN \"4k4/9/4P4/4P4/4P4/9/9/9/9/3K5 w - - 0 1\"]\n1.15=6 K5=6 2. 15.4 *"),
            (Moves{"e7d7", "e9f9", "e6f6"}));
}

TEST_F(XiangqiPgn, SeveralGames) {
  const auto records = read(
      "[Red \"a\"]\n[Result \"1-0\"]\n\n1. C2=5 1-0\n\n[Red \"b\"]\n\n1. C8=5\n[Red \"c\"]\n[Red "
      "\"d\"]\n0-1\n"
      "1. P7+1 *");
  ASSERT_EQ(records.size(), 5u);
  const std::vector<std::string> names = {"a", "b", "c", "d"}, results = {"1-0", "*", "*", "0-1", "*"};
  const std::vector<std::size_t> lengths = {1, 1, 0, 0, 1};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(records[i].result, results[i]) << i;
    EXPECT_EQ(records[i].moves.size(), lengths[i]) << i;
    EXPECT_EQ(i < 4 ? records[i].tags.at("Red") : "", i < 4 ? names[i] : "");
  }
  EXPECT_TRUE(read("").empty());
  EXPECT_TRUE(read(" \n{nothing}\n").empty());
}

TEST_F(XiangqiPgn, ResultComesFromTheTagTheMovesOrTheRules) {
  const std::string mate = "[FEN \"3k5/9/9/9/9/9/9/4R4/4R4/5K3 w - - 0 1\"]\n1. e1d1 ";
  EXPECT_EQ(read_one("[Result \"0-1\"]\n1. C2=5").result, "0-1");
  EXPECT_EQ(read_one("[Result \"*\"]\n1. C2=5 1-0").result, "1-0");
  EXPECT_EQ(read_one("[Result \"won\"]\n1. C2=5").result, "*");
  EXPECT_EQ(read_one(mate).result, "1-0");
  expect_refusal({"line 2", "'1-0'", "'0-1'"}, [&] { (void)read("[Result \"1-0\"]\n1. C2=5 0-1"); });
}

TEST_F(XiangqiPgn, DamageIsRefusedByLineAndMove) {
  expect_refusal({"line 2", "move 3", "'C2=6'", "no legal move"},
                 [&] { (void)read("1. C2=5 C2=5\n2. C2=6"); });
  expect_refusal({"line 1", "move 1", "'x'"}, [&] { (void)read("x"); });
  expect_refusal({"line 1", "move 1", "'12x'"}, [&] { (void)read("12x"); });
  expect_refusal({"line 1", "move 1", "'12C2=5'"}, [&] { (void)read("12C2=5"); });
  expect_refusal({"line 1", "a comment has no end"}, [&] { (void)read("{ C2=5\n\n"); });
  expect_refusal({"line 2", "a variation has no end"}, [&] { (void)read("C2=5\n(C8=5 (\n\n"); });
  expect_refusal({"line 2", "tag"}, [&] { (void)read("\n[Red \"a\nC2=5"); });
  expect_refusal({"line 1", "tag"}, [&] { (void)read("[]"); });
  expect_refusal({"line 1", "'}'"}, [&] { (void)read("}"); });
  expect_refusal({"line 2"}, [&] { (void)read("[Red \"a\"]\n[FEN \"nonsense\"]\n\n1. C2=5"); });
  expect_refusal({"line 2", "neither"}, [&] { (void)read("C2=5\n\xff\xff\xff"); });
  expect_refusal({"line 1", "move 1"}, [&] { (void)read(std::string(1 << 20, 'x')); });
  expect_refusal({"variation"}, [&] { (void)read(std::string(1 << 20, '(')); });
  const std::string mate = "[FEN \"3k5/9/9/9/9/9/9/4R4/4R4/5K3 w - - 0 1\"]\n1. e1d1 d9d8";
  expect_refusal({"line 2", "move 2", "over", "checkmate"}, [&] { (void)read(mate); });
  Record record;
  record.tags["a b"] = "c";
  EXPECT_THROW((void)write(record, XiangqiNotation::kIccs), Error);
}

}  // namespace
}  // namespace rf::testing
