// links: rf_games
// What every game promises in games/game.h, by random play.
#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "base/error.h"
#include "base/random_stream.h"
#include "game_settings.h"
#include "games/symmetry.h"

namespace rf::testing {
namespace {

std::vector<Action> legal_of(const State& state) {
  std::vector<Action> legal = {-7};  // must be thrown away
  state.legal_actions(legal);
  return legal;
}

std::vector<float> planes_of(const Game& game, const State& state) {
  std::vector<float> planes(std::size_t(game.spec().shape.size()), std::numeric_limits<float>::quiet_NaN());
  state.encode(planes);
  return planes;
}

void expect_equal_states(const Game& game, const State& a, const State& b) {
  EXPECT_EQ(a.ply(), b.ply());
  EXPECT_EQ(a.to_move(), b.to_move());
  EXPECT_EQ(a.terminal(), b.terminal());
  EXPECT_EQ(a.hash(), b.hash());
  EXPECT_EQ(a.text(), b.text());
  EXPECT_EQ(legal_of(a), legal_of(b));
  EXPECT_EQ(planes_of(game, a), planes_of(game, b));
  if (a.terminal() && b.terminal()) {
    EXPECT_EQ(a.outcome(), b.outcome());
    EXPECT_EQ(a.end_reason(), b.end_reason());
  }
}

class GameContract : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { game_ = game_from_text(GetParam()); }
  const GameSpec& spec() const { return game_->spec(); }

  // Hundreds of games where they are short, dozens where a board is large.
  int num_games(int max = 400) const { return std::clamp(40000 / spec().max_plies, 30, max); }

  // Plays game number `index` at random; visit(state) sees every state, the initial and the last included.
  template <class Visit>
  void play(int index, Visit visit) const {
    RandomStream stream = make_stream(7, 0, std::uint64_t(index), Purpose::kTest);
    const auto state = game_->initial_state();
    std::vector<Action> legal;
    for (;;) {
      visit(*state);
      if (::testing::Test::HasFailure() || state->terminal()) return;
      state->legal_actions(legal);
      state->apply(legal[stream.below(std::uint32_t(legal.size()))]);
    }
  }
  template <class Visit>
  void play_all(Visit visit, int max_games = 400) const {
    for (int i = 0; i < num_games(max_games) && !HasFailure(); ++i) play(i, visit);
  }

  std::unique_ptr<Game> game_;
};

TEST_P(GameContract, SpecIsConsistent) {
  EXPECT_EQ(spec().name, settings_from_text(GetParam()).name);
  EXPECT_GT(spec().num_actions, 0);
  EXPECT_GT(spec().max_plies, 0);
  EXPECT_GT(spec().shape.planes, 0);
  EXPECT_GT(spec().shape.cells(), 0);
  EXPECT_EQ(int(spec().plane_kinds.size()), spec().shape.planes);
  ASSERT_FALSE(spec().symmetries.empty());
}

TEST_P(GameContract, IdMakesTheSameGameAgain) {
  EXPECT_TRUE(spec().id.starts_with(spec().name));
  const auto again = game_from_text(spec().id);
  EXPECT_EQ(again->spec().id, spec().id);
  EXPECT_EQ(again->spec().shape, spec().shape);
  EXPECT_EQ(again->spec().symmetries, spec().symmetries);
  expect_equal_states(*game_, *again->initial_state(), *game_->initial_state());
}

TEST_P(GameContract, StartsAtPlyZeroWithPlayerZeroOrOne) {
  const auto state = game_->initial_state();
  EXPECT_EQ(state->ply(), 0);
  EXPECT_FALSE(state->terminal());
  EXPECT_NE(state->hash(), 0u);
  EXPECT_TRUE(state->to_move() == 0 || state->to_move() == 1);
  expect_equal_states(*game_, *state, *game_->initial_state());
}

TEST_P(GameContract, LegalActionsAreAscendingAndAgreeWithTheMask) {
  play_all([&](const State& state) {
    const std::vector<Action> legal = legal_of(state);
    EXPECT_EQ(legal.empty(), state.terminal());
    EXPECT_TRUE(std::is_sorted(legal.begin(), legal.end()));
    std::vector<Action> mask;
    for (Action a = 0; a < spec().num_actions; ++a) {
      if (state.is_legal(a)) mask.push_back(a);
    }
    EXPECT_EQ(legal, mask);
    for (Action a : {-1, spec().num_actions, INT_MIN, INT_MAX}) EXPECT_FALSE(state.is_legal(a)) << a;
  });
}

TEST_P(GameContract, EndsWithinMaxPliesWithAnOutcomeAndAReason) {
  std::set<float> outcomes;
  play_all([&](const State& state) {
    EXPECT_LE(state.ply(), spec().max_plies);
    EXPECT_TRUE(state.to_move() == 0 || state.to_move() == 1);
    if (!state.terminal()) return;
    EXPECT_TRUE(state.outcome() == -1 || state.outcome() == 0 || state.outcome() == 1) << state.outcome();
    EXPECT_FALSE(state.end_reason().empty());
    outcomes.insert(state.outcome());
  });
  EXPECT_FALSE(outcomes.empty());
}

TEST_P(GameContract, PlyCountsActions) {
  play(0, [&, expected = 0](const State& state) mutable { EXPECT_EQ(state.ply(), expected++); });
}

TEST_P(GameContract, EncodeWritesEveryEntryOfItsPlaneKind) {
  play_all([&](const State& state) {
    const std::vector<float> planes = planes_of(*game_, state);
    const std::size_t cells = std::size_t(spec().shape.cells());
    for (std::size_t c = 0; c < spec().plane_kinds.size(); ++c) {
      for (std::size_t k = 0; k < cells; ++k) {
        const float x = planes[c * cells + k];
        if (spec().plane_kinds[c] == PlaneKind::kBits) {
          ASSERT_TRUE(x == 0 || x == 1) << "plane " << c << " cell " << k << ": " << x;
        } else {
          ASSERT_TRUE(std::isfinite(x) && x == planes[c * cells])
              << "plane " << c << " cell " << k << ": " << x;
        }
      }
    }
  });
}

TEST_P(GameContract, EncodeTellsWhatWasPlayed) {
  play_all(
      [&](const State& state) {
        std::set<std::vector<float>> seen = {planes_of(*game_, state)};
        for (Action a : legal_of(state)) {
          const auto child = state.clone();
          child->apply(a);
          EXPECT_TRUE(seen.insert(planes_of(*game_, *child)).second) << "action " << a << "\n"
                                                                     << state.text();
        }
      },
      spec().max_plies < 60 ? 20 : 0);
}

TEST_P(GameContract, HashFollowsTheEncoding) {
  std::map<std::vector<float>, std::uint64_t> hash_of;
  std::map<std::uint64_t, std::vector<float>> planes_by_hash;
  play_all([&](const State& state) {
    if (hash_of.size() > 20000) return;
    const std::vector<float> planes = planes_of(*game_, state);
    EXPECT_EQ(hash_of.try_emplace(planes, state.hash()).first->second, state.hash()) << state.text();
    EXPECT_EQ(planes_by_hash.try_emplace(state.hash(), planes).first->second, planes) << state.text();
  });
  EXPECT_GT(hash_of.size(), 2u);
}

TEST_P(GameContract, CloneIsEqualAndIndependent) {
  RandomStream stream = make_stream(8, 0, 0, Purpose::kTest);
  play_all(
      [&](const State& state) {
        const auto copy = state.clone();
        expect_equal_states(*game_, state, *copy);
        if (state.terminal()) return;
        const auto untouched = state.clone();
        const std::vector<Action> legal = legal_of(state);
        copy->apply(legal[stream.below(std::uint32_t(legal.size()))]);
        EXPECT_EQ(copy->ply(), state.ply() + 1);
        expect_equal_states(*game_, state, *untouched);
      },
      40);
}

TEST_P(GameContract, AssignGivesTheSameGameFromThereOn) {
  const auto target = game_->initial_state();
  for (int i = 0; i < 20 && !HasFailure(); ++i) {
    std::unique_ptr<State> follower;
    RandomStream stream = make_stream(9, 0, std::uint64_t(i), Purpose::kTest);
    const auto state = game_->initial_state();
    while (!state->terminal()) {
      target->assign(*state);  // over whatever the last game left in it
      expect_equal_states(*game_, *state, *target);
      const std::vector<Action> legal = legal_of(*state);
      const Action a = legal[stream.below(std::uint32_t(legal.size()))];
      target->apply(a);
      EXPECT_EQ(state->ply() + 1, target->ply());
      state->apply(a);
      expect_equal_states(*game_, *state, *target);
    }
  }
}

TEST_P(GameContract, NotationRoundTripsAndIsUnique) {
  play_all(
      [&](const State& state) {
        std::set<std::string> texts;
        for (Action a : legal_of(state)) {
          const std::string text = game_->action_text(state, a);
          EXPECT_FALSE(text.empty());
          EXPECT_TRUE(texts.insert(text).second) << text << " names two actions";
          const std::optional<Action> parsed = game_->parse_action(state, text);
          ASSERT_TRUE(parsed.has_value()) << text;
          EXPECT_EQ(*parsed, a) << text;
        }
      },
      40);
}

TEST_P(GameContract, ParseRefusesGarbageAndWhatIsNotLegal) {
  const std::vector<std::string> garbage = {"",
                                            " ",
                                            "\n",
                                            "\t",
                                            std::string(1, '\0'),
                                            "-",
                                            "--",
                                            "+1",
                                            "a+1",
                                            "a-1",
                                            "a1;",
                                            "%s%n%x",
                                            "NaN",
                                            "1e3",
                                            "a99999999999999999999",
                                            "zzzzzz1",
                                            "\xff\xfe",
                                            "\xef\xbc\x91",
                                            "a 1",
                                            "a\n1",
                                            "(a1)",
                                            "a1,b2",
                                            "0x1f",
                                            std::string(10000, 'a'),
                                            std::string(10000, '9'),
                                            "a" + std::string(10000, '0') + "1",
                                            "null",
                                            "../a1"};
  std::set<std::string> history;
  play_all(
      [&](const State& state) {
        for (const std::string& text : garbage) {
          EXPECT_FALSE(game_->parse_action(state, text).has_value()) << "'" << text.substr(0, 40) << "'";
        }
        const std::vector<Action> legal = legal_of(state);
        for (std::size_t i = 0; i < legal.size(); i += 7) {
          const std::string text = game_->action_text(state, legal[i]);
          history.insert(text);
          for (const std::string& wrong :
               {text + " ", " " + text, text + "\n", text + std::string(1, '\0'), text + "?", "_" + text}) {
            EXPECT_FALSE(game_->parse_action(state, wrong).has_value()) << "'" << wrong << "'";
          }
          // Twice a number may be the number of another action.
          const std::optional<Action> twice = game_->parse_action(state, text + text);
          EXPECT_TRUE(!twice || game_->action_text(state, *twice) == text + text) << text;
        }
        for (const std::string& text : history) {  // much of it is no longer legal
          const std::optional<Action> parsed = game_->parse_action(state, text);
          EXPECT_TRUE(!parsed || state.is_legal(*parsed)) << text << "\n" << state.text();
          EXPECT_FALSE(parsed && state.terminal()) << text;
        }
      },
      20);
}

TEST_P(GameContract, TextShowsTheState) {
  play(0, [&, previous = std::string()](const State& state) mutable {
    EXPECT_NE(state.text(), previous);
    EXPECT_TRUE(state.text().ends_with('\n'));
    previous = state.text();
  });
}

TEST_P(GameContract, SymmetriesAreAGroup) {
  const auto& group = spec().symmetries;
  const auto contains = [&](const Symmetry& s) {
    return std::find(group.begin(), group.end(), s) != group.end();
  };
  for (std::size_t i = 0; i < group.size(); ++i) {
    for (const auto& [map, size] :
         {std::pair(group[i].cell, spec().shape.cells()), std::pair(group[i].action, spec().num_actions)}) {
      std::vector<int> sorted = map;
      std::sort(sorted.begin(), sorted.end());
      ASSERT_EQ(int(sorted.size()), size);
      for (int k = 0; k < size; ++k) {
        ASSERT_EQ(sorted[std::size_t(k)], k) << "symmetry " << i << " is no permutation";
        EXPECT_TRUE(i > 0 || map[std::size_t(k)] == k) << "the first must be the identity";
      }
    }
    EXPECT_TRUE(contains({inverse_map(group[i].cell), inverse_map(group[i].action)})) << "inverse of " << i;
    for (std::size_t j = 0; j < group.size(); ++j) {
      EXPECT_EQ(group[i] == group[j], i == j) << i << " " << j;
      EXPECT_TRUE(contains(
          {compose_maps(group[i].cell, group[j].cell), compose_maps(group[i].action, group[j].action)}))
          << i << " then " << j;
    }
  }
}

TEST_P(GameContract, SymmetriesCommuteWithPlay) {
  const auto& group = spec().symmetries;
  std::vector<std::vector<int>> to_image;  // [K, A] the image of action a
  for (const Symmetry& s : group) to_image.push_back(inverse_map(s.action));
  std::vector<float> gathered(std::size_t(spec().shape.size()));
  for (int game = 0; game < num_games(100) && !HasFailure(); ++game) {
    RandomStream stream = make_stream(10, 0, std::uint64_t(game), Purpose::kTest);
    const auto state = game_->initial_state();
    std::vector<std::unique_ptr<State>> images;
    for (std::size_t k = 0; k < group.size(); ++k) images.push_back(game_->initial_state());
    for (;;) {
      const std::vector<float> planes = planes_of(*game_, *state);
      const std::vector<Action> legal = legal_of(*state);
      for (std::size_t k = 0; k < group.size(); ++k) {
        const State& image = *images[k];
        gather_planes(planes, group[k].cell, gathered);
        ASSERT_EQ(planes_of(*game_, image), gathered) << "symmetry " << k << "\n"
                                                      << state->text() << image.text();
        std::vector<Action> mapped;
        for (Action a : legal) mapped.push_back(to_image[k][std::size_t(a)]);
        std::sort(mapped.begin(), mapped.end());
        ASSERT_EQ(legal_of(image), mapped) << "symmetry " << k;
        ASSERT_EQ(image.to_move(), state->to_move());
        ASSERT_EQ(image.terminal(), state->terminal());
        if (state->terminal()) {
          ASSERT_EQ(image.outcome(), state->outcome());
          ASSERT_EQ(image.end_reason(), state->end_reason());
        }
      }
      if (state->terminal()) break;
      const Action a = legal[stream.below(std::uint32_t(legal.size()))];
      state->apply(a);
      for (std::size_t k = 0; k < group.size(); ++k) images[k]->apply(to_image[k][std::size_t(a)]);
    }
  }
}

#ifdef RF_ASSERTS
TEST_P(GameContract, IllegalActionsAreCaughtInAuditBuilds) {
  const auto state = game_->initial_state();
  EXPECT_DEATH(state->apply(spec().num_actions), "assertion failed");
  EXPECT_DEATH(state->apply(-1), "assertion failed");
  EXPECT_DEATH((void)state->outcome(), "assertion failed");
}
#endif

INSTANTIATE_TEST_SUITE_P(All, GameContract, ::testing::ValuesIn(contract_games()), test_name);

}  // namespace
}  // namespace rf::testing
