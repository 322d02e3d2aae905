// The known name that a misspelt one was probably meant to be.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rf {

// Insertions, deletions, replacements and swaps of neighbours that lead from a to b (optimal string
// alignment); case does not count and '-' equals '_'.
int edit_distance(std::string_view a, std::string_view b);

// Nothing when no name is near: more than a third of the letters would have to change.
std::optional<std::string> nearest_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace rf
