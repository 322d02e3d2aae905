#include "records/xiangqi_notation.h"

#include <set>

#include "records/xiangqi_squares.h"
#include "records_fixtures.h"

namespace rf::testing {
namespace {

constexpr XiangqiNotation kAll[] = {XiangqiNotation::kCoordinates, XiangqiNotation::kIccs,
                                    XiangqiNotation::kWxf, XiangqiNotation::kChinese};

class Position {
 public:
  explicit Position(const std::string& fen)
      : game_(game_from_text("xiangqi")),
        state_(fen.empty() ? game_->initial_state() : game_->parse_position(fen)) {}
  // The move's text; "" if the move is not legal.
  std::string text(const std::string& move, XiangqiNotation notation) const {
    const auto action = game_->parse_action(*state_, move);
    return action ? xiangqi_text(*game_, *state_, *action, notation) : "";
  }
  // The coordinates of the move with this text; "" if there is none.
  std::string parse(const std::string& text) const {
    const auto action = parse_xiangqi(*game_, *state_, text);
    return action ? game_->action_text(*state_, *action) : "";
  }

 private:
  std::unique_ptr<Game> game_;
  std::unique_ptr<State> state_;
};

TEST(XiangqiNotation, KnownMovesBothWays) {
  const auto rows = table_of(file_of("notation.txt"));
  ASSERT_EQ(rows.size(), 211u);
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), 5u);
    const Position position(row[0]);
    for (std::size_t i = 0; i < 4; ++i) {
      if (row[i + 1] == "-") continue;
      EXPECT_EQ(position.text(row[1], kAll[i]), row[i + 1]) << row[0];
      EXPECT_EQ(position.parse(row[i + 1]), row[1]) << row[0] << " " << row[i + 1];
    }
  }
}

// Positions where many pieces of a kind share files, besides games.
constexpr const char* kCrowded[] = {"",
                                    "3k5/9/2P1P4/2P1P4/4P4/9/9/9/9/5K3 w - - 0 1",
                                    "3k5/9/4P4/4P4/4P4/4P4/4P4/9/9/5K3 w - - 0 1",
                                    "3k5/9/P7P/P3P3P/9/9/9/9/9/5K3 w - - 0 1",
                                    "3k5/9/9/9/9/4p4/4p4/4p4/4p4/5K2p b - - 0 1",
                                    "3k5/9/9/9/9/p7p/p7p/9/7p1/5K3 b - - 0 1",
                                    "R2ak4/9/9/9/9/9/9/9/9/R4K3 w - - 0 1",
                                    "1N1k5/9/9/9/1N7/9/4C4/9/4C4/5K3 w - - 0 1",
                                    "rn1k5/9/9/rn7/9/c8/c8/9/9/5K3 b - - 0 1",
                                    "2bk1a3/9/5a3/9/2b6/9/9/9/9/4K4 b - - 0 1"};

TEST(XiangqiNotation, EveryMoveHasItsOwnTextAndIsReadBack) {
  const auto game = game_from_text("xiangqi");
  for (int index = 0; index < 40; ++index) {
    RandomStream stream = make_stream(3, 0, std::uint64_t(index), Purpose::kTest);
    const std::string fen = kCrowded[std::size_t(index) % std::size(kCrowded)];
    const auto state = fen.empty() ? game->initial_state() : game->parse_position(fen);
    std::vector<Action> legal;
    for (int ply = 0; ply < 150 && !state->terminal(); ++ply) {
      state->legal_actions(legal);
      for (XiangqiNotation notation : kAll) {
        std::set<std::string> texts;
        for (Action action : legal) {
          const std::string text = xiangqi_text(*game, *state, action, notation);
          ASSERT_TRUE(texts.insert(text).second) << text << "\n" << state->text();
          ASSERT_EQ(parse_xiangqi(*game, *state, text), action) << text << "\n" << state->text();
          if (notation != XiangqiNotation::kWxf) continue;
          ASSERT_EQ(parse_xy(*game, *state, xy_text(*game, *state, action)), action);
        }
      }
      state->apply(legal[stream.below(std::uint32_t(legal.size()))]);
    }
  }
}

TEST(XiangqiNotation, SoldiersOnOneFile) {
  const Position five(kCrowded[2]);
  const std::vector<std::string> names = {"前", "二", "三", "四", "后"};
  for (int i = 0; i < 5; ++i) {
    const std::string rank = std::to_string(7 - i), move = "e" + rank + "d" + rank;
    if (7 - i < 5) {  // not across the river yet
      EXPECT_EQ(five.text(move, XiangqiNotation::kChinese), "");
      continue;
    }
    EXPECT_EQ(five.text(move, XiangqiNotation::kChinese), names[std::size_t(i)] + "兵平六");
    EXPECT_EQ(five.text(move, XiangqiNotation::kWxf), std::to_string(i + 1) + "5=6");
    EXPECT_EQ(five.parse((i == 0 ? "一" : names[std::size_t(i)]) + "兵平六"), move);
  }
  const Position four(kCrowded[4]);
  EXPECT_EQ(four.text("e1d1", XiangqiNotation::kChinese), "前卒平４");
  EXPECT_EQ(four.text("e2d2", XiangqiNotation::kChinese), "二卒平４");
  EXPECT_EQ(four.text("e3d3", XiangqiNotation::kChinese), "三卒平４");
  EXPECT_EQ(four.text("e4d4", XiangqiNotation::kChinese), "后卒平４");
  EXPECT_EQ(four.parse("四卒平4"), "e4d4");
  EXPECT_EQ(four.parse("２卒平４"), "e2d2");
  EXPECT_EQ(four.text("i0h0", XiangqiNotation::kChinese), "卒９平８");
  EXPECT_EQ(four.text("i0h0", XiangqiNotation::kWxf), "P9=8");
}

TEST(XiangqiNotation, SoldiersOnTwoFilesCountFromTheRight) {
  const Position red(kCrowded[1]);  // e7 e6 e5, c7 c6: e is file 5, c is file 7
  const std::vector<std::pair<std::string, std::string>> moves = {{"e7f7", "一兵平四"},
                                                                  {"e6f6", "二兵平四"},
                                                                  {"e5f5", "三兵平四"},
                                                                  {"c7b7", "四兵平八"},
                                                                  {"c6b6", "五兵平八"}};
  for (const auto& [move, text] : moves) {
    EXPECT_EQ(red.text(move, XiangqiNotation::kChinese), text);
    EXPECT_EQ(red.parse(text), move);
  }
  EXPECT_EQ(red.text("c6b6", XiangqiNotation::kWxf), "27=8");
  const Position black(kCrowded[5]);  // a4 a3, i4 i3, h1: a is Black's file 1
  EXPECT_EQ(black.text("a3b3", XiangqiNotation::kChinese), "一卒平２");
  EXPECT_EQ(black.text("i4h4", XiangqiNotation::kChinese), "四卒平８");
  EXPECT_EQ(black.text("h1g1", XiangqiNotation::kChinese), "卒８平７");
  EXPECT_EQ(black.text("i4h4", XiangqiNotation::kWxf), "29=8");
}

TEST(XiangqiNotation, TheOtherPieceMayHaveNoRoom) {
  const Position chariots(kCrowded[6]);
  EXPECT_EQ(chariots.text("a9a6", XiangqiNotation::kWxf), "R9-3");  // from a0 three back leads off the board
  EXPECT_EQ(chariots.text("a9a6", XiangqiNotation::kChinese), "前车退三");
  EXPECT_EQ(chariots.parse("R+-3"), "a9a6");
  EXPECT_EQ(chariots.parse("R--3"), "");
  EXPECT_EQ(chariots.text("a9b9", XiangqiNotation::kWxf), "R+=8");
  EXPECT_EQ(chariots.parse("R9=8"), "");  // both could be meant
}

TEST(XiangqiNotation, ManySpellingsAreRead) {
  const Position start("");
  for (const char* text : {"C2=5", "c2=5", "C2.5", "炮二平五", "砲二平五", "炮２平５", "炮2平5", "h2e2",
                           "H2E2", "H2-E2", "h2-e2"}) {
    EXPECT_EQ(start.parse(text), "h2e2") << text;
  }
  for (const char* text : {"H2+3", "N2+3", "n2+3", "马二进三", "馬二進三", "傌二進三"}) {
    EXPECT_EQ(start.parse(text), "h0g2") << text;
  }
  for (const char* text : {"E3+5", "B3+5", "b3+5", "相三进五", "象三進五"}) {
    EXPECT_EQ(start.parse(text), "g0e2") << text;
  }
  for (const char* text : {"A4+5", "仕四进五", "士四進五"}) EXPECT_EQ(start.parse(text), "f0e1") << text;
  for (const char* text : {"K5+1", "帅五进一", "帥五進一", "将五进一", "將五进一"}) {
    EXPECT_EQ(start.parse(text), "e0e1") << text;
  }
  for (const char* text : {"P7+1", "兵七进一", "卒七进一"}) EXPECT_EQ(start.parse(text), "c3c4") << text;
  for (const char* text : {"R1+1", "车一进一", "車一進一", "俥一进一"}) EXPECT_EQ(start.parse(text), "i0i1");
  const Position cannons(kCrowded[7]);
  for (const char* text : {"C+=6", "+C=6", "c+.6", "前炮平六", "前砲平6"})
    EXPECT_EQ(cannons.parse(text), "e3d3");
  for (const char* text : {"C-=6", "-C=6", "后炮平六", "後炮平六"})
    EXPECT_EQ(cannons.parse(text), "e1d1") << text;
  const Position elephants(kCrowded[9]);
  for (const char* text : {"E3+5", "象３进５", "前象退５"}) EXPECT_NE(elephants.parse(text), "") << text;
  EXPECT_EQ(elephants.parse("后象进５"), "c9e7");
}

TEST(XiangqiNotation, OtherTextIsNoMove) {
  const Position start("");
  for (const std::string text :
       {"",         " ",        "C",        "C2=",   "C2=55",    "C2=0",     "C0=5",       "C2?5",
        "K5+9",     "中兵进一", "h2e",      "h2e2q", "h2--e",    "炮二平",   "炮二平五五", "炮二平五 ",
        "二平五炮", "12=3",     "=C=5",     "C==5",  "\xff\xfe", "\xe7\x82", "h9g7",       "炮８平５",
        "a0a9",     "i9i8",     "前炮平五", "C+=5",  "H2-E2-",   "H2-E22",   "2H-E2"}) {
    EXPECT_EQ(start.parse(text), text == "炮８平５" ? "b2e2" : "") << text;
  }
  EXPECT_EQ(start.parse(std::string(100000, 'C')), "");
}

TEST(XiangqiSquares, OtherTextIsNoMove) {
  const auto game = game_from_text("xiangqi");
  const auto state = game->initial_state();
  EXPECT_TRUE(parse_xy(*game, *state, "7747"));
  for (const char* text :
       {"", "774", "77477", "7797", "9747", "77-47", "abcd", "7777", "0000", "\xff\xff\xff\xff"}) {
    EXPECT_FALSE(parse_xy(*game, *state, text)) << text;
  }
}

}  // namespace
}  // namespace rf::testing
