#include "records/pass_list.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "records/file_text.h"

namespace rf {
namespace {

constexpr std::string_view kBetween = " \t\r,";

Record read_line(const Game& game, std::string_view line, int line_number) {
  const Action pass = game.spec().num_actions;
  Record record;
  const auto state = game.initial_state();
  bool pass_due = false;
  int count = 0;  // numbers read
  for (std::size_t at = 0; (at = line.find_first_not_of(kBetween, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBetween, at), line.size());
    const std::string_view word = line.substr(at, end - at);
    at = end;
    ++count;
    const auto refuse = [&](std::string_view problem, std::string_view why) {
      fail(ExitCode::kBadData,
           "line " + std::to_string(line_number) + ": number " + std::to_string(count) + ", " +
               in_quotes(word) + ", " + std::string(problem),
           why);
    };
    Action action = -1;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), action);
    if (error != std::errc() || stop != word.data() + word.size()) refuse("is no number", "");
    if (state->terminal()) refuse("comes after the end", "all edges are drawn");
    if (pass_due != (action == pass)) {
      refuse(pass_due ? "is not the pass " + std::to_string(pass) : "is a pass",
             pass_due ? "the move before it closed a box" : "the move before it closed no box");
    }
    if (pass_due) {
      pass_due = false;
      continue;
    }
    if (!state->is_legal(action)) refuse("is no legal edge here", "");
    const int mover = state->to_move();
    state->apply(action);
    record.moves.push_back(action);
    pass_due = state->to_move() == mover && !state->terminal();
  }
  record.result = result_text(*state);
  return record;
}

}  // namespace

std::vector<Record> read_pass_list(const Game& game, std::string_view text) {
  std::vector<Record> records;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(kBetween) == std::string_view::npos || line.front() == '#') continue;
    records.push_back(read_line(game, line, number));
  }
  return records;
}

std::string write_pass_list(const Game& game, std::span<const Record> records) {
  std::string text;
  for (const Record& record : records) {
    const auto state = first_state(game, record);
    int last_mover = -1;
    for (Action action : record.moves) {
      if (last_mover >= 0) text += ' ';
      if (state->to_move() == last_mover) text += std::to_string(game.spec().num_actions) + ' ';
      text += std::to_string(action);
      last_mover = state->to_move();
      state->apply(action);
    }
    text += '\n';
  }
  return text;
}

}  // namespace rf
