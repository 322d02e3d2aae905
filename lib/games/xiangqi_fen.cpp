#include "games/xiangqi_fen.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/error.h"
#include "base/quoted_text.h"

namespace rf {
namespace {

constexpr std::string_view kLetters = "ABCKNRP";  // [XiangqiType]
constexpr std::string_view kNames[] = {"advisors", "elephants", "cannons", "generals",
                                       "horses",   "chariots",  "soldiers"};
constexpr std::string_view kExample = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

[[noreturn]] void bad_fen(std::string_view text, const std::string& why) {
  fail(ExitCode::kBadData, "no Xiangqi position " + in_quotes(text, 120), why,
       "a position reads '" + std::string(kExample) + "'");
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != text.npos;) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

std::string square_text(int square) {
  return {char('a' + square % kXiangqiFiles), char('0' + square / kXiangqiFiles)};
}

// The piece whose letter `field` begins with.
void put(XiangqiBoard& board, std::string_view field, int square, std::string_view text) {
  const char c = field.front();
  const int color = c >= 'a' ? 1 : 0;
  char letter = color == 1 ? char(c - 'a' + 'A') : c;
  if (letter == 'E') letter = 'B';
  if (letter == 'H') letter = 'N';
  const std::size_t type = kLetters.find(letter);
  if (type == kLetters.npos) {
    bad_fen(text, in_quotes(field.substr(0, std::max<std::size_t>(1, utf8_length(field)))) + " is no piece");
  }
  const std::string side = color == 0 ? "red" : "black";
  if (!board.place(XiangqiType(type), color, square)) {
    bad_fen(text, "more than " + std::to_string(xiangqi_slots(XiangqiType(type)).number) + " " + side + " " +
                      std::string(kNames[type]));
  }
}

XiangqiBoard parse_board(std::string_view field, std::string_view text) {
  XiangqiBoard board;
  int rank = kXiangqiRanks - 1, file = 0;
  for (std::size_t i = 0; i <= field.size(); ++i) {
    if (i == field.size() || field[i] == '/') {
      if (file != kXiangqiFiles) {
        bad_fen(text, "rank " + std::to_string(rank) + " has " + std::to_string(file) + " of 9 files");
      }
      if (i == field.size()) break;
      file = 0;
      if (--rank < 0) bad_fen(text, "more than 10 ranks");
    } else if (field[i] >= '1' && field[i] <= '9') {
      file += field[i] - '0';
    } else {
      if (file < kXiangqiFiles) put(board, field.substr(i), rank * kXiangqiFiles + file, text);
      ++file;
    }
    if (file > kXiangqiFiles) bad_fen(text, "rank " + std::to_string(rank) + " has more than 9 files");
  }
  if (rank != 0) bad_fen(text, std::to_string(kXiangqiRanks - rank) + " of 10 ranks");
  return board;
}

int parse_count(std::string_view word, int max, const char* what, std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || value < 0 || value > max) {
    bad_fen(text, std::string(what) + " " + in_quotes(word) + " not from 0 to " + std::to_string(max));
  }
  return value;
}

}  // namespace

char xiangqi_letter(std::uint8_t piece) {
  if (piece == kNoPiece) return '.';
  const char letter = kLetters[std::size_t(xiangqi_type(piece))];
  return xiangqi_color(piece) == 0 ? letter : char(letter - 'A' + 'a');
}

std::string xiangqi_fen(const XiangqiPosition& position) {
  std::string text;
  for (int rank = kXiangqiRanks - 1; rank >= 0; --rank) {
    int empty = 0;
    for (int file = 0; file < kXiangqiFiles; ++file) {
      const std::uint8_t piece = position.board.piece(rank * kXiangqiFiles + file);
      if (piece == kNoPiece) {
        ++empty;
        continue;
      }
      if (empty > 0) text += char('0' + empty);
      empty = 0;
      text += xiangqi_letter(piece);
    }
    if (empty > 0) text += char('0' + empty);
    text += rank > 0 ? "/" : "";
  }
  return text + (position.color == 0 ? " w - - " : " b - - ") + std::to_string(position.quiet_plies) + " " +
         std::to_string(position.move_number);
}

XiangqiPosition xiangqi_parse_fen(std::string_view text, int max_quiet_plies) {
  const std::vector<std::string_view> words = words_of(text);
  if (words.size() < 2) bad_fen(text, "the side to move is missing");
  if (words.size() > 6) bad_fen(text, "more than six words");
  XiangqiPosition position;
  position.board = parse_board(words[0], text);
  if (words[1] != "w" && words[1] != "r" && words[1] != "b") {
    bad_fen(text, "the side to move is w, r or b");
  }
  position.color = words[1] == "b" ? 1 : 0;
  if (words.size() == 3 || (words.size() > 3 && (words[2] != "-" || words[3] != "-"))) {
    bad_fen(text, "'- -' must follow the side to move");
  }
  if (words.size() > 4) position.quiet_plies = parse_count(words[4], max_quiet_plies, "clock", text);
  if (words.size() > 5) position.move_number = parse_count(words[5], 1000000, "move number", text);
  for (int color = 0; color < 2; ++color) {
    if (position.board.general(color) == kNoSquare) {
      bad_fen(text, std::string(color == 0 ? "Red" : "Black") + " has no general");
    }
  }
  return position;
}

void xiangqi_require_possible(const XiangqiPosition& position) {
  const XiangqiBoard& board = position.board;
  const std::string text = xiangqi_fen(position);
  for (int s = 0; s < kXiangqiSquares; ++s) {
    const std::uint8_t piece = board.piece(s);
    if (piece != kNoPiece && !xiangqi_may_stand(xiangqi_type(piece), xiangqi_color(piece), s)) {
      bad_fen(text, std::string("a ") + xiangqi_letter(piece) + " never stands on " + square_text(s));
    }
  }
}

void xiangqi_require_safe(const XiangqiPosition& position) {
  const XiangqiBoard& board = position.board;
  if (board.in_check(1 - position.color)) {
    const bool facing = board.count_between(board.general(0), board.general(1)) == 0;
    bad_fen(xiangqi_fen(position),
            facing ? "the generals face each other" : "the side that is not to move is in check");
  }
}

}  // namespace rf
