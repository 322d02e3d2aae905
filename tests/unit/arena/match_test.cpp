#include "arena/match.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "arena/score.h"
#include "eval/hash_evaluator.h"
#include "eval/rollout_evaluator.h"
#include "search_fixtures.h"

namespace rf {
namespace {

std::vector<MatchGame> play(Match& match, int games) {
  std::map<std::int64_t, MatchGame> finished;
  std::int64_t next = 0;
  while (match.step([&]() { return next < games ? std::optional(next++) : std::nullopt; },
                    [&](MatchGame&& game) { finished[game.index] = std::move(game); })) {
  }
  std::vector<MatchGame> list;
  for (auto& [index, game] : finished) list.push_back(std::move(game));
  EXPECT_EQ(int(list.size()), games);
  return list;
}

Player mcts(const std::string& name, Evaluator& evaluator, int simulations) {
  Player player{name, &evaluator, {}, simulations};
  player.search.c_puct = 5;
  player.search.leaves_in_flight = 1;
  return player;
}

TEST(Match, MctsBeatsRandomWithBothColours) {
  const auto game = make_game({"tic_tac_toe", {}});
  RolloutEvaluator evaluator(*game, 1, 100);
  Match match(*game, mcts("mcts", evaluator, 200), Player{"random", nullptr, {}, 0},
              make_openings(*game, 1, 0, 1, 1), 8, 1, 1);
  const MatchScore score = score_match(play(match, 40));
  EXPECT_EQ(score.all.losses, 0);
  EXPECT_GT(score.all.wins, 30);
  EXPECT_EQ(score.first.games() + score.second.games(), score.all.games());
  EXPECT_GT(score.second.wins, 10);
}

TEST(Match, PointsAreOfPlayerAWhateverTheColour) {
  // The stronger one as B: A loses.
  const auto game = make_game({"tic_tac_toe", {}});
  RolloutEvaluator evaluator(*game, 1, 100);
  Match match(*game, Player{"random", nullptr, {}, 0}, mcts("mcts", evaluator, 200),
              make_openings(*game, 1, 0, 1, 1), 8, 1, 1);
  const MatchScore score = score_match(play(match, 40));
  EXPECT_LE(score.all.wins, 2);  // 200 playouts are not perfect play
  EXPECT_GT(score.all.losses, 30);
}

TEST(Match, SamePlayersSameGamesCountOnceAndAreReported) {
  const auto game = gomoku(6, 6, 4);
  HashEvaluator evaluator(4);
  Player player{"hash", &evaluator, {}, 30};
  Match match(*game, player, player, make_openings(*game, 1, 0, 1, 1), 4, 1, 1);
  const auto games = play(match, 20);
  const MatchScore score = score_match(games);
  // Ties between most visited actions are decided by each game's stream, so a few games may differ.
  EXPECT_EQ(score.all.games() + score.duplicates, 20);
  EXPECT_GT(score.duplicates, 5);
}

TEST(Match, DistinctOpeningsMakeDistinctGames) {
  const auto game = gomoku(6, 6, 4);
  HashEvaluator evaluator(4);
  Player player{"hash", &evaluator, {}, 30};
  Match match(*game, player, player, make_openings(*game, 20, 2, 1, 1), 4, 1, 1);
  const auto games = play(match, 40);
  EXPECT_EQ(score_match(games).duplicates, 0);
  for (std::size_t i = 0; i < games.size(); i += 2) {  // colour pairs share the opening
    EXPECT_TRUE(games[i].a_first);
    EXPECT_FALSE(games[i + 1].a_first);
    EXPECT_TRUE(std::equal(games[i].moves.begin(), games[i].moves.begin() + 2, games[i + 1].moves.begin()));
  }
  // Equal players: each pair is the same game with colours swapped, so the score is even.
  EXPECT_NEAR(score_match(games).share(), 0.5, 0.2);
}

TEST(Match, GamesInParallelDoNotChangeTheGames) {
  const auto game = gomoku(6, 6, 4);
  RolloutEvaluator rollout(*game, 1, 100);
  HashEvaluator hash(4);
  std::set<std::vector<std::vector<Action>>> results;
  for (int parallel : {1, 3, 16}) {
    Match match(*game, mcts("a", rollout, 40), Player{"b", &hash, {}, 40}, make_openings(*game, 5, 2, 1, 1),
                parallel, 1, 1);
    std::vector<std::vector<Action>> moves;
    for (const MatchGame& g : play(match, 10)) moves.push_back(g.moves);
    results.insert(moves);
  }
  EXPECT_EQ(results.size(), 1u);
}

TEST(Openings, AreDistinctUpToSymmetryAndRunOutQuietly) {
  const auto game = make_game({"tic_tac_toe", {}});
  EXPECT_EQ(make_openings(*game, 100, 1, 1, 1).size(), 3u);  // corner, edge, centre
  EXPECT_EQ(make_openings(*game, 100, 2, 1, 1).size(), 12u);
  EXPECT_EQ(make_openings(*game, 100, 0, 1, 1).size(), 1u);
  const auto wide = make_openings(*gomoku(6, 6, 4), 50, 2, 1, 1);
  EXPECT_EQ(wide.size(), 50u);
  for (const auto& opening : make_openings(*game, 100, 9, 1, 1))
    EXPECT_TRUE(opening.empty());  // all end the game
}

TEST(Score, CountsByColourAndHasAnInterval) {
  std::vector<MatchGame> games;
  for (int i = 0; i < 10; ++i)
    games.push_back({i, i % 2 == 0, {i}, i < 6 ? 1.f : i < 8 ? 0.5f : 0.f, "line"});
  games.push_back(games[0]);
  const MatchScore score = score_match(games);
  EXPECT_EQ(score.duplicates, 1);
  EXPECT_EQ(score.all.wins, 6);
  EXPECT_EQ(score.all.draws, 2);
  EXPECT_EQ(score.all.losses, 2);
  EXPECT_DOUBLE_EQ(score.all.points(), 7);
  EXPECT_EQ(score.first.games(), 5);
  EXPECT_NEAR(score.share(), 0.7, 1e-12);
  EXPECT_GT(score.half_interval(), 0.1);
  EXPECT_NEAR(elo_of_share(0.75), 190.8, 0.1);
  EXPECT_EQ(elo_of_share(0), -1200);
  EXPECT_EQ(MatchScore{}.share(), 0.5);  // nothing played, no division by zero
}

TEST(Score, AllDrawsAreHalfThePoints) {
  std::vector<MatchGame> games;
  for (int i = 0; i < 40; ++i) games.push_back({i, i % 2 == 0, {i}, 0.5f, "full board"});
  EXPECT_DOUBLE_EQ(score_match(games).share(), 0.5);
}

}  // namespace
}  // namespace rf
