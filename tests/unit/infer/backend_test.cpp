#include "infer/backend.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"
#include "infer/onednn_api.h"
#include "infer/plain_forward.h"

namespace rf {
namespace {

// The plain loops behind the face of a backend, with an error of the test's choice.
class PretendedTorch final : public ForwardPass {
 public:
  PretendedTorch(const FoldedNetwork& network, int rows, float error)
      : ForwardPass(network.architecture, rows),
        network_(network),
        error_(error),
        outputs_(std::size_t(rows)) {}
  const BackendFacts& facts() const override { return facts_; }
  void run(int rows) override {
    for (int i = 0; i < rows; ++i) outputs_[std::size_t(i)] = plain_forward(network_, planes(i));
  }
  void logits(int row, std::span<const int> actions, std::span<float> logits) override {
    for (std::size_t i = 0; i < actions.size(); ++i)
      logits[i] = outputs_[std::size_t(row)].logits[std::size_t(actions[i])] + (actions[i] == 5 ? error_ : 0);
  }
  float value(int row) override { return outputs_[std::size_t(row)].value; }

 private:
  BackendFacts facts_{"torch", "0", "f32", ""};
  FoldedNetwork network_;
  float error_;
  std::vector<PlainOutput> outputs_;
};

Architecture architecture() {
  NetworkConfig network;
  network.blocks = 1;
  network.channels = 16;
  return {"some game", 2, 5, 4, 20, network};
}

MakeTorch pretended_torch(float error) {
  return [error](const FoldedNetwork& network, int rows) {
    return std::make_unique<PretendedTorch>(network, rows, error);
  };
}

std::unique_ptr<ForwardPass> no_torch(const FoldedNetwork&, int) {
  fail(ExitCode::kInternal, "torch was asked for");
}

TEST(ChooseBackend, TakesOnednnByItself) {
  const Architecture a = architecture();
  const ChosenBackend chosen = choose_backend(a, initial_weights(a, 1), 8, {}, no_torch);
  EXPECT_EQ(chosen.forward->facts().backend, "onednn");
  EXPECT_EQ(chosen.forward->facts().precision, onednn::bf16_is_faster() ? "bf16" : "f32");
  EXPECT_TRUE(chosen.warnings.empty());
}

TEST(ChooseBackend, KeepsToThePrecisionThatIsAskedFor) {
  const Architecture a = architecture();
  const auto f32 =
      choose_backend(a, initial_weights(a, 1), 8, {BackendKind::kAuto, PrecisionKind::kF32}, no_torch);
  EXPECT_EQ(f32.forward->facts().precision, "f32");
  const auto bf16 =
      choose_backend(a, initial_weights(a, 1), 8, {BackendKind::kOnednn, PrecisionKind::kBf16}, no_torch);
  if (onednn::has_bf16()) {
    EXPECT_EQ(bf16.forward->facts().precision, "bf16");
  } else {  // never without a word
    EXPECT_EQ(bf16.forward->facts().precision, "f32");
    ASSERT_EQ(bf16.warnings.size(), 1u);
    EXPECT_NE(bf16.warnings[0].find("does not multiply bf16"), std::string::npos);
  }
}

TEST(ChooseBackend, TakesTorchWhenAsked) {
  const Architecture a = architecture();
  const auto chosen = choose_backend(a, initial_weights(a, 1), 8, {BackendKind::kTorch, PrecisionKind::kF32},
                                     pretended_torch(0));
  EXPECT_EQ(chosen.forward->facts().backend, "torch");
}

TEST(ChooseBackend, NothingThatFailsItsSelfTestPlays) {
  const Architecture a = architecture();
  const float infinity = std::numeric_limits<float>::infinity();
  for (float error :
       {0.01f, infinity, std::numeric_limits<float>::quiet_NaN()}) {  // of one logit among right ones
    try {
      choose_backend(a, initial_weights(a, 1), 8, {BackendKind::kTorch, PrecisionKind::kF32},
                     pretended_torch(error));
      FAIL() << "accepted " << error;
    } catch (const Error& refusal) {
      EXPECT_EQ(refusal.code(), ExitCode::kInternal);
      const std::string by = error < 1 ? "0.01" : "inf";  // NaN is beyond any tolerance too
      EXPECT_NE(std::string(refusal.what()).find("self-test of torch 0, f32 failed (logits differ by " + by),
                std::string::npos)
          << refusal.what();
    }
  }
}

TEST(ChooseBackend, RefusesDamagedWeights) {
  const Architecture a = architecture();
  Weights weights = initial_weights(a, 1);
  weights.erase("value.out.bias");
  EXPECT_THROW(choose_backend(a, weights, 8, {}, no_torch), Error);
}

}  // namespace
}  // namespace rf
