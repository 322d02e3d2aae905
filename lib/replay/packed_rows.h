// Rows of a shard in memory, column by column.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/packing.h"

namespace rf {

struct PackedRows {
  std::vector<std::uint8_t> planes_bits;          // [N, B]
  std::vector<float> planes_scalar;               // [N, S]
  std::vector<std::int64_t> policy_offset = {0};  // [N + 1] into the two columns below
  std::vector<std::int32_t> policy_action;        // [M] ascending within a row
  std::vector<std::int32_t> policy_visits;        // [M] each >= 1
  std::vector<float> outcome;                     // [N] z in {-1, 0, +1}, for the player to move
  std::vector<float> root_value;                  // [N] in [-1, 1], for the player to move
  std::vector<std::int64_t> game;                 // [N] game index within the iteration
  std::vector<std::int32_t> ply;                  // [N]
  std::vector<std::int16_t> symmetry;             // [N] index into GameSpec::symmetries
  std::vector<std::int8_t> to_move;               // [N] 0 or 1
  std::vector<std::uint8_t> unique;               // [N] 1 for the identity row

  std::int64_t size() const { return std::int64_t(outcome.size()); }
  std::int64_t policy_entries() const { return std::int64_t(policy_action.size()); }
  std::int64_t bytes() const;  // of all columns, without spare capacity
  void reserve(std::int64_t rows, std::int64_t policy_entries, const PlanePacking& packing);
  void append(const PackedRows& other);
  bool operator==(const PackedRows&) const = default;
};

}  // namespace rf
