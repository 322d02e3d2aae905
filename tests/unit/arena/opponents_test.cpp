#include "arena/opponents.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/error.h"
#include "base/random_stream.h"
#include "dots_fixtures.h"
#include "game_settings.h"
#include "solve/dots_and_boxes_solver.h"

namespace rf::testing {
namespace {

// What it chooses in many draws.
std::map<Action, int> choices(Opponent& opponent, const State& state, int draws = 200) {
  RandomStream stream = make_stream(3, 0, 0, Purpose::kTest);
  std::map<Action, int> count;
  for (int i = 0; i < draws; ++i) ++count[opponent.choose(state, stream)];
  return count;
}

std::set<Action> keys(const std::map<Action, int>& count) {
  std::set<Action> set;
  for (const auto& [action, n] : count) set.insert(action);
  return set;
}

// Points of the first player minus the second's at the end.
int final_margin(const Game& game, Opponent& first, Opponent& second, RandomStream& stream) {
  const auto state = game.initial_state();
  while (!state->terminal()) {
    state->apply((state->to_move() == 0 ? first : second).choose(*state, stream));
  }
  return state->to_move() == 0 ? state->score_margin() : -state->score_margin();
}

TEST(Opponents, PlayLegallyInEveryGame) {
  for (const std::string& id : contract_games()) {
    const GameSettings settings = settings_from_text(id);
    const auto game = make_game(settings);
    std::vector<std::string> texts = {"random", "greedy", "alphabeta:1"};
    if (game->spec().num_actions < 50) texts.insert(texts.end(), {"alphabeta:2", "alphabeta:3"});
    for (const std::string& text : texts) {
      const auto opponent = make_opponent(text, settings, *game);
      RandomStream stream = make_stream(1, 0, 0, Purpose::kTest);
      const auto state = game->initial_state();
      for (int ply = 0; ply < 40 && !state->terminal(); ++ply) {
        const std::uint64_t before = state->hash();
        const Action action = opponent->choose(*state, stream);
        ASSERT_EQ(state->hash(), before) << "the state was played on";
        ASSERT_TRUE(state->is_legal(action)) << id << " " << text << " " << action << "\n" << state->text();
        state->apply(action);
      }
    }
  }
}

TEST(Opponents, SameStreamSameChoices) {
  const GameSettings settings = dots_settings(2, 2);
  const auto game = make_game(settings);
  for (const char* text : {"random", "greedy", "alphabeta:2", "solver"}) {
    const auto a = make_opponent(text, settings, *game), b = make_opponent(text, settings, *game);
    RandomStream one(5), two(5);
    for (int i = 0; i < 5; ++i) {
      EXPECT_EQ(final_margin(*game, *a, *a, one), final_margin(*game, *b, *b, two)) << text;
      EXPECT_EQ(one.counter(), two.counter()) << text;
    }
  }
}

TEST(RandomOpponent, DrawsEveryActionAlike) {
  const auto game = dots(1, 1);
  RandomOpponent random;
  for (const auto& [action, count] : choices(random, *game->initial_state(), 4000)) {
    EXPECT_NEAR(count, 1000, 120) << action;
  }
}

TEST(GreedyOpponent, TakesAsManyBoxesAsItCan) {
  const auto game = dots(1, 3);  // verticals 6 7 8 9
  GreedyOpponent greedy(*game);
  // Box one lacks 6, boxes two and three share 8.
  EXPECT_EQ(keys(choices(greedy, *drawn(*game, {0, 3, 7, 1, 4, 2, 5, 9}))), (std::set<Action>{8}));
  // Two single boxes: either.
  EXPECT_EQ(keys(choices(greedy, *drawn(*game, {0, 3, 7, 2, 5, 8}))), (std::set<Action>{6, 9}));
}

TEST(GreedyOpponent, PlaysAtRandomWhereNothingScores) {
  const auto game = dots(1, 2);
  GreedyOpponent greedy(*game);
  // Every free edge, those too that give the left box away.
  EXPECT_EQ(keys(choices(greedy, *drawn(*game, {0, 2}))), (std::set<Action>{1, 3, 4, 5, 6}));
}

TEST(GreedyOpponent, WinsAtOnceAndBlocksNothing) {
  const auto game = game_from_text("gomoku width=6 height=6 line=4");
  GreedyOpponent greedy(*game);
  const auto win = drawn(*game, {1, 30, 2, 31, 3, 32});
  EXPECT_EQ(keys(choices(greedy, *win)), (std::set<Action>{0, 4}));
  win->apply(20);  // the other has three in a row too, and greedy is to move
  EXPECT_EQ(keys(choices(greedy, *win)), (std::set<Action>{33}));
  const auto threat = drawn(*game, {1, 30, 2, 31, 3});
  EXPECT_GT(keys(choices(greedy, *threat, 2000)).size(), 25u);
}

TEST(AlphaBetaOpponent, EveryBestEdgeAndNoOtherAtFullDepth) {
  const auto game = dots(2, 2);
  DotsAndBoxesSolver solver(2, 2);
  AlphaBetaOpponent opponent(*game, 12);
  int movers[2] = {0, 0};
  for (std::uint64_t i = 0; i < 60; ++i) {
    RandomStream stream = make_stream(2, 0, i, Purpose::kTest);
    RandomOpponent random;
    const auto state = game->initial_state();
    const int plies = 5 + int(i % 6);
    while (state->ply() < plies) state->apply(random.choose(*state, stream));
    ++movers[state->to_move()];
    const std::vector<Action> best = solver.solve(*state)->best;
    EXPECT_EQ(keys(choices(opponent, *state, 60)), std::set<Action>(best.begin(), best.end()))
        << state->text();
  }
  EXPECT_GT(movers[0], 10);
  EXPECT_GT(movers[1], 10);
}

TEST(AlphaBetaOpponent, WinsWhatIsWonOnBothSides) {
  const auto game = dots(2, 2), thin = dots(1, 3);
  AlphaBetaOpponent opponent(*game, 12), thin_opponent(*thin, 10);
  RandomStream stream(1);
  EXPECT_EQ(final_margin(*game, opponent, opponent, stream), 2);  // the solved values
  EXPECT_EQ(final_margin(*thin, thin_opponent, thin_opponent, stream), -1);
  GreedyOpponent greedy(*game), thin_greedy(*thin);
  for (int i = 0; i < 3; ++i) EXPECT_GE(final_margin(*game, opponent, greedy, stream), 2);
  for (int i = 0; i < 3; ++i) EXPECT_LE(final_margin(*thin, thin_greedy, thin_opponent, stream), -1);
}

// Against every reply: how the games end for `player`.
void play_every_line(Opponent& opponent, int player, const State& state, RandomStream& stream,
                     std::map<float, int>& ends) {
  if (state.terminal()) {
    ++ends[state.to_move() == player ? state.outcome() : -state.outcome()];
    return;
  }
  std::vector<Action> actions;
  if (state.to_move() == player) {
    actions = {opponent.choose(state, stream)};
  } else {
    state.legal_actions(actions);
  }
  for (Action action : actions) {
    const auto child = state.clone();
    child->apply(action);
    play_every_line(opponent, player, *child, stream, ends);
  }
}

TEST(AlphaBetaOpponent, NeverLosesTicTacToe) {
  const auto game = make_game({"tic_tac_toe", {}});
  AlphaBetaOpponent opponent(*game, 9);
  RandomStream stream(1);
  for (int player : {0, 1}) {
    std::map<float, int> ends;
    play_every_line(opponent, player, *game->initial_state(), stream, ends);
    EXPECT_EQ(ends[-1], 0);
    EXPECT_GT(ends[1], 20);
    EXPECT_GT(ends[0], 0);
  }
}

TEST(AlphaBetaOpponent, PrefersSoonerWinsAndLaterLosses) {
  const auto game = game_from_text("gomoku width=6 height=6 line=4");
  AlphaBetaOpponent opponent(*game, 3);
  // Black has three with both ends open: it makes four rather than another three.
  EXPECT_EQ(keys(choices(opponent, *drawn(*game, {1, 30, 2, 32, 3, 34}), 40)), (std::set<Action>{0, 4}));
  const auto one_end = drawn(*game, {1, 0, 2, 30, 3});
  EXPECT_EQ(keys(choices(opponent, *one_end, 40)), (std::set<Action>{4}));
  // O is lost, at once unless it blocks the diagonal.
  const auto lost = make_game({"tic_tac_toe", {}});
  AlphaBetaOpponent deep(*lost, 9);
  EXPECT_EQ(keys(choices(deep, *drawn(*lost, {0, 1, 4}), 40)), (std::set<Action>{8}));
}

TEST(AlphaBetaOpponent, SeesPointsAtItsHorizon) {
  const auto game = dots(3, 3);
  const auto state = drawn(*game, {0, 3, 12});  // 13 closes the first box
  for (int depth : {1, 2, 3}) {
    AlphaBetaOpponent opponent(*game, depth);
    EXPECT_EQ(keys(choices(opponent, *state, 20)), (std::set<Action>{13})) << depth;
  }
  // Two plies deep it gives nothing away.
  AlphaBetaOpponent two(*game, 2);
  const std::set<Action> safe = keys(choices(two, *drawn(*game, {0, 3}), 400));
  EXPECT_EQ(safe.size(), 20u);
  EXPECT_FALSE(safe.contains(12) || safe.contains(13));
}

TEST(SolverOpponent, WinsWhatIsWonOnBothSides) {
  for (const auto& [rows, cols, value] : {std::tuple{1, 3, -1}, {2, 2, 2}, {1, 2, 0}}) {
    const auto game = dots(rows, cols);
    const auto solver = std::make_shared<DotsAndBoxesSolver>(rows, cols);
    SolverOpponent perfect(solver);
    RandomOpponent random;
    GreedyOpponent greedy(*game);
    RandomStream stream(1);
    bool better = false;
    for (int i = 0; i < 50; ++i) {
      EXPECT_EQ(final_margin(*game, perfect, perfect, stream), value);
      EXPECT_GE(final_margin(*game, perfect, greedy, stream), value);
      EXPECT_LE(final_margin(*game, greedy, perfect, stream), value);
      better = better || final_margin(*game, perfect, random, stream) > value;
    }
    EXPECT_TRUE(better || value == 0) << "random play is not punished";
    const auto start = game->initial_state();
    const std::vector<Action> best = solver->solve(*start)->best;
    EXPECT_EQ(keys(choices(perfect, *start)), std::set<Action>(best.begin(), best.end()));
  }
}

class NoSolver final : public Solver {
 public:
  std::string unit() const override { return "nothing"; }
  std::optional<Solution> solve(const State&) override { return std::nullopt; }
};

template <class F>
std::string usage_error(F f) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

TEST(SolverOpponent, SaysWhenTheSolverGivesUp) {
  const auto game = dots(1, 1);
  SolverOpponent opponent(std::make_shared<NoSolver>());
  RandomStream stream(1);
  const std::string error = usage_error([&] { opponent.choose(*drawn(*game, {0, 2}), stream); });
  EXPECT_NE(error.find("ply 2"), std::string::npos) << error;
}

TEST(MakeOpponent, KnowsItsTextsAndNoOthers) {
  const GameSettings settings = dots_settings(1, 2);
  const auto game = make_game(settings);
  for (const char* text : {"random", "greedy", "alphabeta:1", "alphabeta:64", "solver"}) {
    EXPECT_TRUE(make_opponent(text, settings, *game)) << text;
  }
  for (const char* text : {"", "Random", "greedy ", "mcts:100", "network:3", "alphabeta2", "alpha"}) {
    EXPECT_FALSE(make_opponent(text, settings, *game)) << text;
  }
  for (const char* text : {"alphabeta", "alphabeta:", "alphabeta:0", "alphabeta:65", "alphabeta:-1",
                           "alphabeta:x", "alphabeta:2 ", "alphabeta:99999999999999999999"}) {
    const std::string error = usage_error([&] { make_opponent(text, settings, *game); });
    EXPECT_NE(error.find("1 to 64"), std::string::npos) << error;
  }
  const GameSettings large = dots_settings(4, 4), unsolved = settings_from_text("xiangqi");
  usage_error([&] { make_opponent("solver", large, *make_game(large)); });
  const std::string error = usage_error([&] { make_opponent("solver", unsolved, *make_game(unsolved)); });
  EXPECT_NE(error.find("xiangqi"), std::string::npos) << error;
}

// In a match the points are of player A with either colour, and moves in a row do not confuse it.
TEST(Opponents, PlayAMatchWithBothColours) {
  const GameSettings settings = dots_settings(2, 2);
  const auto game = make_game(settings);
  const auto solver = make_opponent("solver", settings, *game),
             greedy = make_opponent("greedy", settings, *game);
  Match match(*game, Player{"solver", nullptr, {}, 0, solver.get()},
              Player{"greedy", nullptr, {}, 0, greedy.get()}, make_openings(*game, 1, 0, 1, 1), 4, 1, 1);
  std::int64_t next = 0;
  int games = 0, second_wins = 0;
  const auto more = [&]() { return next < 40 ? std::optional(next++) : std::nullopt; };
  const auto finished = [&](MatchGame&& played) {
    ++games;
    EXPECT_TRUE(!played.a_first || played.points_a == 1) << "2x2 is won by who begins";
    second_wins += !played.a_first && played.points_a == 1;
    const auto state = drawn(*game, played.moves);
    ASSERT_TRUE(state->terminal());
    const float z = (state->to_move() == 0) == played.a_first ? state->outcome() : -state->outcome();
    EXPECT_EQ(played.points_a, (1 + z) / 2);
  };
  while (match.step(more, finished)) {
  }
  EXPECT_EQ(games, 40);
  EXPECT_GT(second_wins, 0);
}

}  // namespace
}  // namespace rf::testing
