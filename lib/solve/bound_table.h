// Bounds of values of positions already searched: an exact transposition table.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/random_stream.h"

namespace rf {

struct Bounds {  // lower <= value <= upper, both within [-32, 31]
  int lower = -32, upper = 31;
};

// Two entries a slot: the one that cost most, and the latest. Keys are told apart by all of their 64 bits:
// the scrambled key (a bijection) is split into the number of the slot and what the entry keeps.
class BoundTable {
 public:
  // 2^bits slots of 16 bytes; bits >= 18, so that what a slot's number says need not be kept.
  explicit BoundTable(int bits) : mask_((std::uint64_t(1) << bits) - 1), slots_(mask_ + 1) {}

  // No bounds (the widest) where nothing is known.
  Bounds find(std::uint64_t key) const {
    const std::uint64_t mixed = mix64(key);
    const Slot& slot = slots_[mixed & mask_];
    const std::uint64_t entry = same(slot.costly, mixed) ? slot.costly : slot.latest;
    return same(entry, mixed) ? Bounds{int(entry & 63) - 32, 31 - int(entry >> 6 & 63)} : Bounds{};
  }

  // `cost`: how much work it was, within [0, 63].
  void store(std::uint64_t key, Bounds bounds, unsigned cost) {
    const std::uint64_t mixed = mix64(key);
    const std::uint64_t entry = (mixed & ~kLow) | std::uint64_t(cost) << 12 |
                                std::uint64_t(31 - bounds.upper) << 6 | std::uint64_t(bounds.lower + 32);
    Slot& slot = slots_[mixed & mask_];
    if (same(slot.costly, mixed)) {
      slot.costly = entry;
    } else if (same(slot.latest, mixed) || cost < (slot.costly >> 12 & 63)) {
      slot.latest = entry;
    } else {
      slot.latest = std::exchange(slot.costly, entry);
    }
  }

 private:
  // 46 bits of the key, 6 of cost, 6 of 31 - upper, 6 of lower + 32: an entry of zeros knows nothing.
  static constexpr std::uint64_t kLow = (std::uint64_t(1) << 18) - 1;
  static bool same(std::uint64_t entry, std::uint64_t mixed) { return (entry ^ mixed) <= kLow; }
  struct Slot {
    std::uint64_t costly = 0, latest = 0;
  };

  std::uint64_t mask_;
  std::vector<Slot> slots_;
};

}  // namespace rf
