#include "solve/connect_four_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "base/error.h"
#include "base/random_stream.h"
#include "game_settings.h"

namespace rf::testing {
namespace {

constexpr std::uint64_t kNoLimit = std::uint64_t(1) << 62;

// `moves` is one digit a column, from 1.
std::unique_ptr<State> played(const Game& game, const std::string& moves) {
  auto state = game.initial_state();
  for (char move : moves) state->apply(move - '1');
  return state;
}

std::vector<std::vector<std::string>> rows_of(const std::string& file) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream in(std::string(RF_TEST_DATA) + "/data/connect_four/" + file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    rows.push_back({std::istream_iterator<std::string>(words), {}});
  }
  return rows;
}

// One value for each of the columns, "." for a full one.
std::vector<std::string> texts_of(const Solution& solution, int columns) {
  std::vector<std::string> texts(std::size_t(columns), ".");
  for (std::size_t i = 0; i < solution.actions.size(); ++i) {
    texts[std::size_t(solution.actions[i])] = std::to_string(*solution.values[i]);
  }
  return texts;
}

// Positions with the score of every column, on which two other solvers agree.
TEST(ConnectFourSolver, ScoresOfEveryColumn) {
  const auto game = game_from_text("connect_four");
  ConnectFourSolver solver(7, 6, 20, kNoLimit);
  const auto rows = rows_of("scores.txt");
  EXPECT_EQ(rows.size(), 155u);
  for (const auto& row : rows) {
    const Solution solution = *solver.solve(*played(*game, row.at(0)));
    EXPECT_EQ(texts_of(solution, 7), std::vector(row.begin() + 1, row.end())) << row[0];
    EXPECT_EQ(solution.value, **std::max_element(solution.values.begin(), solution.values.end()));
    for (std::size_t i = 0; i < solution.actions.size(); ++i) {
      const auto& best = solution.best;
      EXPECT_EQ(std::find(best.begin(), best.end(), solution.actions[i]) != best.end(),
                *solution.values[i] == solution.value);
    }
  }
}

// P. Pons' sets: L1 begin, L2 middle, L3 end of the game; R1 easy, R2 medium, R3 hard.
TEST(ConnectFourSolver, ScoresOfKnownSets) {
  const auto game = game_from_text("connect_four");
  ConnectFourSolver solver(7, 6, 22, kNoLimit);
  const std::vector<std::pair<std::string, std::size_t>> sets = {
      {"L3_R1", 500}, {"L2_R1", 500}, {"L1_R1", 60}, {"L2_R2", 20}, {"L1_R2", 1}};
  for (const auto& [set, count] : sets) {
    const auto rows = rows_of("Test_" + set);
    ASSERT_EQ(rows.size(), 500u) << set;
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(*solver.score(*played(*game, rows[i][0])), std::stoi(rows[i][1])) << set << " " << rows[i][0];
    }
  }
}

// The third column of the sets, which whole sets have or lack: + wins, = draws, - loses, . is full. `every`
// so many lines of 13 moves or more, it is computed again.
TEST(ConnectFourSolver, SignsOfColumnsAreThoseOfTheTable) {
  const auto game = game_from_text("connect_four");
  ConnectFourSolver solver(7, 6, 22, kNoLimit);
  const std::vector<std::tuple<std::string, bool, std::size_t>> sets = {
      {"L3_R1", true, 1},   {"L2_R1", true, 5},   {"L2_R2", true, 20},
      {"L1_R1", true, 250}, {"L1_R2", true, 250}, {"L1_R3", true, 250}};
  for (const auto& [set, has_columns, every] : sets) {
    const auto rows = rows_of("Test_" + set);
    ASSERT_EQ(rows.size(), 500u) << set;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto state = played(*game, rows[i].at(0));
      ASSERT_EQ(rows[i].size(), has_columns ? 3u : 2u) << set << " " << rows[i][0];
      if (!has_columns) continue;
      const std::string& columns = rows[i][2];
      ASSERT_EQ(columns.size(), 7u) << set << " " << rows[i][0];
      const int score = std::stoi(rows[i].at(1));
      const char best = columns.find('+') != std::string::npos   ? '+'
                        : columns.find('=') != std::string::npos ? '='
                                                                 : '-';
      EXPECT_EQ(best, "-=+"[(score > 0) - (score < 0) + 1]) << set << " " << rows[i][0];
      for (int c = 0; c < 7; ++c) EXPECT_EQ(columns[std::size_t(c)] != '.', state->is_legal(c));
      if (i % every != 0 || rows[i][0].size() < 13) continue;
      const Solution solution = *solver.solve_signs(*state);
      for (std::size_t k = 0; k < solution.actions.size(); ++k) {
        EXPECT_EQ(columns[std::size_t(solution.actions[k])], "-=+"[*solution.values[k] + 1]) << rows[i][0];
      }
    }
  }
}

// Plain search of everything, by the rules alone.
class PlainSearch {
 public:
  explicit PlainSearch(const Game& game) : cells_(game.spec().shape.cells()) {}

  int score(const State& state) {
    if (state.terminal()) {  // the other has just won with a disc that leaves him this many fewer
      return state.outcome() == 0 ? 0 : -((cells_ - state.ply()) / 2 + 1);
    }
    const auto [known, is_new] = scores_.try_emplace(state.hash(), 0);
    if (!is_new) return known->second;
    std::vector<Action> legal;
    state.legal_actions(legal);
    int best = -cells_;
    const auto child = state.clone();
    for (Action a : legal) {
      child->assign(state);
      child->apply(a);
      best = std::max(best, -score(*child));
    }
    return scores_[state.hash()] = best;
  }
  const std::map<std::uint64_t, int>& all() const { return scores_; }

 private:
  int cells_;
  std::map<std::uint64_t, int> scores_;
};

TEST(ConnectFourSolver, SmallBoardsAreSolvedAsByPlainSearch) {
  for (const auto& [columns, rows] :
       {std::pair(4, 4), {5, 3}, {3, 5}, {4, 3}, {7, 1}, {1, 7}, {2, 6}, {6, 2}, {3, 4}}) {
    const auto game = make_game({"connect_four", {{"columns", columns}, {"rows", rows}}});
    PlainSearch plain(*game);
    ConnectFourSolver solver(columns, rows, 18, kNoLimit);
    EXPECT_EQ(*solver.score(*game->initial_state()), plain.score(*game->initial_state()));
    int positions = 0;
    for (int i = 0; i < 200; ++i) {
      RandomStream stream = make_stream(4, 0, std::uint64_t(i), Purpose::kTest);
      const auto state = game->initial_state();
      std::vector<Action> legal;
      while (!state->terminal()) {
        ++positions;
        const Solution exact = *solver.solve(*state), signs = *solver.solve_signs(*state);
        state->legal_actions(legal);
        ASSERT_EQ(exact.actions, legal);
        EXPECT_EQ(exact.value, plain.score(*state)) << state->text();
        EXPECT_EQ(solver.score(*state), exact.value) << state->text();
        for (std::size_t k = 0; k < legal.size(); ++k) {
          const auto child = state->clone();
          child->apply(legal[k]);
          const int value = -plain.score(*child);
          ASSERT_EQ(*exact.values[k], value) << state->text() << legal[k];
          ASSERT_EQ(*signs.values[k], (value > 0) - (value < 0)) << state->text() << legal[k];
        }
        state->apply(legal[stream.below(std::uint32_t(legal.size()))]);
      }
    }
    EXPECT_GE(positions, 200 * std::min(7, columns * rows));
  }
}

// Boards that take all 64 bits, from the moment on in which a plain search is quick.
TEST(ConnectFourSolver, LateOnTheLargestBoards) {
  for (const auto& [columns, rows] : {std::pair(8, 7), {4, 15}, {16, 3}, {2, 31}, {32, 1}, {7, 8}}) {
    const auto game = make_game({"connect_four", {{"columns", columns}, {"rows", rows}}});
    ConnectFourSolver solver(columns, rows, 18, kNoLimit);
    int compared = 0;
    for (int i = 0; i < 200 && compared < 40; ++i) {
      RandomStream stream = make_stream(5, 0, std::uint64_t(i), Purpose::kTest);
      const auto state = game->initial_state(), child = game->initial_state();
      std::vector<Action> legal;
      while (!state->terminal() && state->ply() < columns * rows - 9) {
        state->legal_actions(legal);
        for (int attempt = 0; attempt < 20; ++attempt) {  // mostly moves that do not end the game
          child->assign(*state);
          child->apply(legal[stream.below(std::uint32_t(legal.size()))]);
          if (!child->terminal()) break;
        }
        state->assign(*child);
      }
      if (state->terminal()) continue;
      ++compared;
      PlainSearch plain(*game);
      const Solution solution = *solver.solve(*state);
      for (std::size_t k = 0; k < solution.actions.size(); ++k) {
        child->assign(*state);
        child->apply(solution.actions[k]);
        ASSERT_EQ(*solution.values[k], -plain.score(*child)) << state->text() << solution.actions[k];
      }
    }
    EXPECT_GE(compared, 20) << columns << "x" << rows;
  }
}

TEST(ConnectFourSolver, HasNoSolutionWhenTheNodesRunOut) {
  const auto game = game_from_text("connect_four");
  ConnectFourSolver solver(7, 6, 18, 1000);
  EXPECT_FALSE(solver.solve(*game->initial_state()));
  EXPECT_FALSE(solver.solve_signs(*game->initial_state()));
  EXPECT_FALSE(solver.score(*game->initial_state()));
  EXPECT_EQ(solver.nodes(), 3000u);
  const auto late = played(*game, rows_of("Test_L3_R1").at(0).at(0));  // and goes on afterwards
  EXPECT_EQ(solver.solve(*late)->value, std::stoi(rows_of("Test_L3_R1")[0][1]));
}

ExitCode refused(const std::string& settings) {
  const auto game = game_from_text(settings);
  try {
    make_solver(settings_from_text(settings), *game);
  } catch (const Error& error) {
    return error.code();
  }
  return ExitCode::kDone;
}

TEST(ConnectFourSolver, IsMadeForBoardsThatFit) {
  EXPECT_EQ(refused("connect_four"), ExitCode::kDone);
  EXPECT_EQ(refused("connect_four columns=8 rows=7"), ExitCode::kDone);
  EXPECT_EQ(refused("connect_four columns=1 rows=32"), ExitCode::kDone);
  EXPECT_EQ(refused("connect_four columns=32 rows=1"), ExitCode::kDone);
  EXPECT_EQ(refused("connect_four columns=8 rows=8"), ExitCode::kUsage);
  EXPECT_EQ(refused("connect_four columns=32 rows=32"), ExitCode::kUsage);
  EXPECT_EQ(refused("connect_four line=5"), ExitCode::kUsage);
  EXPECT_EQ(refused("connect_four columns=3 rows=3 line=3"), ExitCode::kUsage);
  const auto game = game_from_text("connect_four");
  const auto solver = make_solver(settings_from_text("connect_four"), *game);
  EXPECT_EQ(solver->solve(*played(*game, "252362156274413213777754766533"))->best, std::vector<Action>{3});
}

}  // namespace
}  // namespace rf::testing
