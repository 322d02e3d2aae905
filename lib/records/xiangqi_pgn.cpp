#include "records/xiangqi_pgn.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "records/file_text.h"
#include "records/move_text.h"

namespace rf {
namespace {

constexpr std::string_view kResults[] = {"1-0", "0-1", "1/2-1/2", "*"};
// Written in this order; the first five and the players also where nothing is known.
constexpr std::string_view kTags[] = {"Event", "Site",    "Date",  "Round",
                                      "Red",   "RedTeam", "Black", "BlackTeam"};
constexpr std::string_view kLaterTags[] = {"ECCO", "Opening", "Variation"};
constexpr std::string_view kOwnTags[] = {"Game", "Result", "Format", "FEN"};  // not kept in Record::tags

bool holds(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string_view unknown_value(std::string_view tag) {
  return tag == "Date" ? "????.??.??" : "?";
}

class Reader {
 public:
  Reader(const Game& game, std::string_view text) : game_(game), text_(text) {}

  std::vector<Record> read() {
    while (skip_blanks(), at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '[') {
        tag();
      } else if (c == '{') {
        skip_past("}");
      } else if (c == ';' || (c == '%' && (at_ == 0 || text_[at_ - 1] == '\n'))) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '(') {
        variation();
      } else {
        word();
      }
    }
    finish();
    return std::move(records_);
  }

 private:
  [[noreturn]] void refuse(std::string_view problem) const {
    fail(ExitCode::kBadData, "line " + std::to_string(line_at(text_, at_)) + ": " + std::string(problem));
  }

  // The ideographic space of Chinese texts is a blank too.
  std::size_t blank_length(std::size_t at) const {
    if (std::string_view(" \t\r\n\v\f").find(text_[at]) != std::string_view::npos) return 1;
    return text_.substr(at).starts_with("\u3000") ? 3 : 0;
  }

  void skip_blanks() {
    while (at_ < text_.size() && blank_length(at_) > 0) at_ += blank_length(at_);
  }

  void skip_past(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) refuse("a comment has no end");
    at_ = found + end.size();
  }

  void variation() {
    const std::size_t start = at_;
    int depth = 0;
    do {
      if (at_ >= text_.size()) {
        at_ = start;
        refuse("a variation has no end");
      }
      if (text_[at_] == '{') {
        skip_past("}");
        continue;
      }
      depth += text_[at_] == '(' ? 1 : text_[at_] == ')' ? -1 : 0;
      ++at_;
    } while (depth > 0);
  }

  // [Name "value"] on one line; a quote within the value may lack its backslash.
  void tag() {
    const std::size_t end = text_.find("\"]", at_);
    const std::string_view line = text_.substr(at_, end - at_);
    const std::size_t open = line.find('"');
    if (end == std::string_view::npos || open == std::string_view::npos ||
        line.find('\n') != std::string_view::npos) {
      refuse("a tag is not like [Name \"value\"]: " + in_quotes(line.substr(0, line.find('\n'))));
    }
    std::string_view name = line.substr(1, open - 1);
    name = name.substr(0, name.find_last_not_of(" \t") + 1);
    std::string value;
    for (std::size_t i = open + 1; i < line.size(); ++i) {
      if (line[i] == '\\' && i + 1 < line.size() && (line[i + 1] == '"' || line[i + 1] == '\\')) ++i;
      value += line[i];
    }
    if (state_ || tags_.contains(std::string(name))) finish();
    if (name == "FEN") fen_at_ = at_;
    tags_[std::string(name)] = std::move(value);
    at_ = end + 2;
  }

  void word() {
    std::size_t end = at_;
    while (end < text_.size() && blank_length(end) == 0 &&
           std::string_view("{}();[").find(text_[end]) == std::string_view::npos) {
      ++end;
    }
    if (end == at_) refuse("not expected here: " + in_quotes(text_.substr(at_, 1)));
    std::string_view word = text_.substr(at_, end - at_);
    if (holds(kResults, word)) {
      result_ = word;
      begin();
      finish();
    } else if (word[0] != '$') {
      begin();
      at_line(text_, at_, [&] { play(word); });
    }
    at_ = end;
  }

  // A move that may have its number before it and marks of praise behind.
  void play(std::string_view word) {
    const std::string_view whole = word;
    word = word.substr(0, word.find_last_not_of("!?") + 1);
    std::optional<Action> action = parse_xiangqi(game_, *state_, word);
    if (!action) {
      const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
      const std::size_t begin = std::min(word.find_first_not_of('.', digits), word.size());
      if (begin == word.size() && digits > 0) return;
      if (begin == digits || digits == 0) refuse_move(*state_, whole, "is no legal move here");
      action = parse_xiangqi(game_, *state_, word.substr(begin));
      if (!action) refuse_move(*state_, whole, "is no legal move here");
    }
    state_->apply(*action);
    record_.moves.push_back(*action);
  }

  // The first move, or the result of a game without any.
  void begin() {
    if (state_) return;
    if (const auto fen = tags_.find("FEN"); fen != tags_.end()) {
      record_.start = at_line(text_, fen_at_, [&] { return start_text(game_, fen->second); });
    }
    state_ = first_state(game_, record_);
  }

  void finish() {
    if (!state_ && tags_.empty()) return;
    begin();
    const std::string declared = tags_["Result"];
    record_.result = holds(kResults, declared) && declared != "*" ? declared : result_;
    if (record_.result != result_ && result_ != "*") {
      refuse("the tag Result says " + in_quotes(declared) + ", but after the moves stands " +
             in_quotes(result_));
    }
    if (record_.result == "*") record_.result = result_text(*state_);
    for (auto& [name, value] : tags_) {
      if (!holds(kOwnTags, name) && value != unknown_value(name)) record_.tags[name] = std::move(value);
    }
    records_.push_back(std::move(record_));
    record_ = Record();
    state_.reset();
    tags_.clear();
    result_ = "*";
  }

  const Game& game_;
  std::string_view text_;
  std::size_t at_ = 0, fen_at_ = 0;
  std::map<std::string, std::string> tags_;  // of the game that is being read, as they stand in the file
  std::unique_ptr<State> state_;             // after its moves so far; null before the first
  Record record_;
  std::string result_ = "*";  // what stands after its moves
  std::vector<Record> records_;
};

std::string tag_line(std::string_view name, std::string_view value) {
  for (char c : name) {
    if (c == '"' || c == ']' || static_cast<unsigned char>(c) <= ' ') {
      fail(ExitCode::kUsage, "PGN cannot hold a tag called " + in_quotes(name));
    }
  }
  std::string line = "[" + std::string(name) + " \"";
  for (char c : value) {
    if (c == '"' || c == '\\') line += '\\';
    line += c == '\n' || c == '\r' ? ' ' : c;
  }
  return line + "\"]\n";
}

std::string_view format_name(XiangqiNotation notation) {
  return notation == XiangqiNotation::kWxf       ? "WXF"
         : notation == XiangqiNotation::kChinese ? "Chinese"
                                                 : "ICCS";
}

std::string game_text(const Game& game, const Record& record, XiangqiNotation notation) {
  std::string text = tag_line("Game", "Chinese Chess");
  for (std::string_view name : kTags) {
    const auto tag = record.tags.find(std::string(name));
    if (tag != record.tags.end()) {
      text += tag_line(name, tag->second);
    } else if (!name.ends_with("Team")) {
      text += tag_line(name, unknown_value(name));
    }
  }
  text += tag_line("Result", record.result);
  for (std::string_view name : kLaterTags) {
    if (const auto tag = record.tags.find(std::string(name)); tag != record.tags.end()) {
      text += tag_line(name, tag->second);
    }
  }
  for (const auto& [name, value] : record.tags) {
    if (!holds(kTags, name) && !holds(kLaterTags, name) && !holds(kOwnTags, name))
      text += tag_line(name, value);
  }
  const auto state = first_state(game, record);
  text += tag_line("Format", format_name(notation)) + tag_line("FEN", state->position_text()) + "\n";
  int number = 0;
  bool open = false;  // a line that waits for Black's move
  for (Action action : record.moves) {
    const bool red = state->to_move() == 0;
    if (!open) text += std::to_string(++number) + (red ? ". " : "... ");
    text += (open ? " " : "") + xiangqi_text(game, *state, action, notation) + (red ? "" : "\n");
    open = red;
    state->apply(action);
  }
  return text + (open ? "\n" : "") + record.result + "\n";
}

}  // namespace

std::vector<Record> read_xiangqi_pgn(const Game& game, std::string_view bytes) {
  const std::string text = utf8_text(bytes);
  return Reader(game, text).read();
}

std::string write_xiangqi_pgn(const Game& game, std::span<const Record> records, XiangqiNotation notation) {
  std::string text;
  for (const Record& record : records) {
    text += (text.empty() ? "" : "\n") + game_text(game, record, notation);
  }
  return text;
}

}  // namespace rf
