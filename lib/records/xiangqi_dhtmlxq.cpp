#include "records/xiangqi_dhtmlxq.h"

#include <array>
#include <cctype>
#include <utility>

#include "base/error.h"
#include "records/file_text.h"
#include "records/move_text.h"
#include "records/xiangqi_notation.h"
#include "records/xiangqi_squares.h"

namespace rf {
namespace {

constexpr std::pair<std::string_view, std::string_view> kTags[] = {
    {"title", "Name"},  {"event", "Event"},        {"date", "Date"}, {"place", "Site"},
    {"round", "Round"}, {"table", "Table"},        {"red", "Red"},   {"redteam", "RedTeam"},
    {"black", "Black"}, {"blackteam", "BlackTeam"}};
constexpr std::string_view kSlots = "RNBAKABNRCCPPPPPrnbakabnrccppppp";  // of _binit, two digits each

// "[DhtmlXQ_key]value[/DhtmlXQ_key]\n"
std::string field(std::string_view key, std::string_view value) {
  if (value.find("[/") != std::string_view::npos) {
    fail(ExitCode::kUsage, "DhtmlXQ cannot hold " + in_quotes(value), "'[/' ends a value there");
  }
  const std::string name = "DhtmlXQ_" + std::string(key);
  return "[" + name + "]" + std::string(value) + "[/" + name + "]\n";
}

// The pieces from the mover's right file to the left, as the initial position has them.
std::string binit_text(const std::array<char, 90>& pieces) {
  std::string text(2 * kSlots.size(), '9');
  for (int i = 0; i < 90; ++i) {
    for (bool red : {true, false}) {
      const int file = red ? 8 - i / 10 : i / 10, rank = red ? i % 10 : 9 - i % 10;
      const char piece = pieces[std::size_t(rank * 9 + file)];
      if (piece == 0 || (std::isupper(static_cast<unsigned char>(piece)) != 0) != red) continue;
      std::size_t slot = kSlots.find(piece);
      while (slot < kSlots.size() && (kSlots[slot] != piece || text.compare(2 * slot, 2, "99") != 0)) ++slot;
      if (slot >= kSlots.size())
        fail(ExitCode::kUsage, "DhtmlXQ has no place for so many pieces of one kind");
      text[2 * slot] = char('0' + file);
      text[2 * slot + 1] = char('0' + 9 - rank);
    }
  }
  return text;
}

// FEN of _binit; `first_move` says who is to move.
std::string binit_fen(std::string_view binit, std::string_view first_move) {
  std::array<char, 90> pieces = {};  // from Black's left corner, row by row
  if (binit.size() != 2 * kSlots.size())
    fail(ExitCode::kBadData, "binit is not 64 digits: " + in_quotes(binit));
  bool black = false;
  for (std::size_t slot = 0; slot < kSlots.size(); ++slot) {
    const std::string_view xy = binit.substr(2 * slot, 2);
    if (xy == "99") continue;
    if (xy[0] < '0' || xy[0] > '8' || xy[1] < '0' || xy[1] > '9') {
      fail(ExitCode::kBadData, "binit names no point: " + in_quotes(xy));
    }
    char& cell = pieces[std::size_t((xy[1] - '0') * 9 + xy[0] - '0')];
    if (cell != 0) fail(ExitCode::kBadData, "binit puts two pieces on " + in_quotes(xy));
    cell = kSlots[slot];
    if (first_move.starts_with(xy)) black = slot >= kSlots.size() / 2;
  }
  std::string fen;
  int empty = 0;
  for (std::size_t i = 0; i < 90; ++i) {
    if (pieces[i] == 0) ++empty;
    if (empty > 0 && (pieces[i] != 0 || i % 9 == 8)) fen += std::to_string(std::exchange(empty, 0));
    if (pieces[i] != 0) fen += pieces[i];
    if (i % 9 == 8 && i < 89) fen += '/';
  }
  return fen + (black ? " b - - 0 1" : " w - - 0 1");
}

std::string result_of_words(std::string_view words) {
  const auto has = [&](std::string_view word) { return words.find(word) != std::string_view::npos; };
  if (has("和") || has("1/2")) return "1/2-1/2";
  if (has("红") || has("紅") || has("1-0")) return "1-0";
  return has("黑") || has("0-1") ? "0-1" : "*";
}

struct Field {
  std::string value;
  std::size_t at = 0;  // where it stands in the file
};

std::map<std::string, Field> fields_of(std::string_view text, std::size_t at, std::size_t end) {
  constexpr std::string_view kOpen = "[DhtmlXQ_";
  std::map<std::string, Field> fields;
  const std::string_view block = text.substr(0, end);
  while ((at = block.find(kOpen, at)) != std::string_view::npos) {
    const std::size_t close = block.find(']', at);
    const std::string key(block.substr(at + kOpen.size(), close - at - kOpen.size()));
    const std::string mark = "[/DhtmlXQ_" + key + "]";
    const std::size_t last = block.find(mark, close);
    if (last == std::string_view::npos) {
      at_line(text, at, [&] { fail(ExitCode::kBadData, in_quotes(key) + " has no end"); });
    }
    fields[key] = {std::string(text.substr(close + 1, last - close - 1)), at};
    at = last + mark.size();
  }
  return fields;
}

Record record_of(const Game& game, std::string_view text, std::map<std::string, Field> fields) {
  Record record;
  for (const auto& [key, tag] : kTags) {
    if (const auto found = fields.find(std::string(key));
        found != fields.end() && !found->second.value.empty()) {
      record.tags[std::string(tag)] = found->second.value;
    }
  }
  Field& list = fields["movelist"];
  std::erase_if(list.value, [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; });
  for (const char* key : {"fen", "binit"}) {
    const auto found = fields.find(key);
    if (found == fields.end() || found->second.value.empty()) continue;
    record.start = at_line(text, found->second.at, [&] {
      const std::string& value = found->second.value;
      return start_text(game, found->first == "fen" ? value : binit_fen(value, list.value));
    });
    break;
  }
  const auto state = first_state(game, record);
  at_line(text, list.at, [&] {
    for (std::size_t i = 0; i < list.value.size(); i += 4) {
      const std::string xy = list.value.substr(i, 4);
      const auto action = parse_xy(game, *state, xy);
      if (!action) refuse_move(*state, xy, "is no legal move here");
      state->apply(*action);
      record.moves.push_back(*action);
    }
  });
  record.result = result_of_words(fields["result"].value);
  if (record.result == "*") record.result = result_text(*state);
  return record;
}

}  // namespace

std::vector<Record> read_xiangqi_dhtmlxq(const Game& game, std::string_view bytes) {
  constexpr std::string_view kOpen = "[DhtmlXQ]", kClose = "[/DhtmlXQ]";
  const std::string text = utf8_text(bytes);
  std::vector<Record> records;
  for (std::size_t at = 0; (at = text.find(kOpen, at)) != std::string::npos;) {
    const std::size_t end = text.find(kClose, at);
    if (end == std::string::npos) {
      at_line(text, at, [] { fail(ExitCode::kBadData, "[DhtmlXQ] has no end", "", "is the file cut?"); });
    }
    records.push_back(record_of(game, text, fields_of(text, at, end)));
    at = end;
  }
  if (records.empty()) fail(ExitCode::kBadData, "line 1: no [DhtmlXQ] in the text");
  return records;
}

std::string write_xiangqi_dhtmlxq(const Game& game, std::span<const Record> records) {
  std::string text;
  for (const Record& record : records) {
    const auto state = first_state(game, record);
    text += "[DhtmlXQ]\n";
    for (const auto& [key, tag] : kTags) {
      if (const auto found = record.tags.find(std::string(tag)); found != record.tags.end()) {
        text += field(key, found->second);
      }
    }
    if (record.result != "*") {
      text += field("result", record.result == "1-0" ? "红胜" : record.result == "0-1" ? "黑胜" : "和局");
    }
    if (!record.start.empty()) text += field("fen", state->position_text());
    text += field("binit", binit_text(xiangqi_pieces(state->position_text())));
    std::string moves;
    for (Action action : record.moves) {
      moves += xy_text(game, *state, action);
      state->apply(action);
    }
    text += field("movelist", moves) + "[/DhtmlXQ]\n";
  }
  return text;
}

}  // namespace rf
