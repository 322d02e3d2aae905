#include "learn/checkpoint.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "learning_fixtures.h"
#include "scratch_folder.h"

namespace rf::testing {
namespace {

Checkpoint state_of(const Trainer& trainer, const TrainCurve& curve, std::int64_t batches) {
  return {"run/1/10", batches, trainer.rate_multiplier(), trainer.optimizer_state(), trainer.weights(),
          curve,      ""};
}

class CheckpointTest : public ::testing::TestWithParam<std::tuple<OptimizerKind, Schedule>> {
 protected:
  CheckpointTest() {
    torch::set_num_threads(1);
    config_.optimizer = std::get<0>(GetParam());
    config_.schedule = std::get<1>(GetParam());
    config_.learning_rate = 0.01;
    config_.weight_decay = 0.01;
    config_.epochs_per_batch = 2;
    config_.kl_target = 1e-5;  // above it always: the rate falls
  }

  TrainConfig config_;
  Architecture architecture_ = small_architecture();
  Weights start_ = initial_weights(architecture_, 5);
};

TEST_P(CheckpointTest, TenStepsTwiceAreTwentyStepsBitForBit) {
  ScratchFolder folder;
  Trainer whole(architecture_, start_, config_), first(architecture_, start_, config_);
  TrainCurve whole_curve(20, 4), curve(20, 4);
  for (int i = 0; i < 20; ++i) whole_curve.add(train_on(whole, random_batch(i)));
  for (int i = 0; i < 10; ++i) curve.add(train_on(first, random_batch(i)));
  write_checkpoint(folder / "checkpoint.h5", architecture_, state_of(first, curve, 10));

  const Checkpoint back = read_checkpoint(folder / "checkpoint.h5", architecture_);
  EXPECT_EQ(back.set_id, "run/1/10");
  EXPECT_EQ(back.batches, 10);
  EXPECT_EQ(back.curve.to_numbers(), curve.to_numbers());
  EXPECT_EQ(back.rate_multiplier, first.rate_multiplier());
  ASSERT_TRUE(back.weights.has_value());
  Trainer second(architecture_, *back.weights, config_);
  second.restore(back.optimizer, back.rate_multiplier);
  for (int i = 10; i < 20; ++i) train_on(second, random_batch(i));

  EXPECT_EQ(second.weights(), whole.weights());
  EXPECT_EQ(second.steps(), whole.steps());
  EXPECT_EQ(second.optimizer_state().first, whole.optimizer_state().first);
  EXPECT_EQ(second.optimizer_state().second, whole.optimizer_state().second);
  EXPECT_EQ(second.rate_multiplier(), whole.rate_multiplier());
  EXPECT_EQ(whole.rate_multiplier() != 1, config_.schedule == Schedule::kKlAdaptive);

  // What the state is for: without it the second half goes elsewhere.
  Trainer forgetful(architecture_, *back.weights, config_);
  for (int i = 10; i < 20; ++i) train_on(forgetful, random_batch(i));
  EXPECT_NE(forgetful.weights(), whole.weights());
}

INSTANTIATE_TEST_SUITE_P(All, CheckpointTest,
                         ::testing::Combine(::testing::Values(OptimizerKind::kSgd, OptimizerKind::kAdam,
                                                              OptimizerKind::kAdamw),
                                            ::testing::Values(Schedule::kConstant, Schedule::kKlAdaptive)),
                         [](const auto& info) {
                           return std::string(kOptimizerNames[int(std::get<0>(info.param))]) + "_" +
                                  std::string(kScheduleNames[int(std::get<1>(info.param))]);
                         });

std::string refusal(const std::filesystem::path& path, const Architecture& architecture) {
  try {
    read_checkpoint(path, architecture);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadData) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "not refused";
  return "";
}

TEST(Checkpoint, OfAnotherArchitectureOrGameIsRefusedByName) {
  ScratchFolder folder;
  const Architecture ours = small_architecture(4);
  Trainer trainer(ours, initial_weights(ours, 1), {});
  const auto path = folder / "checkpoint.h5";
  write_checkpoint(path, ours, state_of(trainer, TrainCurve(), 0));
  const std::string wider = refusal(path, small_architecture(6));
  EXPECT_NE(wider.find(path.string()), std::string::npos) << wider;
  EXPECT_NE(wider.find(architecture_text(ours)), std::string::npos) << wider;
  EXPECT_NE(wider.find(architecture_text(small_architecture(6))), std::string::npos) << wider;
  Architecture other_game = ours;
  other_game.game_id = "gomoku width=3 height=3 line=3 planes=own2";
  const std::string game = refusal(path, other_game);
  EXPECT_NE(game.find("tic_tac_toe"), std::string::npos) << game;
  EXPECT_NE(game.find("gomoku width=3"), std::string::npos) << game;
  // The text of an architecture does not name the heads.
  Architecture other_heads = ours;
  other_heads.network.value_width = 9;
  EXPECT_NE(refusal(path, other_heads).find("value.hidden"), std::string::npos);
}

TEST(Checkpoint, WithoutWeightsTiesItselfToTheNetwork) {
  ScratchFolder folder;
  const Architecture ours = small_architecture();
  Trainer trainer(ours, initial_weights(ours, 1), {});
  train_on(trainer, random_batch(1));
  Checkpoint state = state_of(trainer, TrainCurve(), 1);
  state.weights.reset();
  state.network_digest = "abc";
  write_checkpoint(folder / "training.h5", ours, state);
  const Checkpoint back = read_checkpoint(folder / "training.h5", ours);
  EXPECT_FALSE(back.weights.has_value());
  EXPECT_EQ(back.network_digest, "abc");
  EXPECT_EQ(back.optimizer.steps, 1);
  EXPECT_EQ(back.optimizer.first, trainer.optimizer_state().first);
}

}  // namespace
}  // namespace rf::testing
