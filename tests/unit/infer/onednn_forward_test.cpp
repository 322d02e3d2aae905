#include "infer/onednn_forward.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/random_stream.h"
#include "infer/backend.h"
#include "infer/onednn_api.h"

namespace rf {
namespace {

Architecture architecture(int channels, int rows, int cols) {
  NetworkConfig network;
  network.blocks = 1;
  network.channels = channels;
  return {"some game", 3, rows, cols, rows * cols, network};
}

std::vector<PrecisionKind> precisions() {
  if (onednn::has_bf16()) return {PrecisionKind::kF32, PrecisionKind::kBf16};
  return {PrecisionKind::kF32};
}

// Logits of all actions and the value.
std::vector<float> answer(ForwardPass& forward, int row, int actions) {
  std::vector<int> all(std::size_t(actions), 0);
  std::iota(all.begin(), all.end(), 0);
  std::vector<float> out(all.size());
  forward.logits(row, all, out);
  out.push_back(forward.value(row));
  return out;
}

TEST(OnednnForward, APositionGetsTheSameBitsInBatchesOfAnySize) {
  constexpr int kMost = 150;  // more than two engines' worth
  for (const Architecture& a : {architecture(32, 6, 6), architecture(5, 3, 3), architecture(40, 10, 9)}) {
    for (PrecisionKind precision : precisions()) {
      OnednnForward forward(fold_batch_norm(a, initial_weights(a, 1)), kMost, precision);
      RandomStream stream(2);
      for (int i = 0; i < kMost; ++i) {
        for (float& plane : forward.planes(i)) plane = float(stream.below(3) == 0);
      }
      forward.run(kMost);
      std::vector<std::vector<float>> whole;
      for (int i = 0; i < kMost; ++i) whole.push_back(answer(forward, i, a.num_actions));
      EXPECT_NE(whole[0], whole[1]);
      for (int rows = 1; rows < kMost; rows += rows < 40 ? 1 : 17) {
        forward.run(rows);
        for (int i = 0; i < rows; ++i) {
          ASSERT_EQ(answer(forward, i, a.num_actions), whole[std::size_t(i)])
              << "row " << i << " of " << rows << ", " << forward.facts().text();
        }
      }
      // Other neighbours, another place: row 149's position alone in front.
      const std::span<float> first = forward.planes(0), last = forward.planes(kMost - 1);
      std::copy(last.begin(), last.end(), first.begin());
      forward.run(3);
      EXPECT_EQ(answer(forward, 0, a.num_actions), whole.back());
    }
  }
}

TEST(OnednnForward, EveryShapeOfNetworkPassesTheSelfTest) {
  std::vector<NetworkConfig> networks(5);
  networks[1].blocks = 0;
  networks[1].channels = 1;
  networks[1].policy_channels = networks[1].value_channels = networks[1].value_width = 1;
  networks[2].kind = NetworkKind::kPlain;
  networks[2].plain_channels = {100, 1, 33, 17};
  networks[3].activation = Activation::kElu;
  networks[3].batch_norm = false;
  networks[3].policy_channels = 31;
  networks[4].channels = 129;
  networks[4].blocks = 1;
  for (const NetworkConfig& network : networks) {
    for (const auto& [planes, rows, cols] : {std::array{1, 1, 1}, std::array{2, 3, 3}, std::array{17, 9, 11},
                                             std::array{4, 1, 20}, std::array{3, 19, 19}}) {
      const Architecture a{"some game", planes, rows, cols, rows * cols + 1, network};
      const FoldedNetwork folded = fold_batch_norm(a, initial_weights(a, 4));
      for (PrecisionKind precision : precisions()) {
        OnednnForward forward(folded, 2, precision);
        EXPECT_EQ(self_test(forward, folded), "") << architecture_text(a) << ", " << forward.facts().text();
      }
    }
  }
}

}  // namespace
}  // namespace rf
