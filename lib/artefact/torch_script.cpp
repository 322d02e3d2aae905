#include "artefact/torch_script.h"

#include <torch/script.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "base/random_stream.h"
#include "torchnet/torch_net.h"

namespace rf {
namespace {

constexpr const char* kEpsilonText = "1e-05";  // kBatchNormEpsilon
static_assert(kBatchNormEpsilon == 1e-5f);

// "a.b.weight" becomes attribute `weight` of submodule `b` of submodule `a`.
struct ModuleTree {
  std::map<std::string, ModuleTree> children;
  std::map<std::string, torch::Tensor> parameters;
};

void insert(ModuleTree& tree, const std::string& name, const torch::Tensor& tensor) {
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) {
    tree.parameters[name] = tensor;
  } else {
    insert(tree.children[name.substr(0, dot)], name.substr(dot + 1), tensor);
  }
}

torch::jit::Module build(const ModuleTree& tree, const std::string& type,
                         const std::shared_ptr<torch::jit::CompilationUnit>& unit) {
  torch::jit::Module module(c10::QualifiedName(type), unit);
  for (const auto& [name, tensor] : tree.parameters) module.register_parameter(name, tensor, false);
  for (const auto& [name, child] : tree.children)
    module.register_module(name, build(child, type + "_" + name, unit));
  return module;
}

}  // namespace

std::string torch_script_source(const Architecture& architecture) {
  const std::string act = architecture.network.activation == Activation::kRelu ? "torch.relu(" : "torch.elu(";
  const bool batch_norm = architecture.network.batch_norm;
  const auto conv = [&](const std::string& x, const ConvSpec& c) {
    const std::string pad = std::to_string(c.kernel / 2), self = "self." + c.name;
    const std::string bias = batch_norm ? "None" : self + ".bias";
    const std::string y =
        "torch.conv2d(" + x + ", " + self + ".weight, " + bias + ", [1, 1], [" + pad + ", " + pad + "])";
    if (!batch_norm) return y;
    const std::string bn = self + ".bn.";
    return "torch.batch_norm(" + y + ", " + bn + "weight, " + bn + "bias, " + bn + "running_mean, " + bn +
           "running_var, False, 0.1, " + kEpsilonText + ", False)";
  };
  const auto linear = [](const std::string& x, const std::string& name) {
    return "torch.linear(" + x + ", self." + name + ".weight, self." + name + ".bias)";
  };
  std::string s = "def forward(self, planes: Tensor) -> Tuple[Tensor, Tensor]:\n";
  const auto tower = tower_convs(architecture);
  s += "  x = " + act + conv("planes", tower[0]) + ")\n";
  if (architecture.network.kind == NetworkKind::kPlain) {
    for (std::size_t i = 1; i < tower.size(); ++i) s += "  x = " + act + conv("x", tower[i]) + ")\n";
  } else {
    for (std::size_t i = 1; i + 1 < tower.size(); i += 2) {
      s += "  y = " + act + conv("x", tower[i]) + ")\n";
      s += "  x = " + act + conv("y", tower[i + 1]) + " + x)\n";
    }
  }
  const auto heads = head_convs(architecture);
  s += "  p = torch.flatten(" + act + conv("x", heads[0]) + "), 1)\n";
  s += "  v = torch.flatten(" + act + conv("x", heads[1]) + "), 1)\n";
  s += "  h = " + act + linear("v", "value.hidden") + ")\n";
  s += "  return (" + linear("p", "policy.linear") + ", torch.tanh(" + linear("h", "value.out") + "))\n";
  return s;
}

void write_torch_script(const std::filesystem::path& path, const Architecture& architecture,
                        const Weights& weights, const std::string& model_card) {
  TorchNet net(architecture, weights);
  ModuleTree tree;
  for (const auto& [name, tensor] : net.tensors()) insert(tree, name, tensor);  // kernels stay channels-last
  torch::jit::Module module =
      build(tree, "__torch__.RankAndFileNetwork", std::make_shared<torch::jit::CompilationUnit>());
  module.register_attribute("training", c10::BoolType::get(), false);
  module.define(torch_script_source(architecture));
  // Into memory first: LibTorch's own file writer aborts the process when the disk is full.
  std::ostringstream bytes;
  module.save(bytes, {{"model_card.json", model_card}});
  write_file_atomically(path, bytes.str());
}

double compare_torch_script(const std::filesystem::path& path, const Game& game,
                            const Architecture& architecture, const Weights& weights, int positions) {
  torch::jit::Module script = [&] {
    try {
      return torch::jit::load(path.string());
    } catch (const c10::Error& error) {
      fail(ExitCode::kBadData, "cannot load " + path.string(), error.what_without_backtrace());
    }
  }();
  TorchNet net(architecture, weights);
  const torch::NoGradGuard guard;
  const Shape shape = game.spec().shape;
  RandomStream stream = make_stream(0, 0, 0, Purpose::kTest);
  std::vector<Action> legal;
  auto state = game.initial_state();
  double worst = 0;
  constexpr int kSizes[] = {1, 7, 32};
  for (int done = 0, turn = 0; done < positions; ++turn) {
    const int n = kSizes[turn % 3];
    torch::Tensor planes = torch::zeros({n, shape.planes, shape.rows, shape.cols});
    for (int i = 0; i < n; ++i) {
      if (state->terminal()) state = game.initial_state();
      state->encode({planes.data_ptr<float>() + i * shape.size(), std::size_t(shape.size())});
      state->legal_actions(legal);
      state->apply(legal[stream.below(std::uint32_t(legal.size()))]);
    }
    const NetOutput expected = net.forward(planes, false);
    const auto out = script.forward({planes}).toTuple();
    worst =
        std::max(worst, (out->elements()[0].toTensor() - expected.policy_logits).abs().max().item<double>());
    worst = std::max(worst, (out->elements()[1].toTensor() - expected.value).abs().max().item<double>());
    done += n;
  }
  return worst;
}

}  // namespace rf
