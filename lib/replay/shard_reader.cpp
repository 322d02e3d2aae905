#include "replay/shard_reader.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/error.h"
#include "replay/shard_schema.h"
#include "store/tensor_file.h"

namespace rf {
namespace {

std::string numbers_text(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (std::int64_t n : numbers) text += (text.empty() ? "" : "x") + std::to_string(n);
  return text;
}

int small_integer(const H5File& file, const std::string& name) {
  const std::int64_t value = file.integer(name);
  if (value < 0 || value > 1'000'000'000) {
    fail(ExitCode::kBadData, file.path().string() + ": " + name + " is " + std::to_string(value));
  }
  return int(value);
}

}  // namespace

ShardReader::ShardReader(std::filesystem::path path, const Game& expected)
    : file_(H5File::open(path)), game_(expected) {
  file_.expect_kind(kShardFiletype, kShardMajor);
  read_header();
  check_layout();
  check_symmetries();
  rows_offset_ = read_offsets("games/rows_offset", rows_);
  policy_offset_ = read_offsets("rows/policy_offset", file_.dataset("rows/policy_action").rows());
  game_index_ = file_.dataset("games/index").read_all<std::int64_t>();
  game_unique_rows_ = file_.dataset("games/unique_rows").read_all<std::int64_t>();
  game_plies_ = file_.dataset("games/plies").read_all<std::int32_t>();
  std::int64_t unique = 0;
  for (std::size_t i = 0; i < game_index_.size(); ++i) {
    const std::int64_t in_game = rows_offset_[i + 1] - rows_offset_[i];
    if (game_unique_rows_[i] < 0 || game_unique_rows_[i] > in_game)
      damaged("a game has more unique rows than rows");
    unique += game_unique_rows_[i];
  }
  if (unique != unique_rows_) damaged("the unique rows of its games do not add up");
}

void ShardReader::damaged(const std::string& why) const {
  fail(ExitCode::kBadData, "shard " + path().string() + " is damaged", why);
}

void ShardReader::read_header() {
  const GameSpec& spec = game_.spec();
  header_.game_id = file_.text("game_id");
  if (header_.game_id != spec.id) {
    fail(ExitCode::kBadData, "shard " + path().string() + " is of game " + header_.game_id,
         "expected: " + spec.id);
  }
  const std::vector<std::int64_t> shape{spec.shape.planes, spec.shape.rows, spec.shape.cols};
  if (file_.integers("shape") != shape) {
    fail(ExitCode::kBadData,
         "shard " + path().string() + " has planes of shape " + numbers_text(file_.integers("shape")),
         "expected: " + numbers_text(shape));
  }
  if (file_.integer("num_actions") != spec.num_actions) {
    fail(ExitCode::kBadData,
         "shard " + path().string() + " has " + std::to_string(file_.integer("num_actions")) + " actions",
         "expected: " + std::to_string(spec.num_actions));
  }
  const auto& kinds = file_.integers("plane_kinds");
  for (std::size_t i = 0; i < spec.plane_kinds.size(); ++i) {
    if (kinds.size() != spec.plane_kinds.size() ||
        (kinds[i] == 1) != (spec.plane_kinds[i] == PlaneKind::kScalar)) {
      fail(ExitCode::kBadData, "shard " + path().string() + " has other kinds of planes",
           "its planes are packed in another way than those of " + spec.id);
    }
  }
  header_.run_id = file_.text("run_id");
  header_.iteration = small_integer(file_, "iteration");
  header_.rank = small_integer(file_, "rank");
  header_.part = small_integer(file_, "part");
  header_.evaluator_id = file_.text("evaluator_id");
  header_.run_seed = file_.natural("run_seed");
  header_.config_digest = file_.text("config_digest");
  header_.software = file_.text("software");
  digest_ = file_.text("digest");
  rows_ = file_.integer("num_rows");
  unique_rows_ = file_.integer("num_unique_rows");
}

void ShardReader::check_layout() const {
  const GameSpec& spec = game_.spec();
  const PlanePacking packing(spec);
  const auto length = [&](const std::string& name) { return file_.dataset(name).rows(); };
  const ShardLengths lengths{rows_,
                             length("rows/policy_action"),
                             packing.bits_bytes(),
                             packing.scalars(),
                             file_.integer("num_games"),
                             length("games/moves"),
                             length("games/policy_action"),
                             std::int64_t(spec.symmetries.size()),
                             spec.shape.cells(),
                             spec.num_actions};
  for (const ShardDataset& expected : kShardDatasets) {
    const H5Dataset set = file_.dataset(std::string(expected.name));
    const H5Dims dims = shard_dims(expected.shape, lengths);
    if (set.type() != expected.type || set.dims() != dims) {
      damaged("dataset " + std::string(expected.name) + " is " + std::string(h5_type_name(set.type())) + " " +
              numbers_text(set.dims()) + ", expected: " + std::string(h5_type_name(expected.type)) + " " +
              numbers_text(dims));
    }
  }
}

void ShardReader::check_symmetries() const {
  const auto cells = file_.dataset("symmetries/cell").read_all<std::int32_t>();
  const auto actions = file_.dataset("symmetries/action").read_all<std::int32_t>();
  std::size_t cell = 0, action = 0;
  for (const Symmetry& s : game_.spec().symmetries) {
    const bool same = std::equal(s.cell.begin(), s.cell.end(), cells.begin() + std::ptrdiff_t(cell)) &&
                      std::equal(s.action.begin(), s.action.end(), actions.begin() + std::ptrdiff_t(action));
    if (!same) {
      fail(ExitCode::kBadData, "shard " + path().string() + " has other symmetries than " + game_.spec().id,
           "it was written by another version of the rules");
    }
    cell += s.cell.size();
    action += s.action.size();
  }
}

std::vector<std::int64_t> ShardReader::read_offsets(const std::string& name, std::int64_t entries) const {
  auto offsets = file_.dataset(name).read_all<std::int64_t>();
  if (offsets.front() != 0 || offsets.back() != entries || !std::is_sorted(offsets.begin(), offsets.end())) {
    damaged(name + " does not ascend from 0 to " + std::to_string(entries));
  }
  return offsets;
}

template <class T>
void ShardReader::read_column(const std::string& name, std::int64_t first, std::int64_t count,
                              std::vector<T>& out) const {
  const H5Dataset set = file_.dataset(name);
  out.resize(std::size_t(count * set.row_elements()));
  set.read(first, count, std::span<T>(out));
}

PackedRows ShardReader::read_rows(std::int64_t first, std::int64_t count) const {
  if (first < 0 || count < 0 || first + count > rows_) {
    fail(ExitCode::kInternal, "shard " + path().string() + " has " + std::to_string(rows_) + " rows",
         "asked for " + std::to_string(count) + " from " + std::to_string(first));
  }
  PackedRows rows;
  const std::int64_t entry = policy_offset_[std::size_t(first)];
  const std::int64_t entries = policy_offset_[std::size_t(first + count)] - entry;
  read_column("rows/planes_bits", first, count, rows.planes_bits);
  read_column("rows/planes_scalar", first, count, rows.planes_scalar);
  rows.policy_offset.assign(policy_offset_.begin() + first, policy_offset_.begin() + first + count + 1);
  for (std::int64_t& offset : rows.policy_offset) offset -= entry;
  read_column("rows/policy_action", entry, entries, rows.policy_action);
  read_column("rows/policy_visits", entry, entries, rows.policy_visits);
  read_column("rows/outcome", first, count, rows.outcome);
  read_column("rows/root_value", first, count, rows.root_value);
  read_column("rows/game", first, count, rows.game);
  read_column("rows/ply", first, count, rows.ply);
  read_column("rows/symmetry", first, count, rows.symmetry);
  read_column("rows/to_move", first, count, rows.to_move);
  read_column("rows/unique", first, count, rows.unique);
  check_rows(rows, first);
  return rows;
}

void ShardReader::check_rows(const PackedRows& rows, std::int64_t first) const {
  const GameSpec& spec = game_.spec();
  for (std::size_t i = 0; i < std::size_t(rows.size()); ++i) {
    const auto refuse = [&](const std::string& why) {
      damaged("row " + std::to_string(first + std::int64_t(i)) + ": " + why);
    };
    if (rows.policy_offset[i] == rows.policy_offset[i + 1]) refuse("its policy is empty");
    for (std::size_t e = std::size_t(rows.policy_offset[i]); e < std::size_t(rows.policy_offset[i + 1]);
         ++e) {
      const bool ascends =
          e == std::size_t(rows.policy_offset[i]) || rows.policy_action[e] > rows.policy_action[e - 1];
      if (!ascends || rows.policy_action[e] < 0 || rows.policy_action[e] >= spec.num_actions)
        refuse("policy action");
      if (rows.policy_visits[e] < 1) refuse("policy visits");
    }
    const float z = rows.outcome[i];
    if (z != -1 && z != 0 && z != 1) refuse("outcome");
    if (!std::isfinite(rows.root_value[i])) refuse("root value");
    if (rows.ply[i] < 0 || rows.ply[i] >= spec.max_plies) refuse("ply");
    if (rows.symmetry[i] < 0 || rows.symmetry[i] >= int(spec.symmetries.size())) refuse("symmetry");
    if (rows.to_move[i] != 0 && rows.to_move[i] != 1) refuse("player to move");
    if (rows.unique[i] != (rows.symmetry[i] == 0)) refuse("unique");
  }
  for (float v : rows.planes_scalar) {
    if (!std::isfinite(v)) damaged("a scalar plane is not finite");
  }
}

std::vector<GameRecord> ShardReader::read_games() const {
  const auto moves_offset = read_offsets("games/moves_offset", file_.dataset("games/moves").rows());
  const auto policy_offset = read_offsets("games/policy_offset", file_.dataset("games/policy_action").rows());
  const auto stream_key = file_.dataset("games/stream_key").read_all<std::uint64_t>();
  const auto outcome_first = file_.dataset("games/outcome_first").read_all<float>();
  const auto end_reason = file_.dataset("games/end_reason").read_texts();
  const auto moves = file_.dataset("games/moves").read_all<std::int32_t>();
  const auto root_value = file_.dataset("games/root_value").read_all<float>();
  const auto action = file_.dataset("games/policy_action").read_all<std::int32_t>();
  const auto visits = file_.dataset("games/policy_visits").read_all<std::int32_t>();
  std::vector<GameRecord> records(game_index_.size());
  for (std::size_t g = 0; g < records.size(); ++g) {
    GameRecord& record = records[g];
    record.game_index = game_index_[g];
    record.stream_key = stream_key[g];
    record.outcome_first = outcome_first[g];
    record.end_reason = end_reason[g];
    for (std::int64_t p = moves_offset[g]; p < moves_offset[g + 1]; ++p) {
      PlyRecord ply;
      ply.action = moves[std::size_t(p)];
      ply.root_value = root_value[std::size_t(p)];
      const auto from = policy_offset[std::size_t(p)], to = policy_offset[std::size_t(p) + 1];
      ply.actions.assign(action.begin() + from, action.begin() + to);
      ply.visits.assign(visits.begin() + from, visits.begin() + to);
      record.plies.push_back(std::move(ply));
    }
  }
  return records;
}

}  // namespace rf
