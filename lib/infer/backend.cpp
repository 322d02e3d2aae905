#include "infer/backend.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "base/log.h"
#include "base/random_stream.h"
#include "infer/onednn_api.h"
#include "infer/onednn_forward.h"
#include "infer/plain_forward.h"

namespace rf {
namespace {

constexpr int kSelfTestPositions = 2;

}  // namespace

std::string BackendFacts::text() const {
  return backend + " " + version + ", " + precision + (processor.empty() ? "" : ", " + processor);
}

std::string self_test(ForwardPass& forward, const FoldedNetwork& network) {
  RandomStream stream(17);
  std::vector<PlainOutput> expected;
  for (int i = 0; i < kSelfTestPositions; ++i) {
    for (float& plane : forward.planes(i)) plane = float(stream.below(4) == 0);
    expected.push_back(plain_forward(network, forward.planes(i)));
  }
  forward.run(kSelfTestPositions);
  const double tolerance = forward.facts().precision == "f32" ? kSelfTestF32 : kSelfTestBf16;
  std::vector<int> actions(std::size_t(network.architecture.num_actions));
  std::iota(actions.begin(), actions.end(), 0);
  std::vector<float> logits(actions.size());
  for (int i = 0; i < kSelfTestPositions; ++i) {
    const PlainOutput& plain = expected[std::size_t(i)];
    forward.logits(i, actions, logits);
    double largest = 0, error = 0;
    bool finite = std::isfinite(plain.value);
    for (std::size_t a = 0; a < plain.logits.size(); ++a) {
      finite = finite && std::isfinite(plain.logits[a]);
      largest = std::max(largest, std::abs(double(plain.logits[a])));
      const double difference = std::abs(double(logits[a]) - plain.logits[a]);
      error = std::isnan(difference) ? std::numeric_limits<double>::infinity() : std::max(error, difference);
    }
    if (!finite) return "";  // the network itself overflows
    if (error > tolerance * largest + 1e-5)
      return "logits differ by " + fixed(error, 6) + " from plain loops, the largest is " + fixed(largest, 6);
    if (!(std::abs(double(forward.value(i)) - plain.value) <= tolerance))
      return "value " + fixed(forward.value(i), 6) + " instead of " + fixed(plain.value, 6);
  }
  return "";
}

ChosenBackend choose_backend(const Architecture& architecture, const Weights& weights, int rows,
                             const InferenceConfig& config, const MakeTorch& make_torch) {
  check_weights(architecture, weights, "the network");
  const FoldedNetwork network = fold_batch_norm(architecture, weights);
  rows = std::max(rows, kSelfTestPositions);
  ChosenBackend chosen;
  const auto passed = [&](std::unique_ptr<ForwardPass> forward) {
    const std::string wrong = self_test(*forward, network);
    if (!wrong.empty())
      fail(ExitCode::kInternal, "self-test of " + forward->facts().text() + " failed", wrong);
    return forward;
  };
  std::vector<PrecisionKind> precisions;
  if (config.backend != BackendKind::kTorch) {
    const bool bf16 = onednn::has_bf16();
    if (config.precision == PrecisionKind::kBf16 && !bf16)
      chosen.warnings.push_back("this processor does not multiply bf16 (oneDNN sees " +
                                onednn::processor_name() + "): inference in f32");
    if (bf16 && (config.precision == PrecisionKind::kBf16 ||
                 (config.precision == PrecisionKind::kAuto && onednn::bf16_is_faster())))
      precisions.push_back(PrecisionKind::kBf16);
    precisions.push_back(PrecisionKind::kF32);
  }
  for (PrecisionKind precision : precisions) {
    try {
      chosen.forward = passed(std::make_unique<OnednnForward>(network, rows, precision));
      return chosen;
    } catch (const Error& error) {
      chosen.warnings.push_back(std::string("inference: ") + error.what());
    }
  }
  chosen.forward = passed(make_torch(network, rows));
  return chosen;
}

}  // namespace rf
