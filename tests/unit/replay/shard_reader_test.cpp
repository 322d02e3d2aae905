#include "replay/shard_reader.h"

#include <gtest/gtest.h>

#include <cmath>

#include "replay/shard_schema.h"
#include "replay/shard_writer.h"
#include "unit/replay/random_games.h"
#include "unit/store/expect_error.h"
#include "unit/store/temp_folder.h"

namespace rf {
namespace {

// Files that are whole, but say what no writer would: nothing of it reaches a user of the reader.
TEST(ShardReader, RefusesContentThatContradictsItself) {
  const TempFolder folder;
  const auto game = gomoku(6, 6, 4, 0);
  ShardWriter writer(folder / "s.h5", *game, header_for(*game), {});
  for (int g : {0, 1}) writer.add(random_game(*game, g));
  writer.seal();
  const H5File good = H5File::open(folder / "s.h5");
  // Copies the shard, with one dataset or attribute changed.
  const auto refused = [&](const std::vector<std::string>& words, const std::string& name, auto change) {
    const std::filesystem::path path = folder / "bad.h5";
    H5File bad = H5File::create(path);
    for (auto [attribute, value] : good.attributes()) {
      if constexpr (std::is_invocable_v<decltype(change), H5Attribute&>) {
        if (attribute == name) change(value);
      }
      if (attribute != "digest") bad.set_attribute(attribute, value);
    }
    for (const std::string& group : good.names("/")) bad.make_group(group);
    for (const ShardDataset& row : kShardDatasets) {
      const std::string set = std::string(row.name);
      const H5Dataset from = good.dataset(set);
      const auto copy = [&](auto values) {
        if (set == name) {
          if constexpr (std::is_invocable_v<decltype(change), decltype(values)&>) change(values);
        }
        bad.write<typename decltype(values)::value_type>(set, from.dims(), values, {});
      };
      switch (row.type) {
        case H5Type::kU8:
          copy(from.read_all<std::uint8_t>());
          break;
        case H5Type::kI8:
          copy(from.read_all<std::int8_t>());
          break;
        case H5Type::kI16:
          copy(from.read_all<std::int16_t>());
          break;
        case H5Type::kI32:
          copy(from.read_all<std::int32_t>());
          break;
        case H5Type::kI64:
          copy(from.read_all<std::int64_t>());
          break;
        case H5Type::kU64:
          copy(from.read_all<std::uint64_t>());
          break;
        case H5Type::kF32:
          copy(from.read_all<float>());
          break;
        case H5Type::kText:
          bad.write_texts(set, from.read_texts(), {});
          break;
      }
    }
    bad.seal();
    expect_error(ExitCode::kBadData, words, [&] {
      const ShardReader reader(path, *game);
      reader.read_rows(0, reader.rows());
    });
  };
  using I8 = std::vector<std::int8_t>;
  using U8 = std::vector<std::uint8_t>;
  using I16 = std::vector<std::int16_t>;
  using I32 = std::vector<std::int32_t>;
  using I64 = std::vector<std::int64_t>;
  using F32 = std::vector<float>;
  refused({"bad.h5", "version 2"}, "schema_version", [](H5Attribute& v) { v = I64{2, 0}; });
  refused({"bad.h5", "planes of shape 2x6x7"}, "shape", [](H5Attribute& v) { v = I64{2, 6, 7}; });
  refused({"bad.h5", "37 actions"}, "num_actions", [](H5Attribute& v) { v = std::int64_t(37); });
  refused({"bad.h5", "kinds of planes"}, "plane_kinds", [](H5Attribute& v) { v = I64{0, 1}; });
  refused({"bad.h5", "damaged"}, "num_rows", [](H5Attribute& v) { v = std::int64_t(-5); });
  refused({"bad.h5", "damaged", "unique"}, "num_unique_rows", [](H5Attribute& v) { v = std::int64_t(1); });
  refused({"bad.h5", "iteration"}, "iteration", [](H5Attribute& v) { v = std::string("three"); });
  refused({"bad.h5", "policy_offset"}, "rows/policy_offset", [](I64& v) { v[1] = 1 << 20; });
  refused({"bad.h5", "rows_offset"}, "games/rows_offset", [](I64& v) { v[1] = -1; });
  refused({"bad.h5", "row 7", "policy action"}, "rows/policy_action", [&](I32& v) {
    v[std::size_t(good.dataset("rows/policy_offset").read_all<std::int64_t>()[7])] = 36;
  });
  refused({"bad.h5", "row 0", "policy action"}, "rows/policy_action", [](I32& v) { v[0] = -1; });
  refused({"bad.h5", "row 0", "policy visits"}, "rows/policy_visits", [](I32& v) { v[0] = 0; });
  refused({"bad.h5", "row 3", "outcome"}, "rows/outcome", [](F32& v) { v[3] = 0.5f; });
  refused({"bad.h5", "row 3", "root value"}, "rows/root_value", [](F32& v) { v[3] = NAN; });
  refused({"bad.h5", "row 3", "ply"}, "rows/ply", [](I32& v) { v[3] = 36; });
  refused({"bad.h5", "row 3", "symmetry"}, "rows/symmetry", [](I16& v) { v[3] = 8; });
  refused({"bad.h5", "row 3", "player"}, "rows/to_move", [](I8& v) { v[3] = 2; });
  refused({"bad.h5", "row 3", "unique"}, "rows/unique", [](U8& v) { v[3] = 1; });
  refused({"bad.h5", "symmetries"}, "symmetries/action", [](I32& v) { std::swap(v[40], v[41]); });
}

}  // namespace
}  // namespace rf
