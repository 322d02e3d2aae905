#include "config/nearest.h"

#include <algorithm>

namespace rf {
namespace {

char folded(char c) {
  if (c >= 'A' && c <= 'Z') return char(c - 'A' + 'a');
  return c == '-' ? '_' : c;
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<int> before(width), last(width), row(width);  // rows i-2, i-1 and i of the table
  for (std::size_t j = 0; j < width; ++j) last[j] = int(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = int(i);
    for (std::size_t j = 1; j < width; ++j) {
      const bool same = folded(a[i - 1]) == folded(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped =
          i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) && folded(a[i - 2]) == folded(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::optional<std::string> nearest_name(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t kLongestName = 80;  // longer words are no misspelt names
  if (name.size() > kLongestName) return std::nullopt;
  std::optional<std::string> nearest;
  int best = 0;
  for (const std::string& candidate : known) {
    const int distance = edit_distance(name, candidate);
    const int limit = std::max(1, int(std::max(name.size(), candidate.size())) / 3);
    if (distance <= limit && (!nearest || distance < best)) {
      nearest = candidate;
      best = distance;
    }
  }
  return nearest;
}

}  // namespace rf
