#include "solve/dots_and_boxes_solver.h"

#include <gtest/gtest.h>

#include <map>

#include "base/digest.h"
#include "base/error.h"
#include "dots_fixtures.h"

namespace rf::testing {
namespace {

DotsAndBoxesSolver& solver_of(int rows, int cols) {
  static std::map<std::pair<int, int>, DotsAndBoxesSolver> solvers;  // 3x3 takes a second
  return solvers.try_emplace({rows, cols}, rows, cols).first->second;
}

std::string digest_of(const DotsAndBoxesSolver& solver) {
  const auto bytes = std::as_bytes(solver.table());
  return sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// Digests of tables that another program wrote, one signed byte for each set of edges.
TEST(DotsAndBoxesSolver, WholeTablesAreTheKnownOnes) {
  EXPECT_EQ(digest_of(solver_of(2, 2)), "95d89894411b98fb3aa8322fb20fb6d18ccb423815b59793c9db46a8d6c6bd35");
  EXPECT_EQ(digest_of(solver_of(2, 3)), "8f86a26e378c2af4042b945779083c7e3d8df2def4121b771581882e370d0beb");
  EXPECT_EQ(digest_of(solver_of(3, 3)), "0becf594de3c3f3ea6c7b50138a9202d22ff6458fc4365b4730bd667fd004d11");
}

// 3x3 as D. Wilson published it; the others as two programs computed them.
TEST(DotsAndBoxesSolver, ValuesOfTheEmptyBoards) {
  const std::vector<std::tuple<int, int, int>> expected = {
      {1, 1, -1}, {1, 2, 0}, {1, 3, -1}, {1, 4, 0},  {1, 5, -1}, {1, 6, 0},  {1, 7, -1}, {2, 2, 2},
      {2, 3, -2}, {2, 4, 2}, {3, 3, -3}, {3, 2, -2}, {4, 2, 2},  {7, 1, -1}, {2, 1, 0}};
  for (const auto& [rows, cols, value] : expected) {
    const auto game = dots(rows, cols);
    const auto state = game->initial_state();
    const std::optional<Solution> solution = solver_of(rows, cols).solve(*state);
    ASSERT_TRUE(solution);
    EXPECT_EQ(solution->value, value) << rows << "x" << cols;
  }
}

TEST(DotsAndBoxesSolver, EveryFirstMoveOf3x3LosesByThree) {
  const auto game = dots(3, 3);
  const auto state = game->initial_state();
  const Solution solution = *solver_of(3, 3).solve(*state);
  EXPECT_EQ(solution.best.size(), 24u);
  EXPECT_EQ(solver_of(3, 3).outcome_of(*state, solution.value), -1);
}

TEST(DotsAndBoxesSolver, SolvedPositions) {
  int count = 0;
  for (const SolvedDots& position : solved_dots()) {
    const auto game = dots(position.rows, position.cols);
    const auto state = drawn(*game, position.edges);
    const std::optional<Solution> solution = solver_of(position.rows, position.cols).solve(*state);
    ASSERT_TRUE(solution);
    EXPECT_EQ(solution->value, position.value) << state->text();
    EXPECT_EQ(solution->best, position.optimal) << state->text();
    ++count;
  }
  EXPECT_EQ(count, 194);
}

TEST(DotsAndBoxesSolver, ArticlePosition) {
  const auto game = dots(3, 3);
  DotsAndBoxesSolver& solver = solver_of(3, 3);
  const auto state = drawn(*game, kArticleMoves);
  const auto values = [&]() {
    const Solution solution = *solver.solve(*state);
    std::map<Action, int> by_edge;
    for (std::size_t i = 0; i < solution.actions.size(); ++i) {
      by_edge[solution.actions[i]] = solution.values[i].value();
    }
    return by_edge;
  };
  using Values = std::map<Action, int>;
  EXPECT_EQ(values(), (Values{{3, -7}, {9, 1}, {12, -7}, {17, -7}, {18, -7}, {19, -7}, {21, -1}, {23, 3}}));
  EXPECT_EQ(solver.solve(*state)->best, std::vector<Action>{23});
  EXPECT_EQ(solver.outcome_of(*state, 3), 1);   // 5:4
  EXPECT_EQ(solver.outcome_of(*state, 2), 0);   // the score so far counts
  EXPECT_EQ(solver.outcome_of(*state, 1), -1);  // 4:5
  state->apply(23);
  EXPECT_EQ(values(), (Values{{3, -6}, {9, 2}, {12, -6}, {17, -6}, {18, -6}, {19, -6}, {21, -2}}));
  EXPECT_EQ(solver.solve(*state)->best, std::vector<Action>{9});
}

TEST(DotsAndBoxesSolver, PerfectPlayEndsAsItsValueSays) {
  for (const auto& [rows, cols] : {std::pair{1, 3}, {2, 2}, {2, 3}, {3, 3}}) {
    const auto game = dots(rows, cols);
    const auto state = game->initial_state();
    DotsAndBoxesSolver& solver = solver_of(rows, cols);
    int total = 0;  // what the first player ends with, by the values on the way
    while (!state->terminal()) {
      const Solution solution = *solver.solve(*state);
      const int end = (state->score_margin() + solution.value) * (state->to_move() == 0 ? 1 : -1);
      if (state->ply() == 0) total = end;
      EXPECT_EQ(end, total);
      state->apply(solution.best.back());
    }
    EXPECT_EQ(state->score_margin() * (state->to_move() == 0 ? 1 : -1), total);
  }
}

TEST(DotsAndBoxesSolver, ComesFromTheTableAndRefusesLargeBoards) {
  const auto small = dots(2, 3), large = dots(3, 4);
  const auto solver = make_solver(dots_settings(2, 3), *small);
  ASSERT_TRUE(solver);
  EXPECT_EQ(solver->solve(*small->initial_state())->value, -2);
  EXPECT_FALSE(solver->unit().empty());
  try {
    make_solver(dots_settings(3, 4), *large);
    FAIL() << "31 edges are too many";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    EXPECT_NE(std::string(error.what()).find("31 edges"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace rf::testing
