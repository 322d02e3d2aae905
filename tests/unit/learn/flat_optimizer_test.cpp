#include "learn/flat_optimizer.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "learning_fixtures.h"

namespace rf::testing {
namespace {

torch::Tensor loss_of(TorchNet& net, const BatchData& batch) {
  const auto B = std::int64_t(batch.value.size());
  const auto wrap = [](const std::vector<float>& data, torch::IntArrayRef shape) {
    return torch::from_blob(const_cast<float*>(data.data()), shape, torch::kFloat32).clone();
  };
  const NetOutput out = net.forward(wrap(batch.planes, {B, 2, 3, 3}), true);
  return -(wrap(batch.policy, {B, 9}) * torch::log_softmax(out.policy_logits, 1)).sum(1).mean() +
         torch::mse_loss(out.value, wrap(batch.value, {B, 1}));
}

// The trained tensors of a net in two groups: with weight decay and without.
struct Groups {
  std::vector<torch::Tensor> decayed, plain;
};
Groups groups_of(TorchNet& net) {
  Groups groups;
  for (const TensorSpec& spec : tensor_specs(net.architecture())) {
    if (!spec.trained) continue;
    torch::Tensor tensor = net.tensors().at(spec.name);
    tensor.requires_grad_(true);
    (spec.shape.size() > 1 ? groups.decayed : groups.plain).push_back(tensor);
  }
  return groups;
}

template <class Optimizer, class Options>
std::unique_ptr<torch::optim::Optimizer> with_groups(const Groups& groups, Options options, double decay) {
  auto decayed = std::make_unique<Options>(options), plain = std::make_unique<Options>(options);
  decayed->weight_decay(decay);
  plain->weight_decay(0);
  std::vector<torch::optim::OptimizerParamGroup> list;
  list.emplace_back(groups.decayed, std::move(decayed));
  list.emplace_back(groups.plain, std::move(plain));
  return std::make_unique<Optimizer>(list, options);
}

std::unique_ptr<torch::optim::Optimizer> reference(const Groups& groups, const TrainConfig& c) {
  using namespace torch::optim;
  switch (c.optimizer) {
    case OptimizerKind::kSgd:
      return with_groups<SGD>(groups, SGDOptions(c.learning_rate).momentum(c.momentum), c.weight_decay);
    case OptimizerKind::kAdam:
      return with_groups<Adam>(groups, AdamOptions(c.learning_rate).betas({c.momentum, 0.999}),
                               c.weight_decay);
    case OptimizerKind::kAdamw:
      return with_groups<AdamW>(groups, AdamWOptions(c.learning_rate).betas({c.momentum, 0.999}),
                                c.weight_decay);
  }
  return nullptr;
}

double largest_difference(TorchNet& a, TorchNet& b) {
  double largest = 0;
  for (const auto& [name, tensor] : a.tensors()) {
    largest = std::max(largest, (tensor - b.tensors().at(name)).abs().max().item<double>());
  }
  return largest;
}

class FlatOptimizerTest : public ::testing::TestWithParam<OptimizerKind> {};

TEST_P(FlatOptimizerTest, TakesTheStepsOfTorch) {
  torch::set_num_threads(1);
  for (double decay : {0.0, 0.1}) {
    TrainConfig config;
    config.optimizer = GetParam();
    config.learning_rate = 3e-3;
    config.momentum = 0.8;
    config.weight_decay = decay;
    const Architecture architecture = small_architecture();
    const Weights weights = initial_weights(architecture, 5);
    TorchNet ours(architecture, weights), theirs(architecture, weights);
    FlatOptimizer flat(ours, config);
    const Groups groups = groups_of(theirs);
    const auto torch_optimizer = reference(groups, config);
    double first_step = 0;
    for (int step = 0; step < 30; ++step) {
      const BatchData batch = random_batch(step);
      flat.zero_gradients();
      loss_of(ours, batch).backward();
      torch_optimizer->zero_grad();
      loss_of(theirs, batch).backward();
      // Rounding would part the two nets; what is compared is the rule of the step.
      for (auto& [name, tensor] : theirs.tensors()) {
        if (tensor.requires_grad()) tensor.mutable_grad().copy_(ours.tensors().at(name).grad());
      }
      flat.step(config.learning_rate);
      torch_optimizer->step();
      if (step == 0)
        first_step = largest_difference(ours, *std::make_unique<TorchNet>(architecture, weights));
    }
    EXPECT_GT(first_step, 1e-4);  // it does move
    EXPECT_LT(largest_difference(ours, theirs), 1e-6) << "decay " << decay;
    EXPECT_EQ(flat.steps(), 30);
  }
}

TEST_P(FlatOptimizerTest, GradientsAddUpInTheFlatBuffer) {
  TrainConfig config;
  config.optimizer = GetParam();
  const Architecture architecture = small_architecture();
  const Weights weights = initial_weights(architecture, 5);
  TorchNet ours(architecture, weights), theirs(architecture, weights);
  FlatOptimizer flat(ours, config);
  const Groups groups = groups_of(theirs);
  for (int number : {1, 2}) {  // twice without zeroing
    loss_of(ours, random_batch(number)).backward();
    loss_of(theirs, random_batch(number)).backward();
  }
  double squares = 0;
  std::int64_t values = 0;
  for (const auto& [name, tensor] : theirs.tensors()) {
    if (!tensor.requires_grad()) continue;
    const torch::Tensor view = ours.tensors().at(name).grad();
    EXPECT_LT((view - tensor.grad()).abs().max().item<double>(), 1e-5) << name;
    EXPECT_EQ(view.storage().data_ptr(), flat.gradient().storage().data_ptr()) << name;
    squares += tensor.grad().square().sum().item<double>();
    values += tensor.numel();
  }
  EXPECT_EQ(flat.gradient().numel(), values);
  EXPECT_NEAR(flat.clip_gradient(0), std::sqrt(squares), 1e-4);
  flat.zero_gradients();
  EXPECT_EQ(ours.tensors().at("policy.linear.bias").grad().abs().max().item<double>(), 0);
}

TEST_P(FlatOptimizerTest, ClippingShortensOnlyWhatIsTooLong) {
  TrainConfig config;
  config.optimizer = GetParam();
  const Architecture architecture = small_architecture();
  TorchNet net(architecture, initial_weights(architecture, 5));
  FlatOptimizer flat(net, config);
  loss_of(net, random_batch(1)).backward();
  const torch::Tensor before = flat.gradient().clone();
  const double norm = flat.clip_gradient(0);
  EXPECT_EQ(flat.clip_gradient(2 * norm), norm);
  EXPECT_TRUE(torch::equal(flat.gradient(), before));
  EXPECT_EQ(flat.clip_gradient(norm / 2), norm);  // tells the length before
  EXPECT_NEAR(flat.gradient().norm().item<double>(), norm / 2, 1e-6);
  EXPECT_LT((flat.gradient() * 2 - before).abs().max().item<double>(), 1e-6);
}

TEST_P(FlatOptimizerTest, StateOfAnotherNetworkOrOptimizerIsRefused) {
  TrainConfig config;
  config.optimizer = GetParam();
  const Architecture architecture = small_architecture(), wider = small_architecture(5);
  TorchNet net(architecture, initial_weights(architecture, 1)), other(wider, initial_weights(wider, 1));
  FlatOptimizer flat(net, config), foreign(other, config);
  TrainConfig changed = config;
  changed.optimizer = GetParam() == OptimizerKind::kSgd ? OptimizerKind::kAdam : OptimizerKind::kSgd;
  TorchNet third(architecture, initial_weights(architecture, 1));
  FlatOptimizer other_kind(third, changed);
  for (const OptimizerState& state : {foreign.state(), other_kind.state()}) {
    try {
      flat.restore(state);
      FAIL() << "not refused";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kBadData);
      EXPECT_NE(std::string(error.what()).find("optimiser state"), std::string::npos) << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FlatOptimizerTest,
                         ::testing::Values(OptimizerKind::kSgd, OptimizerKind::kAdam, OptimizerKind::kAdamw),
                         [](const auto& info) { return std::string(kOptimizerNames[int(info.param)]); });

}  // namespace
}  // namespace rf::testing
