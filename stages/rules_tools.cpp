#include "rules_tools.h"

#include <cstdio>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "games/registry.h"
#include "position_arguments.h"

namespace rf {
namespace {

std::string plane_text(const GameSpec& spec, std::span<const float> planes, int plane) {
  std::string text = "plane " + std::to_string(plane);
  if (std::size_t(plane) < spec.plane_names.size()) text += ": " + spec.plane_names[std::size_t(plane)];
  text += '\n';
  for (int r = 0; r < spec.shape.rows; ++r) {
    for (int c = 0; c < spec.shape.cols; ++c) {
      char number[32];
      std::snprintf(number, sizeof number, "%s%g", c > 0 ? " " : "  ",
                    double(planes[std::size_t((plane * spec.shape.rows + r) * spec.shape.cols + c)]));
      text += number;
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::span<const RulesTool> rules_tools() {
  static const std::vector<RulesTool> tools = {
      {"perft", "counts the lines of play of a given length", count_leaves},
      {"moves", "lists the legal moves of a position", list_moves},
      {"show", "shows a position: board, player to move, state, planes", show_position},
      {"judge", "judges every position of a file, with a solver if asked", judge_file},
      {"convert", "turns records and notations into another form", convert_file},
  };
  return tools;
}

int count_leaves(int argc, char** argv) {
  CommandLine line(
      {"rf-play perft",
       "Counts the lines of exactly that many plies from a position; a finished game has none. In "
       "Xiangqi the rules of movement alone count, as in published lists: no repetition, no "
       "draw for want of captures. "
       "The count stands alone in the last line.",
       {{"rf-play perft --game tic_tac_toe --depth 9", "127872: the games that fill the board"},
        {"rf-play perft --game gomoku --set game.width=5 --set game.height=8 --depth 3 --divide",
         "how many below each move, then the sum"}}});
  line.add_whole("depth", "N", 1, 0, 1000, "plies");
  add_position_options(line);
  line.add_flag("divide", "first a line for each move with the count below it, sorted by move");
  if (const auto code = line.parse(argc, argv)) return *code;
  set_log(line.log_level(), 0);
  if (!line.given("depth")) fail(ExitCode::kUsage, "--depth is missing", "", "give --depth N");
  const int depth = int(line.whole("depth"));
  const auto position = line.text("position");
  if (position && !line.given("moves") && !line.flag("divide")) {  // it may be one that no game reaches
    const auto game = make_game(game_settings(line));
    print_result(std::to_string(game->count_lines(*position, depth)) + "\n");
    return int(ExitCode::kDone);
  }
  const auto [game, state] = read_position(line);
  const auto count = [&game = game](const State& from, int plies) {
    const std::string text = from.position_text();
    return text.empty() ? game->count_lines(from, plies) : game->count_lines(text, plies);
  };
  if (line.flag("divide") && depth > 0) {
    for (const std::string& text : sorted_texts(*game, *state)) {
      const auto next = state->clone();
      next->apply(*game->parse_action(*state, text));
      print_result(text + " " + std::to_string(count(*next, depth - 1)) + "\n");
    }
  }
  print_result(std::to_string(count(*state, depth)) + "\n");
  return int(ExitCode::kDone);
}

int list_moves(int argc, char** argv) {
  CommandLine line({"rf-play moves",
                    "Lists the legal moves of a position, sorted as text, one a line, and nothing else. A "
                    "finished game has none; a note on standard error says why.",
                    {{"rf-play moves --game tic_tac_toe --moves \"b2 a1\"", "the seven cells left"}}});
  add_position_options(line);
  if (const auto code = line.parse(argc, argv)) return *code;
  set_log(line.log_level(), 0);
  const auto [game, state] = read_position(line);
  std::string text;
  for (const std::string& move : sorted_texts(*game, *state)) text += move + "\n";
  if (state->terminal()) log_info("no moves: the game is over (" + std::string(state->end_reason()) + ")");
  print_result(text);
  return int(ExitCode::kDone);
}

int show_position(int argc, char** argv) {
  CommandLine line(
      {"rf-play show",
       "Shows a position: the board, who moves, how many legal moves there are, whether the game "
       "is over and how, and the position's notation if the game has one.",
       {{"rf-play show --game tic_tac_toe --moves \"b2 a1 b1\"", "a board with three stones"},
        {"rf-play show --game gomoku --moves h8 --planes", "with what a network would see"},
        {"rf-play show --game xiangqi --actions",
         "the 2086 labels of the policy, as the player to move has them"}}});
  add_position_options(line);
  line.add_flag("planes", "also the input planes of a network, row by row");
  line.add_flag("actions", "instead: the name of every action of the policy in its order, one a line");
  if (const auto code = line.parse(argc, argv)) return *code;
  set_log(line.log_level(), 0);
  const auto [game, state] = read_position(line);
  const GameSpec& spec = game->spec();
  if (line.flag("actions")) {
    std::string names;
    for (Action a = 0; a < spec.num_actions; ++a) names += game->action_text(*state, a) + "\n";
    print_result(names);
    return int(ExitCode::kDone);
  }
  std::vector<Action> legal;
  state->legal_actions(legal);
  std::string text = spec.id + "\n" + state->text();
  text += "to move: " + player_word(spec, state->to_move()) + " (player " + std::to_string(state->to_move()) +
          "), ply " + std::to_string(state->ply()) + "\n";
  text += "legal moves: " + std::to_string(legal.size()) + "\n";
  if (state->terminal()) {
    const int winner = winner_of(*state);
    text += "over: " + std::string(state->end_reason()) + ", " +
            (winner < 0 ? "a draw" : player_word(spec, winner) + " wins") + "\n";
  } else {
    text += "over: no\n";
  }
  if (const std::string position = state->position_text(); !position.empty()) {
    text += "position: " + position + "\n";
  }
  if (line.flag("planes")) {
    std::vector<float> planes(std::size_t(spec.shape.size()));
    state->encode(planes);
    for (int plane = 0; plane < spec.shape.planes; ++plane) text += plane_text(spec, planes, plane);
  }
  print_result(text);
  return int(ExitCode::kDone);
}

}  // namespace rf
