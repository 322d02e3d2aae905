// How a config struct lists its fields, once:
//
//   template <class V> void describe(V& v, SearchConfig& c) {
//     v.number("simulations", c.simulations, 1, 1 << 20, "simulations", "new descents of the tree per move");
//     v.flag("tree_reuse", c.tree_reuse, "keep the subtree of the move that was played");
//     v.choice("noise", c.noise, kNoiseNames, "where root noise goes");
//   }
//
// A visitor V has these members; loading, dumping, help and the key check are four visitors in config/.
//   number(name, int | std::int64_t | std::uint64_t | double &, min, max, unit, sentence)  limits inclusive
//   flag(name, bool&, sentence)
//   choice(name, E&, names, sentence)     E: an enum whose values 0, 1, ... index `names`
//   text(name, std::string&, sentence)
//   numbers(name, std::vector<int>&, min, max, max_entries, unit, sentence)
// The default is the value that the field has in a fresh struct.
#pragma once

#include <span>
#include <string_view>

namespace rf {
using Names = std::span<const std::string_view>;
}  // namespace rf
