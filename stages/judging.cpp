// rf-play judge.
#include <fstream>
#include <iostream>
#include <map>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "position_arguments.h"
#include "position_line.h"
#include "records/format.h"
#include "rules_tools.h"
#include "solve/solver.h"

namespace rf {
namespace {

// A number where the text is one, as columns and edges are.
Json text_or_number(const std::string& text) {
  const bool digits =
      !text.empty() && text.size() < 9 && text.find_first_not_of("0123456789") == std::string::npos;
  return digits ? Json(std::stoi(text)) : Json(text);
}

int sign(float z) {
  return (z > 0) - (z < 0);
}

class Judge {
 public:
  Judge(GameSettings settings, bool masks, bool solve) : reader_(std::move(settings), masks), solve_(solve) {}

  Json judge(std::string_view text) {
    const PositionLine line = reader_.read(text);
    const Game& game = *line.game;
    const State& state = *line.state;
    Json judged = {{"to_move", state.to_move()},
                   {"colour", player_word(game.spec(), state.to_move())},
                   {"ply", state.ply()},
                   {"terminal", state.terminal()},
                   {"reason", nullptr},
                   {"outcome", nullptr},
                   {"winner", nullptr},
                   {"result", result_text(state)},
                   {"score_margin", state.score_margin()},
                   {"legal", sorted_texts(game, state)}};
    if (line.moves_left > 0) judged["moves_left"] = line.moves_left;
    for (const char* key : {"id", "name"}) {
      if (line.object.contains(key) && line.object[key].is_primitive()) judged[key] = line.object[key];
    }
    std::vector<Action> legal;
    state.legal_actions(legal);
    judged["legal_actions"] = legal;
    if (state.terminal()) {
      const int winner = winner_of(state);
      judged["reason"] = std::string(state.end_reason());
      judged["outcome"] = sign(state.outcome());
      if (winner >= 0) judged["winner"] = winner;
    }
    if (const std::string fen = state.position_text(); !fen.empty()) judged["fen"] = fen;
    char hash[20];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(state.hash()));
    judged["hash"] = hash;
    if (solve_) add_solution(line, judged);
    return judged;
  }

 private:
  Solver& solver_of(const Game& game) {
    std::unique_ptr<Solver>& solver = solvers_[&game];
    if (!solver) solver = make_solver(reader_.settings(game), game);
    if (!solver) fail(ExitCode::kUsage, game.spec().name + " has no solver", "", "leave --solve out");
    return *solver;
  }

  void add_solution(const PositionLine& line, Json& judged) {
    const Game& game = *line.game;
    const State& state = *line.state;
    Solver& solver = solver_of(game);
    Solution solution;
    judged["unit"] = solver.unit();
    judged["solved"] = true;
    if (state.terminal()) {
      const int outcome = sign(state.outcome());
      solution.value = solver.outcome_of(state, 0) == outcome ? 0 : outcome;
      judged["outcome_perfect"] = outcome;
    } else if (auto found = solver.solve(state)) {
      solution = std::move(*found);
      judged["solved"] = solution.proven;
      judged["outcome_perfect"] = solution.proven ? Json(solver.outcome_of(state, solution.value)) : Json();
    } else {
      judged["solved"] = false;
      for (const char* key : {"value", "best", "values", "outcome_perfect"}) judged[key] = nullptr;
      return;
    }
    Json best = Json::array(), values = Json::array(),
         by_action(std::size_t(game.spec().num_actions), nullptr);
    for (Action action : solution.best) {
      best.push_back(line.by_number ? Json(action) : text_or_number(game.action_text(state, action)));
    }
    for (std::size_t i = 0; i < solution.actions.size(); ++i) {
      values.push_back(solution.values[i] ? Json(*solution.values[i]) : Json());
      by_action[std::size_t(solution.actions[i])] = values.back();
    }
    judged["value"] = solution.proven ? Json(solution.value) : Json();
    judged["best"] = best;
    judged["values"] = values;
    if (game.spec().name == "connect_four") {
      judged["score"] = solution.value;
      judged["scores"] = by_action;
    }
    if (game.spec().name == "dots_and_boxes") judged["optimal"] = best;
  }

  PositionReader reader_;
  bool solve_;
  std::map<const Game*, std::unique_ptr<Solver>> solvers_;
};

constexpr std::size_t kMaxLine = 1 << 20;

// False at the end of the input. Error when it cannot be read or a line has no end.
bool read_line(std::istream& in, std::string& text, const std::string& where) {
  text.clear();
  for (int c; (c = in.get()) != std::istream::traits_type::eof();) {
    if (c == '\n') return true;
    text += char(c);
    if (text.size() > kMaxLine) {
      fail(ExitCode::kBadData, where + ": the line is longer than 1 MiB", "", "give one position a line");
    }
  }
  if (in.bad()) fail(ExitCode::kInputMissing, where + ": cannot be read", "the input broke off");
  return !text.empty();
}

constexpr const char* kPurpose =
    "Judges every position of a file, one JSON object a line for each line of the file, in its order. A line "
    "is "
    "a JSON object or plain. Keys that are read: fen (or position); moves: a text as for --moves, or a list "
    "of "
    "texts or of action numbers; edges: a list of action numbers; mask: bit e = action e was played; board "
    "and "
    "to_move of Tic-tac-toe; sizes and options of the game by their names, or w, h, n, cols: they go before "
    "--set. "
    "A plain line is a FEN, 'FEN; moves', moves alone, or moves and a score ('4455 -2'; '4 4' are two "
    "moves). "
    "Empty lines and those "
    "that begin with # are passed over.";

const Explained kKeys = {
    {"index, id, name", "number of the line in the file; id and name as the line has them"},
    {"to_move, colour, ply", "player to move (0 moved first), its word, moves made"},
    {"terminal, reason", "whether the game is over, and why"},
    {"outcome, winner, result",
     "for the player to move (-1, 0, 1); 0, 1 or null; \"1-0\" if the first player won"},
    {"moves_left", "moves behind an end by repetition or for want of captures, if any: not played"},
    {"score_margin", "points of the player to move minus the other's so far"},
    {"legal, legal_actions", "legal moves, sorted as text; their action numbers, ascending"},
    {"fen, hash", "the position where the game has a notation for it; hash as hexadecimal"},
    {"solved, unit", "with --solve: whether the value is proven, and what the solver's numbers mean"},
    {"value, outcome_perfect", "value and result under perfect play, for the player to move"},
    {"best, values",
     "best moves, by number if the line uses numbers (who loses anyway: all that lose no sooner); values in "
     "the order of legal_actions"},
    {"score, scores",
     "Connect Four: value, and value by column (null: full); optimal is best in Dots and Boxes"},
    {"error", "what is wrong with the line; then the exit status is 65 in the end"}};

}  // namespace

int judge_file(int argc, char** argv) {
  CommandLine line(
      {"rf-play judge",
       kPurpose,
       {{"rf-play judge --game tic_tac_toe positions.jsonl", "what the rules say of each position"},
        {"echo 'b2 a1' | rf-play judge --game tic_tac_toe -", "one position, from standard input"},
        {"rf-play judge --game dots_and_boxes --solve positions.jsonl", "with values and best moves"}},
       {},
       "Keys of an answer",
       kKeys});
  add_game_options(line);
  line.add_flag("solve", "also judge by the game's solver");
  line.add_flag("masks", "plain lines begin with a mask of the actions played; what follows is left alone");
  line.add_positional("FILE", "positions, one a line; - is standard input", true);
  if (const auto code = line.parse(argc, argv)) return *code;
  set_log(line.log_level(), 0);
  Judge judge(game_settings(line), line.flag("masks"), line.flag("solve"));
  const std::string path = *line.text("FILE");
  std::ifstream file;
  if (path != "-") {
    file.open(path);
    if (!file || std::filesystem::is_directory(path)) {
      fail(ExitCode::kInputMissing, "cannot read " + path, "no such file, or no permission");
    }
  }
  std::istream& in = path == "-" ? std::cin : file;
  int bad = 0;
  std::string text;
  for (int number = 1; read_line(in, text, path + ":" + std::to_string(number)); ++number) {
    if (is_empty_line(text)) continue;
    Json answer;
    try {
      answer = judge.judge(text);
    } catch (const Error& error) {
      answer = {{"error", error.what()}};
      ++bad;
    }
    answer["index"] = number;
    print_result(json_line(answer) + "\n");
  }
  if (bad > 0) log_error(std::to_string(bad) + (bad == 1 ? " line" : " lines") + " could not be judged");
  return int(bad > 0 ? ExitCode::kBadData : ExitCode::kDone);
}

}  // namespace rf
