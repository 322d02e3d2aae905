#include "records/format.h"

#include <algorithm>

#include "base/error.h"
#include "records/file_text.h"
#include "records/move_text.h"
#include "records/pass_list.h"
#include "records/piskvork.h"
#include "records/xiangqi_cbf.h"
#include "records/xiangqi_dhtmlxq.h"
#include "records/xiangqi_notation.h"
#include "records/xiangqi_pgn.h"

namespace rf {
namespace {

std::vector<Record> read_xiangqi_lines(const Game& game, std::string_view text) {
  return read_move_lines(game, utf8_text(text), parse_xiangqi);
}

template <XiangqiNotation kNotation>
std::string write_xiangqi_lines(const Game& game, std::span<const Record> records) {
  return write_move_lines(game, records, [](const Game& g, const State& state, Action action) {
    return xiangqi_text(g, state, action, kNotation);
  });
}

template <XiangqiNotation kNotation>
std::string write_pgn(const Game& game, std::span<const Record> records) {
  return write_xiangqi_pgn(game, records, kNotation);
}

// Readers that take a text as it is, behind a byte order mark.
template <auto kRead>
std::vector<Record> read_plain(const Game& game, std::string_view text) {
  return kRead(game, without_mark(text));
}

std::string write_strings(const Game& game, std::span<const Record> records) {
  std::string text = write_move_text(game, records);
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

}  // namespace

std::span<const RecordFormat> record_formats() {
  static const std::vector<RecordFormat> formats = {
      {"moves",
       "one game a line, moves as the game writes them",
       {},
       read_plain<read_move_text>,
       write_move_text},
      {"actions",
       "one game a line, moves as numbers of the policy",
       {},
       read_plain<read_action_text>,
       write_action_text},
      {"iccs",
       "one game a line, moves like H2-E2",
       {"xiangqi"},
       read_xiangqi_lines,
       write_xiangqi_lines<XiangqiNotation::kIccs>},
      {"wxf",
       "one game a line, moves like C2=5",
       {"xiangqi"},
       read_xiangqi_lines,
       write_xiangqi_lines<XiangqiNotation::kWxf>},
      {"chinese",
       "one game a line, moves like 炮二平五",
       {"xiangqi"},
       read_xiangqi_lines,
       write_xiangqi_lines<XiangqiNotation::kChinese>},
      {"pgn",
       "PGN in any notation; written with moves like H2-E2",
       {"xiangqi"},
       read_xiangqi_pgn,
       write_pgn<XiangqiNotation::kIccs>},
      {"pgn-iccs",
       "PGN with moves like H2-E2",
       {"xiangqi"},
       read_xiangqi_pgn,
       write_pgn<XiangqiNotation::kIccs>},
      {"pgn-wxf",
       "PGN with moves like C2=5",
       {"xiangqi"},
       read_xiangqi_pgn,
       write_pgn<XiangqiNotation::kWxf>},
      {"pgn-chinese",
       "PGN with moves like 炮二平五",
       {"xiangqi"},
       read_xiangqi_pgn,
       write_pgn<XiangqiNotation::kChinese>},
      {"cbf", "the XML of CCBridge, one game a file", {"xiangqi"}, read_xiangqi_cbf, write_xiangqi_cbf},
      {"dhtmlxq",
       "the [DhtmlXQ] text of Chinese web pages",
       {"xiangqi"},
       read_xiangqi_dhtmlxq,
       write_xiangqi_dhtmlxq},
      {"pass-list",
       "one game a line, numbers of edges, the number of all edges as the other side's pass after a box",
       {"dots_and_boxes"},
       read_plain<read_pass_list>,
       write_pass_list},
      {"psq", "Piskvork's record, one game a file", {"gomoku"}, read_plain<read_psq>, write_psq},
      {"rec",
       "two names and moves x,y,ms from 0, one game a file",
       {"gomoku"},
       read_plain<read_rec>,
       write_rec},
      {"string",
       "one game a line, moves without blanks: h8g7f6",
       {"gomoku", "connect6"},
       read_plain<read_move_text>,
       write_strings},
  };
  return formats;
}

const RecordFormat& record_format(std::string_view name, const Game& game) {
  std::string known;
  for (const RecordFormat& format : record_formats()) {
    bool fits = format.games.empty();
    for (std::string_view g : format.games) fits = fits || g == game.spec().name;
    if (!fits) continue;
    if (format.name == name) return format;
    known.append(known.empty() ? "" : ", ").append(format.name);
  }
  fail(ExitCode::kUsage, "no format of " + game.spec().name + " is called '" + std::string(name) + "'", "",
       "known: " + known);
}

std::string start_text(const Game& game, std::string_view position) {
  const std::string text = game.parse_position(position)->position_text();
  return text == game.initial_state()->position_text() ? std::string() : text;
}

std::string result_text(const State& last) {
  if (!last.terminal()) return "*";
  const float first = last.to_move() == 0 ? last.outcome() : -last.outcome();
  return first > 0 ? "1-0" : first < 0 ? "0-1" : "1/2-1/2";
}

std::unique_ptr<State> first_state(const Game& game, const Record& record) {
  return record.start.empty() ? game.initial_state() : game.parse_position(record.start);
}

std::unique_ptr<State> last_state(const Game& game, const Record& record) {
  auto state = first_state(game, record);
  for (Action action : record.moves) state->apply(action);
  return state;
}

}  // namespace rf
