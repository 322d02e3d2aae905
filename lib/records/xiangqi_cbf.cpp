#include "records/xiangqi_cbf.h"

#include <algorithm>
#include <iterator>
#include <pugixml.hpp>

#include "base/error.h"
#include "records/file_text.h"
#include "records/move_text.h"
#include "records/xiangqi_squares.h"

namespace rf {
namespace {

constexpr std::string_view kHead[] = {
    "Name",         "URL",         "From",         "ContestType", "Contest",        "Round",
    "Group",        "Table",       "Date",         "Site",        "TimeRule",       "Red",
    "RedTeam",      "RedTime",     "RedRating",    "Black",       "BlackTeam",      "BlackTime",
    "BlackRating",  "Referee",     "Recorder",     "Commentator", "CommentatorURL", "Creator",
    "CreatorURL",   "DateCreated", "DateModified", "ECCO",        "RecordType",     "RecordKind",
    "RecordResult", "ResultType",  "FEN"};
constexpr std::string_view kResults[] = {"*", "1-0", "0-1", "1/2-1/2", "1/2-1/2"};  // by RecordResult

std::string tag_name(std::string_view child) {
  return std::string(child == "Contest" ? "Event" : child);
}

std::size_t offset_of(pugi::xml_node node) {
  return std::size_t(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
}

void read_moves(const Game& game, std::string_view text, pugi::xml_node list, State& state, Record& record) {
  bool first = true;
  for (pugi::xml_node move : list.children("Move")) {
    const std::string_view value = move.attribute("value").value();
    if (!first || value != "00-00") {
      at_line(text, offset_of(move), [&] {
        const bool squares = value.size() == 5 && value[2] == '-';
        const auto action =
            squares ? parse_xy(game, state, std::string(value.substr(0, 2)) + std::string(value.substr(3)))
                    : std::nullopt;
        if (!action) refuse_move(state, value, "is no legal move here");
        state.apply(*action);
        record.moves.push_back(*action);
      });
    }
    first = false;
    if (move.attribute("end").as_bool()) return;
  }
}

std::string element(std::string_view name, std::string_view value) {
  if (value.empty()) return "  <" + std::string(name) + " />\n";
  std::string text = "  <" + std::string(name) + ">";
  for (char c : value) {
    if (c == '&') {
      text += "&amp;";
    } else if (c == '<') {
      text += "&lt;";
    } else if (c == '>') {
      text += "&gt;";
    } else {
      text += static_cast<unsigned char>(c) < ' ' ? ' ' : c;  // control characters are no XML
    }
  }
  return text + "</" + std::string(name) + ">\n";
}

}  // namespace

std::vector<Record> read_xiangqi_cbf(const Game& game, std::string_view bytes) {
  const std::string text = utf8_text(bytes);
  pugi::xml_document document;  // entities of a DOCTYPE are not expanded
  const pugi::xml_parse_result parsed =
      document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!parsed) {
    at_line(text, std::size_t(parsed.offset),
            [&] { fail(ExitCode::kBadData, "the file is no XML", parsed.description()); });
  }
  const pugi::xml_node root = document.child("ChineseChessRecord"), list = root.child("MoveList");
  if (!list)
    fail(ExitCode::kBadData, "line 1: no <ChineseChessRecord> with a <MoveList>", "", "is the file a CBF?");
  Record record;
  for (pugi::xml_node child : root.child("Head").children()) {
    const std::string_view name = child.name(), value = child.child_value();
    if (name == "FEN" && !value.empty()) {
      record.start = at_line(text, offset_of(child), [&] { return start_text(game, value); });
    } else if (name == "RecordResult") {
      const int code = child.text().as_int();
      if (code > 0 && code < 5) record.result = kResults[std::size_t(code)];
    } else if (!value.empty() && std::find(std::begin(kHead), std::end(kHead), name) != std::end(kHead)) {
      record.tags[tag_name(name)] = value;
    }
  }
  const auto state = first_state(game, record);
  read_moves(game, text, list, *state, record);
  if (record.result == "*") record.result = result_text(*state);
  return {record};
}

std::string write_xiangqi_cbf(const Game& game, std::span<const Record> records) {
  if (records.size() != 1) {
    fail(ExitCode::kUsage, "a CBF file holds one game", std::to_string(records.size()) + " are given");
  }
  const Record& record = records[0];
  const auto state = first_state(game, record);
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ChineseChessRecord Version=\"1.0\">\n <Head>\n";
  for (std::string_view name : kHead) {
    const auto tag = record.tags.find(tag_name(name));
    std::string value = tag != record.tags.end() ? tag->second : name == "RecordType" ? "1" : "";
    if (name == "FEN") value = state->position_text();
    if (name == "RecordResult") {
      value = std::to_string(std::find(kResults, kResults + 4, record.result) - kResults);
    }
    text += element(name, value);
  }
  text += " </Head>\n <MoveList>\n  <Move value=\"00-00\"";
  for (Action action : record.moves) {
    const std::string xy = xy_text(game, *state, action);
    text += " />\n  <Move value=\"" + xy.substr(0, 2) + "-" + xy.substr(2) + "\"";
    state->apply(action);
  }
  return text + " end=\"1\" />\n </MoveList>\n</ChineseChessRecord>\n";
}

}  // namespace rf
