// links: rf_games
// Perft counts and whole games of every registered game.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "base/digest.h"
#include "base/random_stream.h"
#include "game_settings.h"
#include "golden/golden.h"

namespace rf::testing {
namespace {

struct PerftLine {
  std::string game;
  int depth;
  long long count;
};

std::vector<PerftLine> perft_lines() {
  std::vector<PerftLine> lines;
  std::ifstream file(golden_path("perft.txt"));
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    PerftLine entry;
    const std::size_t colon = line.find(" : ");
    std::istringstream numbers(line.substr(colon + 3));
    numbers >> entry.depth >> entry.count;
    EXPECT_TRUE(colon != std::string::npos && !numbers.fail()) << line;
    entry.game = line.substr(0, colon);
    lines.push_back(entry);
  }
  return lines;
}

TEST(Perft, CountsAreKept) {
  for (const PerftLine& line : perft_lines()) {
    const auto game = game_from_text(line.game);
    EXPECT_EQ(game->count_lines(*game->initial_state(), line.depth), line.count)
        << line.game << " depth " << line.depth;
  }
}

TEST(Perft, CoversEveryRegisteredGame) {
  std::set<std::string> covered;
  for (const PerftLine& line : perft_lines()) {
    if (line.depth >= 3) covered.insert(settings_from_text(line.game).name);
  }
  for (const GameEntry& entry : game_entries()) {
    EXPECT_TRUE(covered.contains(std::string(entry.name)))
        << entry.name << " has no line of depth 3 or more in tests/golden/perft.txt";
  }
}

// One game, seeded, in full: what people read when they judge a new game.
std::string playthrough(const std::string& settings) {
  const auto game = game_from_text(settings);
  const GameSpec& spec = game->spec();
  std::ostringstream out;
  out << "game: " << spec.id << "\nactions: " << spec.num_actions
      << "\nshape [C, H, W]: " << spec.shape.planes << " " << spec.shape.rows << " " << spec.shape.cols
      << "\nplanes:";
  for (PlaneKind kind : spec.plane_kinds) out << (kind == PlaneKind::kBits ? " bits" : " scalar");
  out << "\nmax plies: " << spec.max_plies << "\nsymmetries: " << spec.symmetries.size() << "\n";
  RandomStream stream = make_stream(1, 0, 0, Purpose::kTest);
  const auto state = game->initial_state();
  std::vector<Action> legal;
  for (;;) {
    out << "\n== ply " << state->ply() << ", player " << state->to_move() << " to move, hash "
        << hex64(state->hash()) << "\n"
        << state->text();
    std::vector<float> planes(std::size_t(spec.shape.size()));
    state->encode(planes);
    for (int r = 0; r < spec.shape.rows; ++r) {  // the planes side by side, row 0 of the encoding first
      for (int c = 0; c < spec.shape.planes; ++c) {
        out << (c ? "  " : "planes ");
        for (int k = 0; k < spec.shape.cols; ++k) {
          const float x = planes[std::size_t((c * spec.shape.rows + r) * spec.shape.cols + k)];
          if (x == 0 || x == 1) {
            out << (x == 0 ? '.' : '1');
          } else {
            out << '[' << x << ']';
          }
        }
      }
      out << "\n";
    }
    if (state->terminal()) break;
    state->legal_actions(legal);
    out << "legal:";
    for (Action a : legal) out << " " << game->action_text(*state, a);
    const Action a = legal[stream.below(std::uint32_t(legal.size()))];
    out << "\nplays " << game->action_text(*state, a) << " (action " << a << ")\n";
    state->apply(a);
  }
  out << "terminal: " << state->end_reason() << ", outcome " << state->outcome() << " for player "
      << state->to_move() << "\n";
  return out.str();
}

// File name in tests/golden/playthroughs, and the game.
const std::vector<std::pair<std::string, std::string>> kPlaythroughs = {
    {"tic_tac_toe", "tic_tac_toe"},
    {"gomoku_6x6x4_own2", "gomoku width=6 height=6 line=4 planes=own2"},
    {"gomoku_6x6x4_classic4", "gomoku width=6 height=6 line=4 planes=classic4"},
    {"gomoku_9x7x5_classic4", "gomoku width=9 height=7 line=5 planes=classic4"},
    {"gomoku_9x7x5_renju", "gomoku width=9 height=7 line=5 rule=renju planes=own2"},
    {"connect6_5x4x4", "connect6 width=5 height=4 line=4"},
    {"connect_four", "connect_four"},
    {"connect_four_10x3x3", "connect_four columns=10 rows=3 line=3"},
    {"dots_and_boxes_2x3", "dots_and_boxes rows=2 cols=3"},
    {"xiangqi_strict_24", "xiangqi max_plies=24"},
    {"xiangqi_loose_pieces14_24", "xiangqi rules=loose max_plies=24 planes=pieces14"},
};

TEST(Playthrough, GamesAreKept) {
  for (const auto& [name, settings] : kPlaythroughs) {
    expect_golden("playthroughs/" + name + ".txt", playthrough(settings));
  }
}

TEST(Playthrough, CoversEveryRegisteredGameAndReadsEveryFile) {
  std::set<std::string> covered, read;
  for (const auto& [name, settings] : kPlaythroughs) {
    covered.insert(settings_from_text(settings).name);
    read.insert(name + ".txt");
  }
  for (const GameEntry& entry : game_entries()) {
    EXPECT_TRUE(covered.contains(std::string(entry.name)))
        << entry.name << " has no playthrough: add it to kPlaythroughs, then RF_GOLDEN=create";
  }
  for (const auto& file : std::filesystem::directory_iterator(golden_path("playthroughs"))) {
    EXPECT_TRUE(read.contains(file.path().filename())) << file.path() << " is read by no test";
  }
}

}  // namespace
}  // namespace rf::testing
