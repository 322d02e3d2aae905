#include "replay/augment.h"

#include <gtest/gtest.h>

#include <numeric>

#include "games/symmetry.h"
#include "unit/replay/random_games.h"
#include "unit/store/expect_error.h"

namespace rf {
namespace {

using Policy = std::map<Action, int>;

std::vector<float> planes_of(const PackedRows& rows, const PlanePacking& packing, std::size_t row) {
  std::vector<float> planes(std::size_t(packing.planes_size()));
  const std::size_t b = std::size_t(packing.bits_bytes()), s = std::size_t(packing.scalars());
  packing.unpack(std::span(rows.planes_bits).subspan(row * b, b),
                 std::span(rows.planes_scalar).subspan(row * s, s), planes);
  return planes;
}

Policy policy_of(const PackedRows& rows, std::size_t row) {
  Policy policy;
  for (auto e = rows.policy_offset[row]; e < rows.policy_offset[row + 1]; ++e) {
    policy[rows.policy_action[std::size_t(e)]] = rows.policy_visits[std::size_t(e)];
  }
  return policy;
}

// Plays the images of the actions from the start: the rules, not the maps of cells, say what the planes are.
TEST(Augmentation, EqualsTheEncodingOfTheTransformedGame) {
  for (const auto& game : sample_games()) {
    const GameSpec& spec = game->spec();
    SCOPED_TRACE(spec.id);
    const PlanePacking packing(spec);
    const GameRecord record = random_game(*game, 4);
    PackedRows rows;
    append_game(*game, record, rows);
    std::map<std::pair<int, int>, std::size_t> row_at;
    for (std::size_t i = 0; i < std::size_t(rows.size()); ++i) row_at[{rows.ply[i], rows.symmetry[i]}] = i;
    std::set<std::pair<std::vector<float>, Policy>> stored_at_ply, seen_at_ply;
    for (std::size_t ply = 0; ply < record.plies.size(); ++ply) {
      stored_at_ply.clear();
      seen_at_ply.clear();
      for (std::size_t k = 0; k < spec.symmetries.size(); ++k) {
        // Where an action goes: the image's entry j shows entry action[j] of the original.
        const std::vector<int> to = inverse_map(spec.symmetries[k].action);
        const auto state = game->initial_state();
        for (std::size_t p = 0; p < ply; ++p) state->apply(to[std::size_t(record.plies[p].action)]);
        std::vector<float> planes(std::size_t(spec.shape.size()));
        state->encode(planes);
        Policy policy;
        for (std::size_t i = 0; i < record.plies[ply].actions.size(); ++i) {
          policy[to[std::size_t(record.plies[ply].actions[i])]] = record.plies[ply].visits[i];
        }
        seen_at_ply.insert({planes, policy});
        const auto found = row_at.find({int(ply), int(k)});
        if (found == row_at.end()) continue;
        const std::size_t row = found->second;
        EXPECT_EQ(planes_of(rows, packing, row), planes) << "ply " << ply << " symmetry " << k;
        EXPECT_EQ(policy_of(rows, row), policy) << "ply " << ply << " symmetry " << k;
        const float z = state->to_move() == 0 ? record.outcome_first : -record.outcome_first;
        EXPECT_EQ(rows.outcome[row], z);
        EXPECT_EQ(rows.to_move[row], state->to_move());
        EXPECT_EQ(rows.root_value[row], record.plies[ply].root_value);
        EXPECT_EQ(rows.unique[row], k == 0);
        EXPECT_TRUE(stored_at_ply.insert({planes, policy}).second) << "an equal image is stored twice";
      }
      EXPECT_EQ(stored_at_ply, seen_at_ply) << "ply " << ply << ": an image is missing";
    }
    EXPECT_EQ(std::accumulate(rows.unique.begin(), rows.unique.end(), 0), int(record.plies.size()));
  }
}

TEST(Augmentation, PolicyMovesWithTheBoard) {
  const auto game = gomoku(7, 6, 4, 0);
  GameRecord record = random_game(*game, 0);
  record.plies[0] = {0, 0.f, {0}, {10}};  // all visits in one corner
  // Make the game whole again: corner first, the rest at random.
  const auto state = game->initial_state();
  std::vector<PlyRecord> plies = {record.plies[0]};
  state->apply(0);
  for (Action a = 1; !state->terminal(); ++a) {
    plies.push_back({a, 0.f, {a}, {1}});
    state->apply(a);
  }
  record.plies = plies;
  record.outcome_first = state->to_move() == 0 ? state->outcome() : -state->outcome();
  record.end_reason = std::string(state->end_reason());
  PackedRows rows;
  append_game(*game, record, rows);
  std::set<Action> corners;
  for (std::size_t i = 0; rows.ply[i] == 0; ++i) corners.insert(policy_of(rows, i).begin()->first);
  EXPECT_EQ(corners, (std::set<Action>{0, 6, 35, 41})) << "the empty board with four policies";
  const PlanePacking packing(game->spec());
  for (std::size_t i = 0; i < std::size_t(rows.size()); ++i) {
    if (rows.ply[i] != 1) continue;
    const auto planes = planes_of(rows, packing, i);
    const auto other = std::find(planes.begin() + 42, planes.end(), 1.f) - planes.begin() - 42;
    const Action next_to = policy_of(rows, i).begin()->first;
    EXPECT_EQ(std::abs(next_to - int(other)), 1) << "the reply stays beside the stone";
  }
}

TEST(Augmentation, SymmetricPositionsAreStoredOnce) {
  const auto game = make_game({"tic_tac_toe", {}});
  GameRecord record = random_game(*game, 0);
  auto& first = record.plies[0];
  first.actions = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  first.visits.assign(9, 5);
  PackedRows rows;
  append_game(*game, record, rows);
  EXPECT_EQ(std::count(rows.ply.begin(), rows.ply.end(), 0), 1) << "empty board, even policy: one image";
  first.visits[0] = 6;
  rows = {};
  append_game(*game, record, rows);
  EXPECT_EQ(std::count(rows.ply.begin(), rows.ply.end(), 0), 4) << "one corner preferred: four images";
}

TEST(Augmentation, PlyWithoutVisitsHasNoRow) {
  const auto game = gomoku(6, 6, 4, 0);
  GameRecord record = random_game(*game, 0);
  record.plies[2].actions.clear();
  record.plies[2].visits.clear();
  PackedRows rows;
  append_game(*game, record, rows);
  EXPECT_EQ(std::count(rows.ply.begin(), rows.ply.end(), 2), 0);
  EXPECT_GT(std::count(rows.ply.begin(), rows.ply.end(), 3), 0);
}

TEST(Augmentation, RefusesRecordsThatTheRulesContradict) {
  const auto game = gomoku(6, 6, 4, 0);
  const GameRecord good = random_game(*game, 17);
  const auto refused = [&](const std::string& why, auto change) {
    GameRecord record = good;
    change(record);
    PackedRows rows;
    expect_error(ExitCode::kInternal, {"game 17", why}, [&] { append_game(*game, record, rows); });
    EXPECT_EQ(rows, PackedRows{});
  };
  refused("not legal", [](GameRecord& r) { r.plies[1].action = r.plies[0].action; });
  refused("not legal", [](GameRecord& r) { r.plies[1].action = 36; });
  refused("which is not legal", [](GameRecord& r) {
    r.plies[1] = {r.plies[1].action, 0.f, {r.plies[0].action}, {1}};
  });
  refused("do not ascend", [](GameRecord& r) { r.plies[0] = {r.plies[0].action, 0.f, {3, 3}, {1, 1}}; });
  refused("without visits", [](GameRecord& r) { r.plies[0].visits[0] = 0; });
  refused("differ in number", [](GameRecord& r) { r.plies[0].visits.push_back(1); });
  refused("value", [](GameRecord& r) { r.plies[0].root_value = std::numeric_limits<float>::quiet_NaN(); });
  refused("outcome", [](GameRecord& r) { r.outcome_first = r.outcome_first == 1 ? -1 : 1; });
  refused("end is given", [](GameRecord& r) { r.end_reason = "resigned"; });
  refused("not over", [](GameRecord& r) { r.plies.pop_back(); });
  refused("over before", [](GameRecord& r) { r.plies.push_back(r.plies.back()); });
}

}  // namespace
}  // namespace rf
