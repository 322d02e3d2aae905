#include "replay/packed_rows.h"

namespace rf {
namespace {

template <class T>
void append_column(std::vector<T>& column, const std::vector<T>& more) {
  column.insert(column.end(), more.begin(), more.end());
}

template <class T>
std::int64_t column_bytes(const std::vector<T>& column) {
  return std::int64_t(column.size() * sizeof(T));
}

}  // namespace

std::int64_t PackedRows::bytes() const {
  return column_bytes(planes_bits) + column_bytes(planes_scalar) + column_bytes(policy_offset) +
         column_bytes(policy_action) + column_bytes(policy_visits) + column_bytes(outcome) +
         column_bytes(root_value) + column_bytes(game) + column_bytes(ply) + column_bytes(symmetry) +
         column_bytes(to_move) + column_bytes(unique);
}

void PackedRows::reserve(std::int64_t rows, std::int64_t policy_entries, const PlanePacking& packing) {
  const std::size_t n = std::size_t(rows), m = std::size_t(policy_entries);
  planes_bits.reserve(n * std::size_t(packing.bits_bytes()));
  planes_scalar.reserve(n * std::size_t(packing.scalars()));
  policy_offset.reserve(n + 1);
  policy_action.reserve(m);
  policy_visits.reserve(m);
  outcome.reserve(n);
  root_value.reserve(n);
  game.reserve(n);
  ply.reserve(n);
  symmetry.reserve(n);
  to_move.reserve(n);
  unique.reserve(n);
}

void PackedRows::append(const PackedRows& other) {
  const std::int64_t base = policy_offset.back();
  for (std::size_t i = 1; i < other.policy_offset.size(); ++i)
    policy_offset.push_back(base + other.policy_offset[i]);
  append_column(planes_bits, other.planes_bits);
  append_column(planes_scalar, other.planes_scalar);
  append_column(policy_action, other.policy_action);
  append_column(policy_visits, other.policy_visits);
  append_column(outcome, other.outcome);
  append_column(root_value, other.root_value);
  append_column(game, other.game);
  append_column(ply, other.ply);
  append_column(symmetry, other.symmetry);
  append_column(to_move, other.to_move);
  append_column(unique, other.unique);
}

}  // namespace rf
