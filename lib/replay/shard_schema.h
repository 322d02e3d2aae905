// Names, types, shapes and meanings of all that is in a shard: the one table that the writer, the reader and
// the test of FORMAT.md use.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "store/h5.h"

namespace rf {

inline constexpr int kShardMajor = 1;  // readers refuse another
inline constexpr int kShardMinor = 0;  // something was added

struct ShardAttribute {
  std::string_view name;
  std::string_view type;  // text, int, uint, ints
  std::string_view sentence;
};

inline constexpr auto kShardAttributes = std::to_array<ShardAttribute>({
    {"filetype", "text", "rankfile-shard"},
    {"schema_version", "ints", "major and minor; another major is another format"},
    {"run_id", "text", "the run that played the games"},
    {"game_id", "text", "name and every option of the game"},
    {"iteration", "int", "of the run, from 1"},
    {"rank", "int", "that wrote the shard"},
    {"part", "int", "number of the shard within its rank and iteration, from 0"},
    {"evaluator_id", "text", "what evaluated positions: a network's digest, or a name"},
    {"run_seed", "uint", "all random numbers of the run follow from it"},
    {"config_digest", "text", "of the run's settings"},
    {"software", "text", "version that wrote the shard"},
    {"shape", "ints", "C, H, W of the unpacked planes"},
    {"plane_kinds", "ints", "for each of the C planes: 0 = bits, 1 = scalar"},
    {"num_actions", "int", "A, the length of a policy vector"},
    {"num_rows", "int", "N, rows with all symmetric images"},
    {"num_unique_rows", "int", "rows with unique = 1"},
    {"num_games", "int", "G"},
    {"digest", "text", "SHA-256 of the content, see below"},
});

// Lengths: N rows, M policy entries of the rows, B bytes of packed bits, S scalar planes, G games, P plies of
// all games, Q policy entries of the games, K symmetries, L cells (H*W), A actions.
struct ShardDataset {
  std::string_view name;
  H5Type type;
  std::string_view shape;  // lengths separated by ", "
  std::string_view unit;
  std::string_view sentence;
};

inline constexpr auto kShardDatasets = std::to_array<ShardDataset>({
    {"rows/planes_bits", H5Type::kU8, "N, B", "bits", "planes of kind 0, packed"},
    {"rows/planes_scalar", H5Type::kF32, "N, S", "as encoded", "planes of kind 1, one value each"},
    {"rows/policy_offset", H5Type::kI64, "N+1", "entries",
     "row i has the policy entries [offset i, offset i+1)"},
    {"rows/policy_action", H5Type::kI32, "M", "action", "ascending within a row, all legal"},
    {"rows/policy_visits", H5Type::kI32, "M", "visits",
     "1 or more; divided by their sum they are the policy target"},
    {"rows/outcome", H5Type::kF32, "N", "z", "-1, 0 or 1, for the player to move"},
    {"rows/root_value", H5Type::kF32, "N", "value",
     "the search's mean value in [-1, 1], for the player to move"},
    {"rows/game", H5Type::kI64, "N", "game", "index of the game within the iteration"},
    {"rows/ply", H5Type::kI32, "N", "plies", "actions played before, from 0"},
    {"rows/symmetry", H5Type::kI16, "N", "symmetry", "which image; 0 is the position as played"},
    {"rows/to_move", H5Type::kI8, "N", "player", "0 or 1"},
    {"rows/unique", H5Type::kU8, "N", "0 or 1", "1 for the position as played, 0 for its images"},
    {"games/index", H5Type::kI64, "G", "game", "index of the game within the iteration"},
    {"games/stream_key", H5Type::kU64, "G", "key", "of the game's random stream"},
    {"games/rows_offset", H5Type::kI64, "G+1", "rows", "game i has the rows [offset i, offset i+1)"},
    {"games/unique_rows", H5Type::kI64, "G", "rows", "of these the unique ones"},
    {"games/plies", H5Type::kI32, "G", "plies", "length of the game"},
    {"games/outcome_first", H5Type::kF32, "G", "z", "-1, 0 or 1, for player 0"},
    {"games/end_reason", H5Type::kText, "G", "", "why the game ended, in the game's words"},
    {"games/moves_offset", H5Type::kI64, "G+1", "plies", "game i has the plies [offset i, offset i+1)"},
    {"games/moves", H5Type::kI32, "P", "action", "played"},
    {"games/root_value", H5Type::kF32, "P", "value", "of the search at this ply, for the player to move"},
    {"games/policy_offset", H5Type::kI64, "P+1", "entries",
     "ply i has the policy entries [offset i, offset i+1)"},
    {"games/policy_action", H5Type::kI32, "Q", "action", "as in rows, for the position as played"},
    {"games/policy_visits", H5Type::kI32, "Q", "visits", "as in rows, for the position as played"},
    {"symmetries/cell", H5Type::kI32, "K, L", "cell",
     "cell i of image k is cell [k, i] of the position as played"},
    {"symmetries/action", H5Type::kI32, "K, A", "action", "action i of image k is action [k, i] as played"},
});

struct ShardLengths {
  std::int64_t n = 0, m = 0, b = 0, s = 0, g = 0, p = 0, q = 0, k = 0, l = 0, a = 0;
};

// "N+1" -> {n + 1}; "N, B" -> {n, b}.
H5Dims shard_dims(std::string_view shape, const ShardLengths& lengths);
// The table's row; the name must be in it.
const ShardDataset& shard_dataset(std::string_view name);

}  // namespace rf
