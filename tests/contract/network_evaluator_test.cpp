// links: rf_infer
// Every inference backend, on every game and kind of network, against the network as trained.
#include "evaluator_contract.h"

#include "base/error.h"
#include "eval/symmetry_evaluator.h"
#include "games/symmetry.h"
#include "infer/backend.h"
#include "infer/network_evaluator.h"
#include "infer/onednn_api.h"
#include "infer/torch_forward.h"
#include "torchnet/torch_net.h"

namespace rf::testing {
namespace {

Architecture architecture_for(const Game& game, const NetworkConfig& network) {
  const GameSpec& spec = game.spec();
  return {spec.id, spec.shape.planes, spec.shape.rows, spec.shape.cols, spec.num_actions, network};
}

// Weights that use the whole range: running statistics and scales away from their first values.
Weights lively_weights(const Architecture& architecture) {
  Weights weights = initial_weights(architecture, 3);
  RandomStream stream(4);
  for (auto& [name, tensor] : weights) {
    if (name.ends_with("running_var") || name.ends_with("bn.weight")) {
      for (float& w : tensor) w = float(0.5 + stream.uniform());
    } else if (name.ends_with("bias") || name.ends_with("running_mean")) {
      for (float& w : tensor) w = float(0.2 * stream.normal());
    } else if (name == "policy.linear.weight" || name == "value.out.weight") {
      for (float& w : tensor) w *= 10;
    }
  }
  return weights;
}

std::vector<NetworkConfig> networks() {
  NetworkConfig residual, deep, plain, plain_bn, elu;
  residual.blocks = 2;
  residual.channels = 16;
  deep.blocks = 0;
  deep.channels = 5;
  plain.kind = NetworkKind::kPlain;
  plain.batch_norm = false;
  plain_bn.kind = NetworkKind::kPlain;
  plain_bn.plain_channels = {7, 9};
  elu.activation = Activation::kElu;
  elu.channels = 8;
  return {residual, deep, plain, plain_bn, elu};
}

// What is asked for, and how far priors and values may be from those of the network as trained.
struct Backend {
  const char* name;
  InferenceConfig config;
  double tolerance;
};
constexpr Backend kBackends[] = {{"onednn f32", {BackendKind::kOnednn, PrecisionKind::kF32}, 1e-5},
                                 {"onednn bf16", {BackendKind::kOnednn, PrecisionKind::kBf16}, 0.03},
                                 {"torch", {BackendKind::kTorch, PrecisionKind::kF32}, 1e-5}};

std::unique_ptr<ForwardPass> make_torch(const FoldedNetwork& network, int rows) {
  return std::make_unique<TorchForward>(network, rows);
}

NetworkEvaluator make_evaluator(const Game& game, const Architecture& architecture, const Weights& weights,
                                const InferenceConfig& config, int max_batch) {
  ChosenBackend chosen = choose_backend(architecture, weights, max_batch, config, make_torch);
  // On processors of today nothing falls back.
  if (config.backend == BackendKind::kOnednn && onednn::processor_name().starts_with("avx512")) {
    EXPECT_EQ(chosen.forward->facts().backend, "onednn") << architecture_text(architecture);
    if (onednn::has_bf16()) {
      EXPECT_EQ(chosen.forward->facts().precision, kPrecisionKindNames[std::size_t(config.precision)]);
      EXPECT_TRUE(chosen.warnings.empty()) << chosen.warnings.front();
    }
  }
  return {game, "test", max_batch, std::move(chosen.forward)};
}

// The network as trained: batch norm not folded, one position after the other.
std::vector<Answer> answers_of_training(const Game& game, const Architecture& architecture,
                                        const Weights& weights,
                                        const std::vector<std::unique_ptr<State>>& positions) {
  TorchNet net(architecture, weights);
  const Shape shape = game.spec().shape;
  std::vector<Answer> answers;
  std::vector<Action> legal;
  for (const auto& position : positions) {
    torch::Tensor planes = torch::zeros({1, shape.planes, shape.rows, shape.cols});
    position->encode({planes.data_ptr<float>(), std::size_t(shape.size())});
    const torch::NoGradGuard guard;
    const NetOutput out = net.forward(planes, false);
    position->legal_actions(legal);
    const torch::Tensor logits = out.policy_logits.contiguous();
    Answer answer{std::vector<float>(legal.size()), out.value.item<float>()};
    softmax_legal({logits.data_ptr<float>(), std::size_t(logits.numel())}, legal, answer.prior);
    answers.push_back(std::move(answer));
  }
  return answers;
}

class NetworkEvaluatorContract : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Game> game_ = game_from_text(GetParam());
};

TEST_P(NetworkEvaluatorContract, KeepsTheContract) {
  for (const Backend& backend : kBackends) {
    for (const NetworkConfig& network : networks()) {
      SCOPED_TRACE(backend.name);
      const Architecture architecture = architecture_for(*game_, network);
      auto evaluator = make_evaluator(*game_, architecture, lively_weights(architecture), backend.config, 16);
      // With onednn an answer does not depend on the batch it is in, to the bit.
      expect_evaluator_contract(*game_, evaluator, evaluator.facts().backend == "onednn" ? 0 : 1e-5);
      EXPECT_EQ(evaluator.repaired(), 0);
    }
  }
}

TEST_P(NetworkEvaluatorContract, AgreesWithTheTrainingNetwork) {
  const auto positions = random_positions(*game_, 40);
  for (const NetworkConfig& network : networks()) {
    const Architecture architecture = architecture_for(*game_, network);
    const Weights weights = lively_weights(architecture);
    const std::vector<Answer> trained = answers_of_training(*game_, architecture, weights, positions);
    for (const Backend& backend : kBackends) {
      SCOPED_TRACE(std::string(backend.name) + ", " + architecture_text(architecture));
      auto evaluator = make_evaluator(*game_, architecture, weights, backend.config, 64);
      expect_close(ask(*game_, evaluator, positions), trained, backend.tolerance);
    }
  }
}

TEST_P(NetworkEvaluatorContract, ASymmetryIsTheAnswerAtTheImageTurnedBack) {
  // Independent of the evaluator's own maps: play the mapped moves on a second board and ask there.
  const Architecture architecture = architecture_for(*game_, networks()[0]);
  auto evaluator =
      make_evaluator(*game_, architecture, lively_weights(architecture), kBackends[0].config, 64);
  const auto& symmetries = game_->spec().symmetries;
  RandomStream stream(5);
  for (std::size_t s = 0; s < symmetries.size(); ++s) {
    const std::vector<int> to_image = inverse_map(symmetries[s].action);
    std::vector<std::unique_ptr<State>> one, image;
    one.push_back(game_->initial_state());
    image.push_back(game_->initial_state());
    std::vector<Action> legal, image_legal;
    for (int ply = 0; ply < 4; ++ply) {
      one[0]->legal_actions(legal);
      const Action a = legal[stream.below(std::uint32_t(legal.size()))];
      const auto probe = one[0]->clone();
      probe->apply(a);
      if (probe->terminal()) break;
      one[0]->apply(a);
      image[0]->apply(to_image[std::size_t(a)]);
    }
    const auto seen = ask(*game_, evaluator, one, int(s));
    const auto there = ask(*game_, evaluator, image);
    EXPECT_NEAR(seen[0].value, there[0].value, 1e-5);
    one[0]->legal_actions(legal);
    image[0]->legal_actions(image_legal);
    for (std::size_t k = 0; k < legal.size(); ++k) {
      const Action mapped = to_image[std::size_t(legal[k])];
      const auto at = std::find(image_legal.begin(), image_legal.end(), mapped) - image_legal.begin();
      ASSERT_LT(std::size_t(at), image_legal.size());
      EXPECT_NEAR(seen[0].prior[k], there[0].prior[std::size_t(at)], 1e-5) << "symmetry " << s;
    }
  }
}

// Every registered game, and boards of other shapes.
std::vector<std::string> network_games() {
  std::vector<std::string> games;
  for (const GameEntry& entry : game_entries()) games.emplace_back(entry.name);
  for (const char* variant :
       {"gomoku width=6 height=6 line=4 planes=own2", "gomoku width=7 height=9 line=5 planes=classic4",
        "gomoku width=1 height=5 line=3"}) {
    games.emplace_back(variant);
  }
  return games;
}

INSTANTIATE_TEST_SUITE_P(Games, NetworkEvaluatorContract, ::testing::ValuesIn(network_games()), test_name);

TEST(NetworkEvaluator, RefusesAnotherGamesNetwork) {
  const auto game = game_from_text("tic_tac_toe"), other = game_from_text("gomoku width=3 height=3 line=3");
  const Architecture architecture = architecture_for(*other, networks()[0]);
  try {
    expect_network_of(*game, architecture);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadData);
    EXPECT_NE(std::string(error.what()).find("gomoku width=3"), std::string::npos) << error.what();
  }
}

TEST(NetworkEvaluator, AllMassOnAnIllegalActionStillGivesPriorsOverLegalOnes) {
  const auto game = game_from_text("tic_tac_toe");
  const Architecture architecture = architecture_for(*game, networks()[0]);
  Weights weights = initial_weights(architecture, 1);
  weights["policy.linear.bias"].assign(9, -100);
  weights["policy.linear.bias"][4] = 100;
  std::vector<std::unique_ptr<State>> positions;
  positions.push_back(game->initial_state());
  positions[0]->apply(4);
  for (const Backend& backend : kBackends) {
    SCOPED_TRACE(backend.name);
    auto evaluator = make_evaluator(*game, architecture, weights, backend.config, 4);
    const auto answers = ask(*game, evaluator, positions);
    double sum = 0;
    for (float p : answers[0].prior) sum += p;
    EXPECT_NEAR(sum, 1, 1e-5);
    EXPECT_EQ(evaluator.repaired(), 0);
  }
}

TEST(NetworkEvaluator, NotANumberIsRepairedAndCounted) {
  const auto game = game_from_text("tic_tac_toe");
  const Architecture architecture = architecture_for(*game, networks()[0]);
  Weights weights = initial_weights(architecture, 1);
  for (float& w : weights["policy.linear.weight"]) w = 3e38f;  // finite weights, infinite logits
  for (float& w : weights["policy.conv.weight"]) w = 1e30f;
  const auto positions = random_positions(*game, 5);
  for (const Backend& backend : kBackends) {
    SCOPED_TRACE(backend.name);
    auto evaluator = make_evaluator(*game, architecture, weights, backend.config, 4);
    for (const Answer& answer : ask(*game, evaluator, positions)) {
      double sum = 0;
      for (float p : answer.prior) sum += p;
      EXPECT_NEAR(sum, 1, 1e-5);
      EXPECT_TRUE(std::isfinite(answer.value));
    }
    EXPECT_GT(evaluator.repaired(), 0);
  }
}

}  // namespace
}  // namespace rf::testing
