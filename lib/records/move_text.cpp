#include "records/move_text.h"

#include <charconv>

#include "base/error.h"

namespace rf {
namespace {

constexpr std::string_view kBetween = " \t\r\n,";

[[noreturn]] void refuse(const State& state, std::string_view move, std::string_view why) {
  fail(ExitCode::kBadData,
       "move " + std::to_string(state.ply() + 1) + ", '" + std::string(move.substr(0, 40)) + "', " +
           std::string(why),
       state.terminal() ? "the game is over: " + std::string(state.end_reason()) : "");
}

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

void play_word(const Game& game, State& state, std::string_view word, std::vector<Action>& moves) {
  while (!word.empty()) {
    std::size_t length = word.size();
    std::optional<Action> action = game.parse_action(state, word);
    if (!action && game.spec().joined_moves) {  // the longest beginning that is a move
      for (length = std::min<std::size_t>(word.size(), 8); length > 0; --length) {
        if ((action = game.parse_action(state, word.substr(0, length)))) break;
      }
    }
    if (!action) refuse(state, word, "is no legal move here");
    moves.push_back(*action);
    state.apply(*action);
    word.remove_prefix(length);
  }
}

using Play = void (*)(const Game&, State&, std::string_view, std::vector<Action>&);

void play_numbers(const Game& game, State& state, std::string_view text, std::vector<Action>& moves) {
  each_word(text, [&](std::string_view word) {
    Action action = -1;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), action);
    if (error != std::errc() || end != word.data() + word.size()) refuse(state, word, "is no number");
    play_actions(game, state, std::span(&action, 1));
    moves.push_back(action);
  });
}

void play_texts(const Game& game, State& state, std::string_view text, std::vector<Action>& moves) {
  each_word(text, [&](std::string_view word) { play_word(game, state, word, moves); });
}

std::vector<Record> read_lines(const Game& game, std::string_view text, Play play) {
  std::vector<Record> records;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(kBetween) == std::string_view::npos || line.front() == '#') continue;
    Record record;
    const std::size_t mark = line.find(';');
    if (mark != std::string_view::npos) {
      record.start = std::string(line.substr(0, mark));
      line.remove_prefix(mark + 1);
    }
    const auto state = first_state(game, record);
    play(game, *state, line, record.moves);
    if (state->terminal()) {
      const float first = state->to_move() == 0 ? state->outcome() : -state->outcome();
      record.result = first > 0 ? "1-0" : first < 0 ? "0-1" : "1/2-1/2";
    }
    records.push_back(std::move(record));
  }
  return records;
}

template <class Text>
std::string write_lines(const Game& game, std::span<const Record> records, Text move_text) {
  std::string text;
  for (const Record& record : records) {
    const auto state = first_state(game, record);
    if (!record.start.empty()) text += record.start + "; ";
    for (std::size_t i = 0; i < record.moves.size(); ++i) {
      if (i > 0) text += ' ';
      text += move_text(*state, record.moves[i]);
      state->apply(record.moves[i]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::vector<Action> play_moves(const Game& game, State& state, std::string_view text) {
  std::vector<Action> moves;
  play_texts(game, state, text, moves);
  return moves;
}

void play_actions(const Game&, State& state, std::span<const Action> actions) {
  for (Action action : actions) {
    if (!state.is_legal(action)) refuse(state, std::to_string(action), "is no legal action here");
    state.apply(action);
  }
}

std::vector<Record> read_move_text(const Game& game, std::string_view text) {
  return read_lines(game, text, play_texts);
}

std::string write_move_text(const Game& game, std::span<const Record> records) {
  return write_lines(game, records,
                     [&](const State& state, Action action) { return game.action_text(state, action); });
}

std::vector<Record> read_action_text(const Game& game, std::string_view text) {
  return read_lines(game, text, play_numbers);
}

std::string write_action_text(const Game& game, std::span<const Record> records) {
  return write_lines(game, records, [](const State&, Action action) { return std::to_string(action); });
}

}  // namespace rf
