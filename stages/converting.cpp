// rf-play convert.
#include <cstdio>
#include <iostream>
#include <iterator>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "games/registry.h"
#include "position_arguments.h"
#include "position_line.h"
#include "records/file_text.h"
#include "records/format.h"
#include "records/xiangqi_notation.h"
#include "rules_tools.h"

namespace rf {
namespace {

constexpr const char* kJsonLines = "jsonl";

Explained format_list() {
  Explained list = {
      {kJsonLines, "all games, read and written: one JSON object a line, as rf-play judge reads it"}};
  for (const RecordFormat& format : record_formats()) {
    std::string games;
    for (std::string_view game : format.games) games.append(games.empty() ? "" : ", ").append(game);
    const char* how = format.read == nullptr    ? "written"
                      : format.write == nullptr ? "read"
                                                : "read and written";
    list.emplace_back(format.name, (games.empty() ? "all games" : games) + ", " + how + ": " +
                                       std::string(format.sentence));
  }
  return list;
}

// The game that a format is for, if it is for one alone.
std::string only_game(const std::string& name) {
  for (const RecordFormat& format : record_formats()) {
    if (format.name == name && format.games.size() == 1) return std::string(format.games.front());
  }
  return "";
}

// The board that the first line of a piskvork record names, unless the command line names one.
void take_board_size(const CommandLine& line, std::string_view text, GameSettings& settings) {
  int width = 0, height = 0;
  if (std::sscanf(std::string(without_mark(text).substr(0, 100)).c_str(), "Piskvorky %dx%d", &width,
                  &height) != 2)
    return;
  for (const std::string& set : line.texts("set")) {
    if (set.starts_with("game.width=") || set.starts_with("game.height=")) return;
  }
  settings.values["width"] = width;
  settings.values["height"] = height;
}

std::string read_all(const std::string& path) {
  if (path != "-") return read_file(path);
  return {std::istreambuf_iterator<char>(std::cin), {}};
}

// Calls visit(PositionLine&&) for each line that holds something; errors name the line.
template <class Visit>
void each_line(PositionReader& reader, std::string_view text, Visit visit) {
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (is_empty_line(line)) continue;
    try {
      PositionLine position = reader.read(line);
      if (position.moves_left > 0) {
        fail(ExitCode::kBadData, std::to_string(position.moves_left) + " moves follow the end of the game",
             std::string(position.state->end_reason()));
      }
      visit(std::move(position));
    } catch (const Error& error) {
      throw Error(error.code(), "line " + std::to_string(number) + ": " + error.what());
    }
  }
}

// `game` becomes that of the lines, which may name other sizes, but all the same.
std::vector<Record> read_json_lines(PositionReader& reader, std::string_view text, const Game*& game) {
  std::vector<Record> records;
  each_line(reader, text, [&](PositionLine&& line) {
    if (!records.empty() && line.game != game) {
      fail(ExitCode::kBadData, "of " + line.game->spec().id, "the lines before are of " + game->spec().id,
           "convert them apart");
    }
    game = line.game;
    Record record{{}, "", line.moves, result_text(*line.state)};
    if (!line.start.empty()) record.start = start_text(*game, line.start);
    if (line.object.contains("tags") && line.object["tags"].is_object()) {
      for (const auto& [name, value] : line.object["tags"].items()) {
        if (value.is_string()) record.tags[name] = value.get<std::string>();
      }
    }
    if (line.object.contains("result") && line.object["result"].is_string() && record.result == "*") {
      record.result = line.object["result"].get<std::string>();
    }
    records.push_back(std::move(record));
  });
  return records;
}

std::string write_json_lines(const Game& game, std::span<const Record> records) {
  std::string text;
  for (const Record& record : records) {
    Json moves = Json::array();
    const auto state = first_state(game, record);
    for (Action action : record.moves) {
      moves.push_back(game.action_text(*state, action));
      state->apply(action);
    }
    Json line = {{"moves", moves}, {"result", record.result}};
    if (!record.start.empty()) line["fen"] = record.start;
    if (!record.tags.empty()) line["tags"] = record.tags;
    text += json_line(line) + "\n";
  }
  return text;
}

struct Notation {
  const char* key;
  std::string (*text)(const Game&, const State&, Action);
};

template <XiangqiNotation kNotation>
std::string xiangqi_move(const Game& game, const State& state, Action action) {
  return xiangqi_text(game, state, action, kNotation);
}

std::string own_move(const Game& game, const State& state, Action action) {
  return game.action_text(state, action);
}

std::vector<Notation> notations_of(const GameSpec& spec) {
  if (spec.name != "xiangqi") return {{"text", own_move}};
  return {{"coordinate", xiangqi_move<XiangqiNotation::kCoordinates>},
          {"iccs", xiangqi_move<XiangqiNotation::kIccs>},
          {"wxf", xiangqi_move<XiangqiNotation::kWxf>},
          {"chinese", xiangqi_move<XiangqiNotation::kChinese>}};
}

// The one move that a line asks about, by `move` or a key of a notation.
std::optional<Action> asked_move(const PositionLine& line, const std::vector<Notation>& notations) {
  const Game& game = *line.game;
  std::vector<const char*> keys = {"move"};
  for (const Notation& notation : notations) keys.push_back(notation.key);
  for (const char* key : keys) {
    const auto found = line.object.find(key);
    if (found == line.object.end() || found->is_null() || found->is_array()) continue;
    std::optional<Action> action;
    if (found->is_string()) {
      const std::string text = found->get<std::string>();
      action = game.spec().name == "xiangqi" ? parse_xiangqi(game, *line.state, text)
                                             : game.parse_action(*line.state, text);
    } else if (found->is_number_integer()) {
      const auto number = found->get<std::int64_t>();
      const bool is_action = number >= 0 && number < game.spec().num_actions;
      if (is_action && line.state->is_legal(Action(number))) action = Action(number);
    }
    if (!action) fail(ExitCode::kBadData, std::string(key) + " is no legal move here");
    return action;
  }
  return std::nullopt;
}

// The moves of a line in every notation, and the positions between them.
void annotate_moves(PositionLine& line, const std::vector<Notation>& notations) {
  const Game& game = *line.game;
  const auto state = line.start.empty() ? game.initial_state() : game.parse_position(line.start);
  for (const Notation& notation : notations) line.object[notation.key] = Json::array();
  Json positions = {state->position_text()};
  for (Action move : line.moves) {
    for (const Notation& notation : notations) {
      line.object[notation.key].push_back(notation.text(game, *state, move));
    }
    state->apply(move);
    positions.push_back(state->position_text());
  }
  line.object["actions"] = line.moves;
  line.object["result"] = result_text(*state);
  if (!state->position_text().empty()) line.object["fens"] = positions;
}

// Each line with what its moves are in every notation of the game.
std::string annotate_lines(PositionReader& reader, std::string_view text) {
  std::string out;
  each_line(reader, text, [&](PositionLine&& line) {
    const std::vector<Notation> notations = notations_of(line.game->spec());
    if (const auto action = asked_move(line, notations)) {
      for (const Notation& notation : notations) {
        line.object[notation.key] = notation.text(*line.game, *line.state, *action);
      }
      line.object["action"] = *action;
    } else {
      annotate_moves(line, notations);
    }
    out += json_line(line.object) + "\n";
  });
  return out;
}

// Null for JSON lines.
const RecordFormat* format_for(const std::string& name, const Game& game, bool reading) {
  if (name == kJsonLines) return nullptr;
  const RecordFormat& format = record_format(name, game);
  if (reading ? format.read == nullptr : format.write == nullptr) {
    fail(ExitCode::kUsage, "format " + name + " is " + (reading ? "written" : "read") + " only", "",
         "rf-play convert --help lists them");
  }
  return &format;
}

std::string convert(const CommandLine& line) {
  const std::string from = line.required("from"), to = line.required("to");
  GameSettings settings = game_settings(line, only_game(from).empty() ? only_game(to) : only_game(from));
  auto own_game = make_game(settings);
  const RecordFormat* reader = format_for(from, *own_game, true);
  const RecordFormat* writer = format_for(to, *own_game, false);
  const std::string text = read_all(*line.text("FILE"));
  if (from == "psq") {
    take_board_size(line, text, settings);
    own_game = make_game(settings);
  }
  const Game* game = own_game.get();
  PositionReader lines(settings);
  if (reader == nullptr && writer == nullptr) return annotate_lines(lines, text);
  const std::vector<Record> records =
      reader == nullptr ? read_json_lines(lines, text, game) : reader->read(*game, text);
  return writer == nullptr ? write_json_lines(*game, records) : writer->write(*game, records);
}

}  // namespace

int convert_file(int argc, char** argv) {
  CommandLine line(
      {"rf-play convert",
       "Turns records of games from one format into another. Every move is played by the rules, so a file "
       "that converts is a file of legal games. A format that belongs to one game needs no --game, and the "
       "board's size comes from the file where it names one. From jsonl to jsonl it names moves: a line with "
       "fen and move (or iccs, wxf, chinese) comes back with the keys coordinate, iccs, wxf and chinese in "
       "Xiangqi, text in other games, and action; a line with a list of moves with the same keys as lists, "
       "and fens, the position before, between and after.",
       {{"rf-play convert --game tic_tac_toe --from moves --to actions games.txt",
         "moves as numbers of the policy"},
        {"rf-play convert --game gomoku --from jsonl --to moves --out games.txt games.jsonl",
         "from JSON lines, sizes as each line says"},
        {"rf-play convert --from cbf --to pgn-chinese game.cbf", "Xiangqi, as the format says"},
        {"rf-play convert --game xiangqi --from jsonl --to jsonl moves.jsonl",
         "{\"fen\": .., \"move\": \"h2e2\"} in all four notations"}},
       {},
       "Formats",
       format_list()});
  line.add_value("from", "FORMAT", "format of FILE");
  line.add_value("to", "FORMAT", "format that is written");
  line.add_value("out", "FILE", "file to write, whole or not at all; else standard output");
  add_game_options(line);
  line.add_positional("FILE", "file to read; - is standard input", true);
  if (const auto code = line.parse(argc, argv)) return *code;
  set_log(line.log_level(), 0);
  const std::string text = convert(line);
  if (const auto out = line.text("out")) {
    write_file_atomically(*out, text);
  } else {
    print_result(text);
  }
  return int(ExitCode::kDone);
}

}  // namespace rf
