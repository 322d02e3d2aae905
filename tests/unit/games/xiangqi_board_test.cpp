#include "games/xiangqi_board.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/quoted_text.h"
#include "base/random_stream.h"
#include "games/xiangqi_labels.h"
#include "xiangqi_positions.h"

namespace rf::testing {
namespace {

XiangqiPosition position(const std::string& fen) {
  return xiangqi_parse_fen(fen, 120);
}

std::vector<std::string> legal_texts(const XiangqiPosition& position) {
  XiangqiMoves moves;
  position.board.legal_moves(position.color, moves);
  std::vector<std::string> texts;
  for (const XiangqiMove move : moves) texts.push_back(xiangqi_move_text(move));
  std::sort(texts.begin(), texts.end());
  return texts;
}

TEST(XiangqiBoard, LegalMovesAreThoseOfOtherPrograms) {
  std::ifstream file(xiangqi_data("legal_moves.jsonl"));
  int lines = 0, ended = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    const nlohmann::json row = nlohmann::json::parse(line);
    const XiangqiPosition p = position(row["fen"]);
    const std::vector<std::string> legal = row["legal"];
    EXPECT_EQ(legal_texts(p), legal) << row["fen"];
    EXPECT_EQ(p.board.in_check(p.color), bool(row["in_check"])) << row["fen"];
    EXPECT_EQ(p.board.count_legal_moves(p.color), int(legal.size())) << row["fen"];
    EXPECT_EQ(p.board.has_legal_move(p.color), !legal.empty()) << row["fen"];
    EXPECT_EQ(xiangqi_fen(p), row["fen"]);
    for (const XiangqiMove move : xiangqi_labels().moves) {
      EXPECT_EQ(p.board.is_legal(move, p.color),
                std::binary_search(legal.begin(), legal.end(), xiangqi_move_text(move)))
          << row["fen"] << " " << xiangqi_move_text(move);
    }
    ended += legal.empty();
  }
  EXPECT_EQ(lines, 200);
  EXPECT_GT(ended, 0);
}

// The quick decision of which moves need a look at the general agrees with a look at each.
TEST(XiangqiBoard, LegalMovesArePseudoMovesThatLeaveNoCheck) {
  XiangqiMoves pseudo, legal;
  for (std::uint64_t game = 0; game < 60; ++game) {
    RandomStream stream(make_stream(3, 0, game, Purpose::kTest));
    XiangqiPosition p = position(xiangqi_counts()[std::size_t(game * 3)].fen);
    for (int ply = 0; ply < 150; ++ply) {
      p.board.pseudo_moves(p.color, pseudo);
      p.board.legal_moves(p.color, legal);
      int expected = 0;
      for (const XiangqiMove move : pseudo) {
        XiangqiBoard after = p.board;
        after.play(move);
        const bool safe = !after.in_check(p.color);
        EXPECT_EQ(p.board.leaves_check(move), !safe) << xiangqi_fen(p) << " " << xiangqi_move_text(move);
        EXPECT_EQ(std::find(legal.begin(), legal.end(), move) != legal.end(), safe)
            << xiangqi_fen(p) << " " << xiangqi_move_text(move);
        expected += safe;
      }
      ASSERT_EQ(legal.size, expected) << xiangqi_fen(p);
      if (legal.size == 0) break;
      p.board.play(legal.moves[stream.below(std::uint32_t(legal.size))]);
      p.color = 1 - p.color;
    }
  }
}

TEST(XiangqiBoard, UndoRestoresEverything) {
  for (const XiangqiCount& count : xiangqi_counts()) {
    const XiangqiPosition before = position(count.fen);
    XiangqiPosition after = before;
    XiangqiMoves moves;
    before.board.legal_moves(before.color, moves);
    for (const XiangqiMove move : moves) {
      const std::uint8_t captured = after.board.play(move);
      EXPECT_NE(xiangqi_fen(after), count.fen);
      after.board.undo(move, captured);
      EXPECT_EQ(xiangqi_fen(after), count.fen);
      EXPECT_EQ(legal_texts(after), legal_texts(before));
    }
  }
}

TEST(XiangqiBoard, ALegIsBesideTheHorse) {
  // The horse's leg e2 is free, so it checks; the advisor beside the general on d1 is no leg.
  XiangqiPosition p = position("4k4/9/9/9/9/9/9/4n4/3A5/3K5 w - - 0 1");
  EXPECT_TRUE(p.board.in_check(0));
  p = position("4k4/9/9/9/9/9/9/4n4/4A4/3K5 w - - 0 1");  // on e1 it is
  EXPECT_FALSE(p.board.in_check(0));
}

TEST(XiangqiBoard, GeneralsMayNotFaceButPiecesBetweenCount) {
  EXPECT_TRUE(position("4k4/9/9/9/9/9/9/9/9/4K4 w").board.in_check(0));
  EXPECT_FALSE(position("4k4/9/9/9/4p4/9/9/9/9/4K4 w").board.in_check(0));
  EXPECT_FALSE(position("3k5/9/9/9/9/9/9/9/9/4K4 w").board.in_check(0));
  EXPECT_EQ(legal_texts(position("3k5/9/9/9/9/9/9/9/9/4K4 w")), (std::vector<std::string>{"e0e1", "e0f0"}));
}

TEST(XiangqiBoard, CannonsJumpExactlyOnePiece) {
  const std::string file = "4k4/9/9/4c4/9/";
  EXPECT_FALSE(position(file + "9/9/9/9/3K5 w").board.in_check(0));
  EXPECT_FALSE(position("3k5/9/9/4c4/9/9/9/9/9/4K4 w").board.in_check(0));
  EXPECT_TRUE(position("3k5/9/9/4c4/9/4P4/9/9/9/4K4 w").board.in_check(0));
  EXPECT_FALSE(position("3k5/9/9/4c4/9/4P4/4P4/9/9/4K4 w").board.in_check(0));
  EXPECT_FALSE(position("3k5/9/9/4c4/9/4P4/4P4/4N4/9/4K4 w").board.in_check(0));
}

TEST(XiangqiBoard, AttackersAreThoseThatCouldCapture) {
  for (const XiangqiCount& count : xiangqi_counts()) {
    if (count.depth != 1) continue;
    const XiangqiPosition p = position(count.fen);
    for (int color = 0; color < 2; ++color) {
      XiangqiMoves moves;
      p.board.pseudo_moves(color, moves);
      for (int slot = 0; slot < kXiangqiSlots; ++slot) {
        const std::uint8_t square = p.board.square(1 - color, slot);
        if (square == kNoSquare) continue;
        std::uint16_t expected = 0;
        for (const XiangqiMove move : moves) {
          if (move.to == square) expected = std::uint16_t(expected | 1 << (p.board.piece(move.from) & 15));
        }
        EXPECT_EQ(p.board.attackers(square, color), expected) << count.fen << " square " << int(square);
      }
    }
  }
}

TEST(XiangqiFen, ReadsOtherLettersAndShortForms) {
  const std::string start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
  const std::string usual = start + " w - - 0 1";
  for (const std::string& fen :
       {start + " w", start + " r", start + " w - -", start + " r - - 0", start + "  w  - - 0 1 ",
        std::string("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1")}) {
    EXPECT_EQ(xiangqi_fen(position(fen)), usual) << fen;
  }
  EXPECT_EQ(xiangqi_fen({XiangqiBoard::start(), 0, 0, 1}), usual);
  EXPECT_EQ(xiangqi_fen(position(start + " b - - 17 42")), start + " b - - 17 42");
}

std::string refusal(const std::string& fen, bool strict = true) {
  try {
    xiangqi_require_possible(position(fen));
    if (strict) xiangqi_require_safe(position(fen));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadData);
    return error.what();
  }
  return "accepted";
}

TEST(XiangqiFen, RefusesWhatIsNoPosition) {
  const std::string start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
  const std::pair<std::string, std::string> cases[] = {
      {"", "side to move is missing"},
      {start, "side to move is missing"},
      {start + " x", "w, r or b"},
      {start + " w -", "'- -'"},
      {start + " w - KQ 0 1", "'- -'"},
      {start + " w - - 0 1 2", "more than six words"},
      {start + " w - - 121 1", "clock '121' not from 0 to 120"},
      {start + " w - - -1 1", "clock '-1'"},
      {start + " w - - 99999999999999 1", "clock"},
      {start + " w - - x 1", "clock 'x'"},
      {start + " w - - 0 x", "move number 'x'"},
      {"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9 w", "9 of 10 ranks"},
      {start + "/9 w", "more than 10 ranks"},
      {"rnbakabn/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "rank 9 has 8 of 9 files"},
      {"rnbakabnrr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "rank 9 has more than 9 files"},
      {"rnbakabnr/9/1c5c1/p1p1p1p1p/55/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "rank 5 has more than 9 files"},
      {"rnbakabnr/0/9/9/9/9/9/9/9/RNBAKABNR w", "'0' is no piece"},
      {"rnbqkabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "'q' is no piece"},
      {"炮nbakabnr/9/9/9/9/9/9/9/9/RNBAKABNR w", "'炮' is no piece"},
      {"rn\xc3", "the side to move is missing"},
      {"rn\x80 w", "'?' is no piece"},
      {start + " w - - " + std::string(50, 'x') + "炮 1", "clock 'xxx"},
      {start + " w - - 0 炮炮炮炮炮炮炮炮炮炮炮炮炮炮炮炮", "move number '炮"},
      {"3k5/9/9/9/9/9/9/9/9/9 w", "Red has no general"},
      {"9/9/9/9/9/9/9/9/9/3K5 w", "Black has no general"},
      {"3k1k3/9/9/9/9/9/9/9/9/4K4 w", "more than 1 black generals"},
      {"3k5/9/9/RRR6/9/9/9/9/9/4K4 w", "more than 2 red chariots"},
      {"3k5/9/9/9/9/PPPPPP3/9/9/9/4K4 w", "more than 5 red soldiers"},
      {"3k5/9/9/9/9/9/3K5/9/9/9 w", "a K never stands on d3"},
      {"9/9/9/9/k8/9/9/9/9/4K4 w", "a k never stands on a5"},
      {"3k5/9/9/9/2B6/9/9/9/9/4K4 w", "a B never stands on c5"},
      {"3k5/9/9/9/9/9/9/9/3A5/4K4 w", "a A never stands on d1"},
      {"3k5/9/9/9/9/9/9/P8/9/4K4 w", "a P never stands on a2"},
      {"3k5/p8/9/9/9/9/9/9/9/4K4 w", "a p never stands on a8"},
      {"4k4/9/9/9/9/9/9/9/9/4K4 w", "the generals face each other"},
      {"3k5/9/9/9/9/9/9/9/9/3RK4 w", "the side that is not to move is in check"},
  };
  for (const auto& [fen, why] : cases) EXPECT_NE(refusal(fen).find(why), std::string::npos) << refusal(fen);
  for (std::size_t before = 0; before < 130; ++before) {  // whole characters wherever a message is cut
    for (const std::string bad : {std::string(before, '9') + "炮炮炮炮炮炮炮炮炮炮炮炮炮炮炮炮炮炮炮 w",
                                  start + " w - - " + std::string(before, '9') + "炮炮炮炮炮炮炮 1"}) {
      std::string message = refusal(bad);
      for (std::string_view rest = message; !rest.empty(); rest.remove_prefix(utf8_length(rest))) {
        ASSERT_GT(utf8_length(rest), 0u) << message;
      }
    }
  }
  EXPECT_EQ(refusal(start + " w - - 120 1"), "accepted");
  EXPECT_EQ(refusal("3k5/9/9/9/9/9/9/9/9/3RK4 w", false), "accepted");
  EXPECT_EQ(refusal("3k5/9/9/9/9/9/9/9/9/3RK4 b"), "accepted");
  const std::string huge = std::string(100000, 'r') + " w";
  EXPECT_NE(refusal(huge).find("more than 2 black chariots"), std::string::npos);
  EXPECT_LT(refusal(huge).size(), 400u);
}

}  // namespace
}  // namespace rf::testing
