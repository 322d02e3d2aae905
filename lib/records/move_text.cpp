#include "records/move_text.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "records/file_text.h"
#include "records/xiangqi_notation.h"

namespace rf {
namespace {

constexpr std::size_t kLongestJoined = 12;  // bytes of a move that others may follow at once: 炮二平五
constexpr std::string_view kBetween = " \t\r\n,";

// Text of each word between blanks and commas.
template <class Visit>
void each_word(std::string_view text, Visit visit) {
  for (std::size_t at = 0;;) {
    at = text.find_first_not_of(kBetween, at);
    if (at == std::string_view::npos) return;
    const std::size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    visit(text.substr(at, end - at));
    at = end;
  }
}

// A move as the game writes it, in either case, or in any notation of Xiangqi.
std::optional<Action> parse_any(const Game& game, const State& state, std::string_view word) {
  if (const auto action = game.parse_action(state, word)) return action;
  if (game.spec().name == "xiangqi") return parse_xiangqi(game, state, word);
  std::string lower(word);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  return game.parse_action(state, lower);
}

std::optional<Action> parse_number(const Game&, const State& state, std::string_view word) {
  Action action = -1;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), action);
  const bool whole = error == std::errc() && end == word.data() + word.size();
  return whole && state.is_legal(action) ? std::optional(action) : std::nullopt;
}

std::vector<Action> play_words(const Game& game, State& state, std::string_view text, ParseMove parse,
                               bool joined) {
  std::vector<Action> moves;
  each_word(text, [&](std::string_view word) {
    while (!word.empty()) {
      std::size_t length = word.size();
      std::optional<Action> action = parse(game, state, word);
      if (!action && joined) {  // the longest beginning that is a move
        for (length = std::min(word.size(), kLongestJoined); length > 0; --length) {
          if ((action = parse(game, state, word.substr(0, length)))) break;
        }
      }
      if (!action) refuse_move(state, word, "is no legal move here");
      moves.push_back(*action);
      state.apply(*action);
      word.remove_prefix(length);
    }
  });
  return moves;
}

std::vector<Record> read_lines(const Game& game, std::string_view text, ParseMove parse, bool joined) {
  std::vector<Record> records;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.find_first_not_of(kBetween) == std::string_view::npos || line.front() == '#') continue;
    records.push_back(at_line(text, at, [&] {
      Record record;
      const std::size_t mark = line.find(';');
      if (mark != std::string_view::npos) {
        record.start = start_text(game, line.substr(0, mark));
        line.remove_prefix(mark + 1);
      }
      const auto state = first_state(game, record);
      record.moves = play_words(game, *state, line, parse, joined);
      record.result = result_text(*state);
      return record;
    }));
  }
  return records;
}

}  // namespace

void refuse_move(const State& state, std::string_view word, std::string_view why) {
  fail(ExitCode::kBadData,
       "move " + std::to_string(state.ply() + 1) + ", " + in_quotes(word) + ", " + std::string(why),
       state.terminal() ? "the game is over: " + std::string(state.end_reason()) : "");
}

std::vector<Action> play_moves(const Game& game, State& state, std::string_view text) {
  return play_words(game, state, text, parse_any, game.spec().joined_moves);
}

void play_actions(const Game&, State& state, std::span<const Action> actions) {
  for (Action action : actions) {
    if (!state.is_legal(action)) refuse_move(state, std::to_string(action), "is no legal action here");
    state.apply(action);
  }
}

std::vector<Record> read_move_lines(const Game& game, std::string_view text, ParseMove parse) {
  return read_lines(game, text, parse, false);
}

std::string write_move_lines(const Game& game, std::span<const Record> records, const MoveText& move_text) {
  std::string text;
  for (const Record& record : records) {
    const auto state = first_state(game, record);
    if (!record.start.empty()) text += record.start + "; ";
    for (std::size_t i = 0; i < record.moves.size(); ++i) {
      if (i > 0) text += ' ';
      text += move_text(game, *state, record.moves[i]);
      state->apply(record.moves[i]);
    }
    text += '\n';
  }
  return text;
}

std::vector<Record> read_move_text(const Game& game, std::string_view text) {
  return read_lines(game, text, parse_any, game.spec().joined_moves);
}

std::string write_move_text(const Game& game, std::span<const Record> records) {
  return write_move_lines(game, records, [](const Game& g, const State& state, Action action) {
    return g.action_text(state, action);
  });
}

std::vector<Record> read_action_text(const Game& game, std::string_view text) {
  return read_lines(game, text, parse_number, false);
}

std::string write_action_text(const Game& game, std::span<const Record> records) {
  return write_move_lines(game, records,
                          [](const Game&, const State&, Action action) { return std::to_string(action); });
}

}  // namespace rf
