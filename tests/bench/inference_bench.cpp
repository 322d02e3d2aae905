// Evaluations per second of the network alone, one thread: each backend and precision at several batches, on
// the networks of three configs with first weights. `share` is nominal FLOP/s (2 * multiply-adds, padding
// counted) over those of one large matrix product in the same precision, measured just before.
#include <benchmark/benchmark.h>

#include <chrono>
#include <filesystem>
#include <numeric>

#include "base/error.h"
#include "config/load.h"
#include "games/registry.h"
#include "infer/backend.h"
#include "infer/onednn_api.h"
#include "infer/torch_forward.h"

namespace rf::testing {
namespace {

// FLOP/s of [size, size] x [size, size].
double product_speed(onednn::DataType data, int size) {
  using namespace onednn;
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const auto description =
      describe_product(engine, {{size, size}, data, Layout::nc}, {{size, size}, data, Layout::any},
                       {{size, size}, DataType::f32, Layout::nc});
  std::unordered_map<int, memory> arguments;
  for (const auto& [argument, desc] : {std::pair{DNNL_ARG_SRC, description.src_desc()},
                                       {DNNL_ARG_WEIGHTS, description.weights_desc()},
                                       {DNNL_ARG_DST, description.dst_desc()}}) {
    memory tensor(desc, engine);
    std::fill_n(static_cast<char*>(tensor.get_data_handle()), desc.get_size(), 0);
    arguments[argument] = tensor;
  }
  const dnnl::inner_product_forward product(description);
  double best = 1e9;
  for (int i = 0; i < 20; ++i) {
    const auto start = std::chrono::steady_clock::now();
    product.execute(stream, arguments);
    stream.wait();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return 2.0 * size * size * size / best;
}

struct Case {
  Architecture architecture;
  InferenceConfig config;
  int batch;
  double product;  // FLOP/s
};

std::unique_ptr<ForwardPass> make_torch(const FoldedNetwork& network, int rows) {
  return std::make_unique<TorchForward>(network, rows);
}

void forward(benchmark::State& loop, const Case& c) {
  const auto chosen = choose_backend(c.architecture, initial_weights(c.architecture, 1), std::max(2, c.batch),
                                     c.config, make_torch);
  ForwardPass& pass = *chosen.forward;
  for (int i = 0; i < c.batch; ++i) {
    for (std::size_t k = 0; k < pass.planes(i).size(); k += 3) pass.planes(i)[k] = 1;
  }
  // As many actions as positions have on average, or so.
  std::vector<int> legal(std::size_t(std::min(40, c.architecture.num_actions)));
  std::iota(legal.begin(), legal.end(), 0);
  std::vector<float> logits(legal.size());
  pass.run(c.batch);
  for (auto _ : loop) {
    pass.run(c.batch);
    for (int i = 0; i < c.batch; ++i) {
      pass.logits(i, legal, logits);
      benchmark::DoNotOptimize(logits.data());
      benchmark::DoNotOptimize(pass.value(i));
    }
  }
  loop.SetItemsProcessed(loop.iterations() * c.batch);
  loop.SetLabel(pass.facts().text());
  loop.counters["share"] = benchmark::Counter(
      double(loop.iterations() * c.batch) * 1e6 * mflops_per_evaluation(c.architecture) / c.product,
      benchmark::Counter::kIsRate);
}

Architecture architecture_of(const std::string& config) {
  const RunConfig run =
      load_config(std::filesystem::path(RF_TEST_DATA).parent_path() / "configs" / (config + ".yaml"), {});
  const auto game = make_game(run.game);
  const GameSpec& spec = game->spec();
  return {spec.id, spec.shape.planes, spec.shape.rows, spec.shape.cols, spec.num_actions, run.network};
}

}  // namespace
}  // namespace rf::testing

int main(int argc, char** argv) {
  using namespace rf;
  using namespace rf::testing;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 64;
  onednn::use_one_thread();
  const double f32 = product_speed(onednn::DataType::f32, 1024);
  const double bf16 = onednn::has_bf16() ? product_speed(onednn::DataType::bf16, 1024) : f32;
  std::printf("matrix product of 1024x1024x1024: f32 %.0f GFLOP/s, bf16 %.0f GFLOP/s\n", f32 / 1e9,
              bf16 / 1e9);
  const struct {
    const char* name;
    InferenceConfig config;
    double product;
  } backends[] = {{"onednn_f32", {BackendKind::kOnednn, PrecisionKind::kF32}, f32},
                  {"onednn_bf16", {BackendKind::kOnednn, PrecisionKind::kBf16}, bf16},
                  {"torch_f32", {BackendKind::kTorch, PrecisionKind::kF32}, f32}};
  for (const char* config : {"gomoku_6x6x4", "connect_four", "xiangqi"}) {
    const Architecture architecture = architecture_of(config);
    for (const auto& backend : backends) {
      for (int batch : {1, 8, 32, 128}) {
        const Case c{architecture, backend.config, batch, backend.product};
        const std::string name = std::string(config) + "/" + backend.name + "/" + std::to_string(batch);
        benchmark::RegisterBenchmark(name.c_str(), forward, c);
      }
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
