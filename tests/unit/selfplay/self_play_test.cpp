#include "selfplay/self_play.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "eval/hash_evaluator.h"
#include "search_fixtures.h"

namespace rf {
namespace {

std::map<std::int64_t, GameRecord> play(const Game& game, const SearchConfig& search, SelfplayConfig config,
                                        int games, std::uint64_t seed = 1, int iteration = 1) {
  HashEvaluator evaluator(9);
  SelfPlay self_play(game, search, config, evaluator, seed, iteration);
  std::map<std::int64_t, GameRecord> finished;
  std::int64_t next = 0;
  while (self_play.step([&]() { return next < games ? std::optional(next++) : std::nullopt; },
                        [&](GameRecord&& record) { finished[record.game_index] = std::move(record); })) {
  }
  EXPECT_EQ(self_play.games_running(), 0);
  EXPECT_EQ(self_play.counts().games, games);
  return finished;
}

std::uint64_t digest_of(const std::map<std::int64_t, GameRecord>& games) {
  std::uint64_t sum = 0;
  for (const auto& [index, record] : games) sum += game_digest(record);
  return sum;
}

SearchConfig small_search() {
  SearchConfig search;
  search.simulations = 24;
  return search;
}

TEST(SelfPlay, GamesInParallelDoNotChangeTheGames) {
  for (const auto& game : {make_game({"tic_tac_toe", {}}), gomoku(6, 6, 4), gomoku(4, 3, 3)}) {
    std::set<std::uint64_t> digests;
    for (int parallel : {1, 4, 32}) {
      SelfplayConfig config;
      config.games_in_parallel = parallel;
      const auto games = play(*game, small_search(), config, 20);
      ASSERT_EQ(games.size(), 20u);
      digests.insert(digest_of(games));
    }
    EXPECT_EQ(digests.size(), 1u) << game->spec().id;
  }
}

TEST(SelfPlay, EveryGameIsAnotherAndSoIsEveryIteration) {
  const auto game = gomoku(6, 6, 4);
  std::set<std::vector<Action>> moves;
  for (int iteration : {1, 2}) {
    for (const auto& [index, record] : play(*game, small_search(), {}, 32, 1, iteration)) {
      std::vector<Action> line;
      for (const PlyRecord& ply : record.plies) line.push_back(ply.action);
      moves.insert(line);
    }
  }
  EXPECT_EQ(moves.size(), 64u);
}

TEST(SelfPlay, SameSeedSameGamesOtherSeedOtherGames) {
  const auto game = gomoku(6, 6, 4);
  EXPECT_EQ(digest_of(play(*game, small_search(), {}, 8)), digest_of(play(*game, small_search(), {}, 8)));
  EXPECT_NE(digest_of(play(*game, small_search(), {}, 8)), digest_of(play(*game, small_search(), {}, 8, 2)));
}

TEST(SelfPlay, RecordsReplayToTheirOutcome) {
  const auto game = make_game({"tic_tac_toe", {}});
  int decided = 0;
  for (const auto& [index, record] : play(*game, small_search(), {}, 50)) {
    auto state = game->initial_state();
    for (const PlyRecord& ply : record.plies) {
      ASSERT_TRUE(state->is_legal(ply.action));
      ASSERT_EQ(ply.actions.size(), ply.visits.size());
      ASSERT_TRUE(std::is_sorted(ply.actions.begin(), ply.actions.end()));
      int sum = 0;
      for (std::size_t i = 0; i < ply.actions.size(); ++i) {
        ASSERT_TRUE(state->is_legal(ply.actions[i]));
        ASSERT_GE(ply.visits[i], 1);
        sum += ply.visits[i];
      }
      ASSERT_GE(sum, 24);
      state->apply(ply.action);
    }
    ASSERT_TRUE(state->terminal());
    const float z = state->outcome();
    EXPECT_EQ(record.outcome_first, state->to_move() == 0 ? z : -z);
    EXPECT_EQ(record.end_reason, state->end_reason());
    decided += record.outcome_first != 0;
  }
  EXPECT_GT(decided, 0);
}

TEST(SelfPlay, TemperaturePliesAreCountedInPliesOfBothPlayers) {
  // Without noise and temperature every game is the same; with one ply of temperature only the first differs.
  const auto game = gomoku(6, 6, 4);
  SearchConfig search = small_search();
  search.dirichlet_epsilon = 0;
  search.tree_reuse = false;
  for (int plies : {0, 1}) {
    SelfplayConfig config;
    config.temperature_plies = plies;
    std::map<Action, std::set<std::vector<Action>>> by_first;
    for (const auto& [index, record] : play(*game, search, config, 40)) {
      std::vector<Action> line;
      for (const PlyRecord& ply : record.plies) line.push_back(ply.action);
      by_first[line[0]].insert(line);
    }
    if (plies == 0) {
      EXPECT_EQ(by_first.size(), 1u);
    } else {
      EXPECT_GT(by_first.size(), 3u);
    }
  }
}

TEST(SelfPlay, OpeningPliesAreNoSamplesAndNeverEndAGame) {
  SelfplayConfig config;
  config.opening_plies = 8;
  // In Tic-tac-toe and 4x3x3 eight random plies often end a game: the opening stops before.
  for (const auto& game : {make_game({"tic_tac_toe", {}}), gomoku(4, 3, 3), gomoku(6, 6, 4)}) {
    std::set<std::size_t> lengths;
    for (const auto& [index, record] : play(*game, small_search(), config, 200)) {
      std::size_t opening = 0;
      while (record.plies[opening].actions.empty()) ++opening;
      lengths.insert(opening);
      for (std::size_t i = opening; i < record.plies.size(); ++i) {
        ASSERT_FALSE(record.plies[i].actions.empty()) << "ply " << i << " was searched";
      }
    }
    EXPECT_EQ(*lengths.begin(), 0u) << game->spec().id;
    EXPECT_GT(lengths.size(), 5u) << game->spec().id;
    EXPECT_LE(*lengths.rbegin(), 8u);
  }
  const auto game = gomoku(6, 6, 4);
  config.games_in_parallel = 3;
  const auto digest = digest_of(play(*game, small_search(), config, 20));
  config.games_in_parallel = 32;
  EXPECT_EQ(digest_of(play(*game, small_search(), config, 20)), digest);
}

}  // namespace
}  // namespace rf
