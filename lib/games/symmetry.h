// Symmetry groups of boards.
#pragma once

#include <span>
#include <vector>

#include "games/game.h"

namespace rf {

// Gather maps of the symmetries of a rows x cols board, all distinct: 8 when square, else 4, fewer on boards
// one cell thin; the identity first.
// Order: for each of (no transpose, transpose): none, flip columns, flip rows, both.
std::vector<std::vector<int>> board_symmetries(int rows, int cols);

// Symmetries of a game whose action k is "a stone on cell k".
std::vector<Symmetry> cell_symmetries(int rows, int cols);

std::vector<int> inverse_map(std::span<const int> map);
// (a then b): image[i] = original[first[second[i]]].
std::vector<int> compose_maps(std::span<const int> first, std::span<const int> second);

// planes [C, H, W] seen through a cell map.
void gather_planes(std::span<const float> planes, std::span<const int> cell_map, std::span<float> image);

}  // namespace rf
