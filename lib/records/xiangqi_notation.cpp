#include "records/xiangqi_notation.h"

#include <cctype>
#include <cstdlib>
#include <vector>

#include "base/error.h"

namespace rf {
namespace {

using Pieces = std::array<char, 90>;

// One letter for the symbols of all notations: pieces K A E H R C P, digits, + - =, and f m b for the one in
// front, in the middle, behind.
struct Symbol {
  std::string_view text;
  char letter;
};
constexpr Symbol kSymbols[] = {
    {"车", 'R'}, {"車", 'R'}, {"俥", 'R'}, {"马", 'H'}, {"馬", 'H'}, {"傌", 'H'}, {"炮", 'C'}, {"砲", 'C'},
    {"相", 'E'}, {"象", 'E'}, {"仕", 'A'}, {"士", 'A'}, {"帅", 'K'}, {"帥", 'K'}, {"将", 'K'}, {"將", 'K'},
    {"兵", 'P'}, {"卒", 'P'}, {"一", '1'}, {"二", '2'}, {"三", '3'}, {"四", '4'}, {"五", '5'}, {"六", '6'},
    {"七", '7'}, {"八", '8'}, {"九", '9'}, {"１", '1'}, {"２", '2'}, {"３", '3'}, {"４", '4'}, {"５", '5'},
    {"６", '6'}, {"７", '7'}, {"８", '8'}, {"９", '9'}, {"进", '+'}, {"進", '+'}, {"退", '-'}, {"平", '='},
    {"前", 'f'}, {"中", 'm'}, {"后", 'b'}, {"後", 'b'}, {".", '='},  {"N", 'H'},  {"B", 'E'}};
constexpr std::string_view kNumerals[] = {"", "一", "二", "三", "四", "五", "六", "七", "八", "九"};
constexpr std::string_view kDigits[] = {"", "１", "２", "３", "４", "５", "６", "７", "８", "９"};

bool is_piece(char c) {
  return std::string_view("KAEHRCP").find(c) != std::string_view::npos;
}
bool is_digit(char c) {
  return c >= '1' && c <= '9';
}

// What the notations say of a move.
struct Described {
  bool red;
  char piece;           // K A E H R C P
  int file, ahead;      // the mover's number of the file; how many such pieces stand ahead on it
  int on_file;          // such pieces on the file
  int in_tandem;        // soldiers where two files hold several: number from the right and the front; else 0
  bool other_has_room;  // two on the file: the same step of the other stays on the board
  char direction;       // + - =
  int number;           // points along the file, or the new file
};

Described describe(const Pieces& pieces, int from, int to) {
  const char piece = pieces[std::size_t(from)];
  Described move = {};
  move.red = std::isupper(static_cast<unsigned char>(piece)) != 0;
  const char letter = char(std::toupper(static_cast<unsigned char>(piece)));
  move.piece = letter == 'N' ? 'H' : letter == 'B' ? 'E' : letter;
  const auto file_number = [&](int square) { return move.red ? 9 - square % 9 : square % 9 + 1; };
  // Squares from the mover's right file to the left, on each from the mover's last rank to the first.
  const auto square_of = [&](int number, int row) {
    return move.red ? (9 - row) * 9 + 9 - number : row * 9 + number - 1;
  };
  move.file = file_number(from);
  std::array<int, 10> held = {};
  int before = 0, tandems = 0, other = -1;
  for (int number = 1; number <= 9; ++number) {
    int ahead = 0;
    for (int row = 0; row < 10; ++row) {
      const int square = square_of(number, row);
      if (pieces[std::size_t(square)] != piece) continue;
      if (square == from) move.ahead = ahead;
      if (square != from && number == move.file) other = square;
      ++ahead;
    }
    held[std::size_t(number)] = ahead;
    if (ahead < 2) continue;
    ++tandems;
    if (number < move.file) before += ahead;
  }
  move.on_file = held[std::size_t(move.file)];
  if (tandems > 1 && move.on_file > 1) move.in_tandem = before + move.ahead + 1;
  const int other_to = other + to - from;  // the file of `to` is on the board, so only the rank can leave it
  move.other_has_room = move.on_file == 2 && other_to >= 0 && other_to < 90;
  const int forward = (to / 9 - from / 9) * (move.red ? 1 : -1);
  move.direction = forward > 0 ? '+' : forward < 0 ? '-' : '=';
  move.number = to % 9 == from % 9 ? std::abs(forward) : file_number(to);
  return move;
}

// Advisors and elephants: the two on a file cannot make the same step.
bool marked(const Described& move) {
  return move.on_file > 1 && move.piece != 'A' && move.piece != 'E';
}

std::string wxf_text(const Described& move) {
  const auto digit = [](int number) { return std::string(1, char('0' + number)); };
  std::string text;
  if (move.on_file > 2 || move.in_tandem > 0) {
    text = digit(move.ahead + 1) + digit(move.file);
  } else if (marked(move) && move.other_has_room) {
    text = move.piece + std::string(move.ahead == 0 ? "+" : "-");
  } else {
    text = move.piece + digit(move.file);
  }
  return text + move.direction + digit(move.number);
}

std::string chinese_text(const Described& move) {
  constexpr std::string_view kPieces = "KAEHRCP";
  constexpr std::string_view kRed[] = {"帅", "仕", "相", "马", "车", "炮", "兵"};
  constexpr std::string_view kBlack[] = {"将", "士", "象", "马", "车", "炮", "卒"};
  const auto& digits = move.red ? kNumerals : kDigits;
  const std::size_t index = kPieces.find(move.piece);
  RF_ASSERT(index != std::string_view::npos);
  const std::string name((move.red ? kRed : kBlack)[index]);
  std::string text;
  if (!marked(move)) {
    text = name + std::string(digits[std::size_t(move.file)]);
  } else if (move.in_tandem > 0) {
    text = std::string(kNumerals[std::size_t(move.in_tandem)]) + name;
  } else if (move.ahead == 0) {
    text = "前" + name;
  } else if (move.ahead == move.on_file - 1) {
    text = "后" + name;
  } else {
    text = (move.on_file == 3 ? "中" : std::string(kNumerals[std::size_t(move.ahead + 1)])) + name;
  }
  text += move.direction == '+' ? "进" : move.direction == '-' ? "退" : "平";
  return text + std::string(digits[std::size_t(move.number)]);
}

// The four symbols of a move; nothing if the text is something else.
std::optional<std::array<char, 4>> symbols_of(std::string_view text) {
  std::array<char, 4> symbols = {};
  for (char& symbol : symbols) {
    if (text.empty()) return std::nullopt;
    const char first = char(std::toupper(static_cast<unsigned char>(text[0])));
    std::size_t length = 1;
    symbol = is_piece(first) || is_digit(first) || first == '+' || first == '-' || first == '=' ? first : 0;
    for (const Symbol& known : kSymbols) {
      if (!text.starts_with(known.text) && known.text != std::string_view(&first, 1)) continue;
      symbol = known.letter;
      length = known.text.size();
    }
    if (symbol == 0) return std::nullopt;
    text.remove_prefix(length);
  }
  const bool move = (symbols[2] == '+' || symbols[2] == '-' || symbols[2] == '=') && is_digit(symbols[3]);
  return text.empty() && move ? std::optional(symbols) : std::nullopt;
}

bool has_place(const Described& move, char mark) {
  if (move.on_file < 2) return false;
  if (is_digit(mark)) return (move.in_tandem > 0 ? move.in_tandem : move.ahead + 1) == mark - '0';
  if (mark == 'f' || mark == '+') return move.ahead == 0;
  if (mark == 'b' || mark == '-') return move.ahead == move.on_file - 1;
  return mark == 'm' && move.on_file == 3 && move.ahead == 1;
}

bool fits(const Described& move, const std::array<char, 4>& symbols) {
  const auto [first, second, direction, number] = symbols;
  if (direction != move.direction || number != '0' + move.number) return false;
  if (is_piece(first)) {
    return first == move.piece && (is_digit(second) ? second - '0' == move.file : has_place(move, second));
  }
  if (is_piece(second)) return second == move.piece && has_place(move, first);
  return move.piece == 'P' && move.on_file > 1 && first - '0' == move.ahead + 1 && second - '0' == move.file;
}

int square_at(std::string_view text) {
  return (text[1] - '0') * 9 + text[0] - 'a';
}

Described describe_action(const Game& game, const State& state, const Pieces& pieces, Action action) {
  const std::string text = game.action_text(state, action);
  return describe(pieces, square_at(text), square_at(std::string_view(text).substr(2)));
}

}  // namespace

std::array<char, 90> xiangqi_pieces(std::string_view fen) {
  Pieces pieces = {};
  int rank = 9, file = 0;
  for (char c : fen) {
    if (c == ' ') break;
    if (c == '/') {
      --rank;
      file = 0;
    } else if (is_digit(c)) {
      file += c - '0';
    } else {
      RF_ASSERT(rank >= 0 && file < 9);
      pieces[std::size_t(rank * 9 + file++)] = c;
    }
  }
  return pieces;
}

std::string xiangqi_text(const Game& game, const State& state, Action legal, XiangqiNotation notation) {
  std::string text = game.action_text(state, legal);
  if (notation == XiangqiNotation::kCoordinates) return text;
  if (notation == XiangqiNotation::kIccs) {
    for (char& c : text) c = char(std::toupper(static_cast<unsigned char>(c)));
    return text.insert(2, "-");
  }
  const Described move = describe_action(game, state, xiangqi_pieces(state.position_text()), legal);
  return notation == XiangqiNotation::kWxf ? wxf_text(move) : chinese_text(move);
}

std::optional<Action> parse_xiangqi(const Game& game, const State& state, std::string_view text) {
  if (const auto symbols = symbols_of(text)) {
    const Pieces pieces = xiangqi_pieces(state.position_text());
    std::vector<Action> legal;
    state.legal_actions(legal);
    std::optional<Action> found;
    for (Action action : legal) {
      if (!fits(describe_action(game, state, pieces, action), *symbols)) continue;
      if (found) return std::nullopt;
      found = action;
    }
    return found;
  }
  if (text.size() > 5) return std::nullopt;
  std::string squares(text);
  if (squares.size() == 5 && squares[2] == '-') squares.erase(2, 1);
  for (char& c : squares) c = char(std::tolower(static_cast<unsigned char>(c)));
  return game.parse_action(state, squares);
}

}  // namespace rf
