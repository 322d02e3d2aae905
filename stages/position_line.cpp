#include "position_line.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <sstream>

#include "base/error.h"
#include "games/registry.h"
#include "records/file_text.h"
#include "records/move_text.h"

namespace rf {
namespace {

// Short names of sizes, and the options that they may stand for.
constexpr std::pair<const char*, const char*> kSizes[] = {
    {"w", "width"},      {"w", "columns"}, {"w", "cols"}, {"cols", "columns"},
    {"columns", "cols"}, {"h", "height"},  {"h", "rows"}, {"n", "line"},
};

[[noreturn]] void refuse(const std::string& problem, std::string_view why = {}, std::string_view hint = {}) {
  fail(ExitCode::kBadData, problem, why, hint);
}

const Json* find(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

// For messages.
std::string shown(const Json& value) {
  if (!value.is_primitive()) return value.type_name();
  const std::string text = json_line(value);
  std::size_t end = 0;  // of whole characters
  while (end < text.size() && end < 40) {
    end += std::max<std::size_t>(1, utf8_length(std::string_view(text).substr(end)));
  }
  return text.substr(0, end);
}

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

bool is_whole(const std::string& word) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size();
}

// "4455 -2" and "4455 -2 --=+...": a score follows the moves. "4 4" are two moves, one a word.
bool has_score(const Game& game, const std::vector<std::string>& words) {
  if (!game.spec().joined_moves || words.size() < 2 || words.size() > 3 || !is_whole(words[1])) return false;
  if (words.size() == 3) return words[2].find_first_not_of("+=-.") == std::string::npos;
  const auto state = game.initial_state();
  const auto first = game.parse_action(*state, words[0]);
  if (first) state->apply(*first);
  return !first || !game.parse_action(*state, words[1]);
}

// The first word of a line of a table "mask value".
std::uint64_t mask_of(const std::vector<std::string>& words) {
  std::uint64_t mask = 0;
  const char* end = words[0].data() + words[0].size();
  const auto [stop, error] = std::from_chars(words[0].data(), end, mask);
  if (error != std::errc() || stop != end) refuse("'" + words[0].substr(0, 40) + "' is no mask");
  return mask;
}

Action action_number(const Json& value) {
  if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    if (number >= 0 && number <= std::numeric_limits<Action>::max()) return Action(number);
  }
  refuse("'" + shown(value) + "' is no number of an action");
}

void play_number(const Game& game, PositionLine& line, Action action) {
  play_actions(game, *line.state, std::span(&action, 1));
  line.moves.push_back(action);
}

void play_mask(const Game& game, PositionLine& line, std::uint64_t mask) {
  line.by_number = true;
  for (Action bit = 0; bit < 64; ++bit) {
    if (mask >> bit & 1) play_number(game, line, bit);
  }
}

// Ends that other programs leave to a claim, so that their games may go on behind them.
bool ended_by_claim(const State& state) {
  if (!state.terminal()) return false;
  const std::string_view reason = state.end_reason();
  return reason == "repetition" || reason == "no capture" || reason.starts_with("perpetual");
}

void play_list(const Game& game, PositionLine& line, const Json& list, const char* key) {
  const Json moves = list.is_string() ? Json(words_of(list.get<std::string>())) : list;
  if (!moves.is_array()) refuse(std::string(key) + " is neither a text nor a list");
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (ended_by_claim(*line.state)) {
      line.moves_left = int(moves.size() - i);
      return;
    }
    const Json& move = moves[i];
    if (move.is_string()) {
      for (Action action : play_moves(game, *line.state, move.get<std::string>())) {
        line.moves.push_back(action);
      }
    } else {
      play_number(game, line, action_number(move));
      line.by_number = true;
    }
  }
}

// Finds an order of the stones in which no game ends before its last move.
bool play_board(const Game& game, const std::string& board, State& state, std::vector<Action>& moves) {
  const char stone = state.to_move() == 0 ? 'X' : 'O';
  if (moves.size() == std::size_t(9 - std::count(board.begin(), board.end(), '.'))) return true;
  for (Action action = 0; action < 9; ++action) {
    if (board[std::size_t(action)] != stone || !state.is_legal(action)) continue;
    const auto next = state.clone();
    next->apply(action);
    moves.push_back(action);
    if (play_board(game, board, *next, moves)) {
      state.assign(*next);
      return true;
    }
    moves.pop_back();
  }
  return false;
}

}  // namespace

const Game& PositionReader::game_of(const Json& object) {
  GameSettings settings = settings_;
  const auto options = game_entry(settings.name).options();
  const auto take = [&](const char* key, const std::string& name) {
    const Json* value = find(object, key);
    const auto option =
        std::find_if(options.begin(), options.end(), [&](const GameOption& o) { return o.name == name; });
    if (value == nullptr || option == options.end()) return;
    if (value->is_number_integer() && option->choices.empty()) {
      const auto number = value->get<std::int64_t>();
      if (number < option->min || number > option->max) {
        refuse(std::string(key) + " is " + std::to_string(number),
               name + " goes from " + std::to_string(option->min) + " to " + std::to_string(option->max));
      }
      settings.values[name] = int(number);
    } else if (value->is_string() && !option->choices.empty()) {
      const auto& choices = option->choices;
      const auto choice = std::find(choices.begin(), choices.end(), value->get<std::string>());
      if (choice == choices.end()) refuse(std::string(key) + " is " + shown(*value), "no such " + name);
      settings.values[name] = int(choice - choices.begin());
    }
  };
  for (const auto& [key, name] : kSizes) take(key, name);
  for (const GameOption& option : options) take(option.name.c_str(), option.name);
  Entry& entry = games_[settings.values];
  if (!entry.game) entry = {settings, make_game(settings)};
  return *entry.game;
}

const GameSettings& PositionReader::settings(const Game& game) const {
  for (const auto& [values, entry] : games_) {
    if (entry.game.get() == &game) return entry.settings;
  }
  fail(ExitCode::kInternal, "not a game of this reader");
}

void PositionReader::play_json(PositionLine& line) const {
  const Game& game = *line.game;
  const Json* fen = find(line.object, "fen");
  if (fen == nullptr) fen = find(line.object, "position");
  if (fen != nullptr) {
    if (!fen->is_string()) refuse("fen is no text");
    line.start = fen->get<std::string>();
  }
  line.state = line.start.empty() ? game.initial_state() : game.parse_position(line.start);
  if (const Json* moves = find(line.object, "moves")) {
    play_list(game, line, *moves, "moves");
  } else if (const Json* edges = find(line.object, "edges")) {
    line.by_number = true;
    play_list(game, line, *edges, "edges");
  } else if (const Json* mask = find(line.object, "mask")) {
    if (!mask->is_number_unsigned()) refuse("mask is no number without sign");
    play_mask(game, line, mask->get<std::uint64_t>());
  } else if (const Json* board = find(line.object, "board")) {
    line.by_number = true;
    const std::string cells = board->is_string() ? board->get<std::string>() : "";
    if (game.spec().name != "tic_tac_toe" || cells.size() != 9 ||
        cells.find_first_not_of("XO.") != std::string::npos) {
      refuse("board is not nine of X, O and . by rows", "", "boards are for tic_tac_toe");
    }
    if (!play_board(game, cells, *line.state, line.moves)) refuse("no line of play leads to board " + cells);
    const Json* to_move = find(line.object, "to_move");
    if (to_move != nullptr && *to_move != (line.state->to_move() == 0 ? "X" : "O")) {
      refuse("to_move is " + shown(*to_move), "the stones on the board say otherwise");
    }
  }
}

void PositionReader::play_plain(PositionLine& line, std::string_view text) const {
  const Game& game = *line.game;
  const std::vector<std::string> words = words_of(text);
  if (masks_ && !words.empty()) {
    line.state = game.initial_state();
    return play_mask(game, line, mask_of(words));
  }
  std::string moves(text);
  if (const std::size_t mark = text.find(';'); mark != std::string_view::npos) {
    line.start = std::string(text.substr(0, mark));
    moves = std::string(text.substr(mark + 1));
  } else if (has_score(game, words)) {
    moves = words[0];
    if (words.size() == 3) line.values = words[2];
  } else if (text.find('/') != std::string_view::npos) {
    moves.clear();
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (i < 6 && words[i] != "moves") {
        line.start += (i > 0 ? " " : "") + words[i];
      } else if (words[i] == "moves") {
        for (++i; i < words.size(); ++i) moves += words[i] + " ";
      } else if (!is_whole(words[i])) {
        refuse(in_quotes(words[i]) + " stands behind the position", "", "write 'FEN; moves'");
      }
    }
  }
  line.state = line.start.empty() ? game.initial_state() : game.parse_position(line.start);
  line.moves = play_moves(game, *line.state, moves);
}

PositionLine PositionReader::read(std::string_view text) {
  text = without_mark(text);
  while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
  PositionLine line;
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos || text[begin] != '{') {
    line.game = &game_of(line.object);
    play_plain(line, text);
    return line;
  }
  const auto shallow = [](int depth, Json::parse_event_t, Json&) { return depth < 16; };
  line.object = Json::parse(text, shallow, false);
  if (!line.object.is_object()) refuse("not a JSON object", "it begins with {");
  line.game = &game_of(line.object);
  play_json(line);
  return line;
}

bool is_empty_line(std::string_view line) {
  line = without_mark(line);
  const std::size_t begin = line.find_first_not_of(" \t\r");
  return begin == std::string_view::npos || line[begin] == '#';
}

}  // namespace rf
