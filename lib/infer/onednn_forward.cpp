#include "infer/onednn_forward.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "infer/heads.h"
#include "infer/onednn_engine.h"

namespace rf {

using onednn::Engine;
using onednn::PackedNetwork;

namespace {

constexpr int kMostRows = 64;  // of an engine
// What the activations of two layers may take, so that they stay in a core's second cache.
constexpr std::size_t kCacheBytes = 1 << 20;

// Engines have any number of rows up to this, and multiples of kRowsApart above: making one takes about a
// millisecond.
constexpr int kSmallEngines = 16, kRowsApart = 4;

int engine_rows(int rows) {
  return rows <= kSmallEngines ? rows : (rows + kRowsApart - 1) / kRowsApart * kRowsApart;
}

// Of an engine of this network.
int most_rows(const Architecture& a, std::size_t bytes_per_value) {
  int channels = 1;
  for (const ConvSpec& conv : tower_convs(a)) channels = std::max(channels, conv.out);
  const std::size_t row_bytes = 2 * std::size_t(a.cells()) * std::size_t(channels) * bytes_per_value;
  const int fitting = int(kCacheBytes / row_bytes);
  return std::clamp(fitting / kRowsApart * kRowsApart, kRowsApart, kMostRows);
}

}  // namespace

struct OnednnForward::Parts {
  Parts(const FoldedNetwork& folded, int rows, onednn::DataType data, int most)
      : network(folded, data, most),
        heads(folded),
        most_rows(most),
        row_policy(std::size_t(folded.architecture.cells()) *
                   std::size_t(folded.architecture.network.policy_channels)),
        row_value(std::size_t(folded.architecture.cells()) *
                  std::size_t(folded.architecture.network.value_channels)),
        policy(row_policy * std::size_t(rows)),
        value(row_value * std::size_t(rows)) {}

  Engine& engine(int rows) {
    const auto found = engines.find(rows);
    return found != engines.end() ? found->second : engines.try_emplace(rows, network, rows).first->second;
  }

  PackedNetwork network;
  Heads heads;
  std::map<int, Engine> engines;  // by rows, made when first used
  int most_rows;
  std::size_t row_policy, row_value;
  std::vector<float> policy, value;  // what the heads' convolutions give, row after row
};

OnednnForward::OnednnForward(const FoldedNetwork& folded, int rows, PrecisionKind precision)
    : ForwardPass(folded.architecture, engine_rows(rows)) {
  onednn::use_one_thread();
  const bool bf16 = precision == PrecisionKind::kBf16;
  facts_ = {"onednn", onednn::library_version(), bf16 ? "bf16" : "f32", onednn::processor_name()};
  parts_ = std::make_unique<Parts>(folded, engine_rows(rows),
                                   bf16 ? onednn::DataType::bf16 : onednn::DataType::f32,
                                   most_rows(folded.architecture, bf16 ? 2 : 4));
}

OnednnForward::~OnednnForward() = default;

void OnednnForward::run(int rows) {
  for (int done = 0; done < rows;) {
    const int part = std::min(rows - done, parts_->most_rows);
    parts_->engine(engine_rows(part))
        .run(planes(done).data(), &parts_->policy[std::size_t(done) * parts_->row_policy],
             &parts_->value[std::size_t(done) * parts_->row_value]);
    done += part;
  }
}

void OnednnForward::logits(int row, std::span<const int> actions, std::span<float> logits) {
  parts_->heads.logits(&parts_->policy[std::size_t(row) * parts_->row_policy], actions, logits);
}

float OnednnForward::value(int row) {
  return parts_->heads.value(&parts_->value[std::size_t(row) * parts_->row_value]);
}

}  // namespace rf
