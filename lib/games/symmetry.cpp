#include "games/symmetry.h"

#include <algorithm>

#include "base/error.h"

namespace rf {

std::vector<std::vector<int>> board_symmetries(int rows, int cols) {
  std::vector<std::vector<int>> maps;
  for (int transpose = 0; transpose < (rows == cols ? 2 : 1); ++transpose) {
    for (int flip = 0; flip < 4; ++flip) {
      std::vector<int> map;
      for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < cols; ++c) {
          const int fr = (flip & 2) ? rows - 1 - r : r;
          const int fc = (flip & 1) ? cols - 1 - c : c;
          map.push_back(transpose ? fc * cols + fr : fr * cols + fc);
        }
      }
      // On a board one cell thin a flip may change nothing.
      if (std::find(maps.begin(), maps.end(), map) == maps.end()) maps.push_back(std::move(map));
    }
  }
  return maps;
}

std::vector<Symmetry> cell_symmetries(int rows, int cols) {
  std::vector<Symmetry> symmetries;
  for (auto& map : board_symmetries(rows, cols)) symmetries.push_back({map, map});
  return symmetries;
}

std::vector<int> inverse_map(std::span<const int> map) {
  std::vector<int> inverse(map.size());
  for (std::size_t i = 0; i < map.size(); ++i) inverse[std::size_t(map[i])] = int(i);
  return inverse;
}

std::vector<int> compose_maps(std::span<const int> first, std::span<const int> second) {
  std::vector<int> map(second.size());
  for (std::size_t i = 0; i < second.size(); ++i) map[i] = first[std::size_t(second[i])];
  return map;
}

void gather_planes(std::span<const float> planes, std::span<const int> cell_map, std::span<float> image) {
  const std::size_t cells = cell_map.size();
  RF_ASSERT(planes.size() == image.size() && planes.size() % cells == 0);
  for (std::size_t base = 0; base < planes.size(); base += cells) {
    for (std::size_t i = 0; i < cells; ++i) image[base + i] = planes[base + std::size_t(cell_map[i])];
  }
}

}  // namespace rf
