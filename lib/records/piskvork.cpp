#include "records/piskvork.h"

#include <charconv>

#include "base/error.h"
#include "records/file_text.h"
#include "records/move_text.h"

namespace rf {
namespace {

constexpr std::string_view kHead = "Piskvorky ";

[[noreturn]] void refuse_line(int line, std::string_view problem, std::string_view why = {},
                              std::string_view hint = {}) {
  fail(ExitCode::kBadData, "line " + std::to_string(line) + ": " + std::string(problem), why, hint);
}

// Takes a number off the front of `text`, and `after` behind it if that is not 0.
std::optional<int> take_number(std::string_view& text, char after) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return {};
  text.remove_prefix(std::size_t(end - text.data()));
  if (after == 0) return number;
  if (text.empty() || text.front() != after) return {};
  text.remove_prefix(1);
  return number;
}

// A line that begins like a move: a number and a comma.
bool begins_as_move(std::string_view line) {
  return take_number(line, ',').has_value();
}

// Three numbers x,y,ms and nothing else.
bool is_move(std::string_view line) {
  return take_number(line, ',') && take_number(line, ',') && take_number(line, 0) && line.empty();
}

// What tournaments write behind the moves besides names: "-1", "1,Freestyle".
bool is_code(std::string_view line) {
  return take_number(line, 0) && (line.empty() || line.front() == ',');
}

// Lines without their ends, empty ones included.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    lines.push_back(line);
  }
  return lines;
}

// "x,y,ms" on line `number`, with x and y counted from `first`.
void play_line(const Game& game, State& state, std::string_view line, int number, int first, Record& record) {
  std::string_view rest = line;
  const std::optional<int> x = take_number(rest, ','), y = take_number(rest, ','), ms = take_number(rest, 0);
  if (!x || !y || !ms || !rest.empty()) refuse_line(number, in_quotes(line) + " is no move x,y,ms");
  const Shape shape = game.spec().shape;
  const long long column = (long long)(*x) - first, row = (long long)(*y) - first;
  if (column < 0 || column >= shape.cols || row < 0 || row >= shape.rows) {
    refuse_line(number, in_quotes(line) + " is outside the board",
                std::to_string(shape.cols) + "x" + std::to_string(shape.rows));
  }
  const Action action = Action(row * shape.cols + column);
  if (!state.is_legal(action)) {
    refuse_line(
        number, in_quotes(line) + " is no legal move here",
        state.terminal() ? "the game is over: " + std::string(state.end_reason()) : "the cell is taken");
  }
  state.apply(action);
  record.moves.push_back(action);
}

const Record& only_record(std::span<const Record> records) {
  if (records.size() != 1) {
    fail(ExitCode::kUsage, std::to_string(records.size()) + " games", "a file of this format holds one",
         "convert them one by one");
  }
  return records[0];
}

// The name in a tag, or `otherwise`.
std::string name_of(const Record& record, const char* tag, std::string otherwise) {
  const auto found = record.tags.find(tag);
  const std::string name = found == record.tags.end() ? otherwise : found->second;
  if (name.empty() || is_code(name) || name.starts_with(kHead) || name.back() == ' ' ||
      name.find_first_of("\r\n") != std::string::npos) {
    fail(ExitCode::kUsage, std::string(tag) + " is called " + in_quotes(name),
         "this format would read it as something else", "change the name");
  }
  return name;
}

std::string move_lines(const Game& game, const Record& record, int first) {
  std::string text;
  for (Action action : record.moves) {
    const int width = game.spec().shape.cols;
    text += std::to_string(action % width + first) + "," + std::to_string(action / width + first) + ",0\n";
  }
  return text;
}

}  // namespace

std::vector<Record> read_psq(const Game& game, std::string_view text) {
  const std::vector<std::string_view> lines = lines_of(text);
  if (lines.empty() || !lines[0].starts_with(kHead)) refuse_line(1, "no 'Piskvorky WxH, ...'");
  std::string_view head = lines[0].substr(kHead.size());
  const std::optional<int> width = take_number(head, 'x'), height = take_number(head, ',');
  if (!width || !height) refuse_line(1, in_quotes(lines[0]) + " does not give the size as WxH,");
  const Shape shape = game.spec().shape;
  if (*width != shape.cols || *height != shape.rows) {
    refuse_line(1, "the board is " + std::to_string(*width) + "x" + std::to_string(*height),
                "the game is on " + std::to_string(shape.cols) + "x" + std::to_string(shape.rows),
                "set game.width and game.height");
  }
  const bool second_began = head.ends_with(", 1") || head.ends_with(",1");
  Record record;
  const auto state = game.initial_state();
  std::vector<std::string_view> tail;  // lines after the moves
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].empty()) continue;
    const int number = int(i) + 1;
    if (lines[i].starts_with(kHead)) refuse_line(number, "a second game", "a file of this format holds one");
    if (tail.empty() && begins_as_move(lines[i])) {
      play_line(game, *state, lines[i], number, 1, record);
    } else if (!is_move(lines[i])) {
      tail.push_back(lines[i]);
    } else {
      refuse_line(number, "a move after " + in_quotes(tail.back()), "the moves had ended");
    }
  }
  if (tail.size() >= 2 && !is_code(tail[0]) && !is_code(tail[1])) {
    record.tags["Black"] = std::string(tail[second_began ? 1 : 0]);
    record.tags["White"] = std::string(tail[second_began ? 0 : 1]);
  }
  record.result = result_text(*state);
  return {std::move(record)};
}

std::string write_psq(const Game& game, std::span<const Record> records) {
  const Record& record = only_record(records);
  const Shape shape = game.spec().shape;
  std::string text = std::string(kHead) + std::to_string(shape.cols) + "x" + std::to_string(shape.rows) +
                     ", 0:0, 0\n" + move_lines(game, record, 1);
  if (record.tags.contains("Black") || record.tags.contains("White")) {
    text += name_of(record, "Black", "first") + "\n" + name_of(record, "White", "second") + "\n0\n";
  }
  return text;
}

std::vector<Record> read_rec(const Game& game, std::string_view text) {
  const std::vector<std::string_view> lines = lines_of(text);
  if (lines.size() < 2) refuse_line(1, "no two lines with names");
  for (std::size_t i = 0; i < 2; ++i) {
    if (lines[i].empty() || begins_as_move(lines[i]))
      refuse_line(int(i) + 1, in_quotes(lines[i]) + " is no name");
  }
  Record record;
  record.tags = {{"Black", std::string(lines[0])}, {"White", std::string(lines[1])}};
  const auto state = game.initial_state();
  for (std::size_t i = 2; i < lines.size(); ++i) {
    if (!lines[i].empty()) play_line(game, *state, lines[i], int(i) + 1, 0, record);
  }
  record.result = result_text(*state);
  return {std::move(record)};
}

std::string write_rec(const Game& game, std::span<const Record> records) {
  const Record& record = only_record(records);
  return name_of(record, "Black", "first") + "\n" + name_of(record, "White", "second") + "\n" +
         move_lines(game, record, 0);
}

}  // namespace rf
