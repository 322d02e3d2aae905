#include "replay/shard_writer.h"

#include <algorithm>
#include <span>

#include "base/error.h"
#include "base/files.h"
#include "replay/augment.h"
#include "replay/shard_schema.h"
#include "store/h5.h"
#include "store/sealed_copy.h"
#include "store/tensor_file.h"

namespace rf {
namespace {

void refuse_existing(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) {
    fail(ExitCode::kCannotWrite, "cannot write " + path.string(), "it exists already",
         "a sealed shard is never overwritten");
  }
}

void move_sealed(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code ignored;
  try {
    copy_sealed(from, to);
  } catch (...) {
    std::filesystem::remove(from, ignored);
    throw;
  }
  std::filesystem::remove(from, ignored);
}

// Writes columns under their names in the schema, with the types and shapes that the schema says.
class Columns {
 public:
  Columns(H5File& file, const ShardLengths& lengths, const ReplayConfig& config)
      : file_(file), lengths_(lengths), config_(config) {}

  template <class T>
  void write(std::string_view name, const std::vector<T>& values) {
    const ShardDataset& set = shard_dataset(name);
    if (set.type != kH5TypeOf<T>)
      fail(ExitCode::kInternal, "the schema has another type for " + std::string(name));
    file_.write<T>(std::string(name), shard_dims(set.shape, lengths_), values, storage(set));
  }
  void write_texts(std::string_view name, const std::vector<std::string>& texts) {
    file_.write_texts(std::string(name), texts, storage(shard_dataset(name)));
  }

 private:
  H5Storage storage(const ShardDataset& set) const {
    const bool by_row = set.shape.front() == 'N';  // other columns have chunks by size
    return {by_row ? config_.chunk_rows : 0, config_.compression};
  }
  H5File& file_;
  const ShardLengths& lengths_;
  const ReplayConfig& config_;
};

void write_header(H5File& file, const ShardHeader& header, const GameSpec& spec) {
  file.set_attribute("filetype", std::string(kShardFiletype));
  file.set_attribute("schema_version", std::vector<std::int64_t>{kShardMajor, kShardMinor});
  file.set_attribute("run_id", header.run_id);
  file.set_attribute("game_id", header.game_id);
  file.set_attribute("iteration", std::int64_t(header.iteration));
  file.set_attribute("rank", std::int64_t(header.rank));
  file.set_attribute("part", std::int64_t(header.part));
  file.set_attribute("evaluator_id", header.evaluator_id);
  file.set_attribute("run_seed", header.run_seed);
  file.set_attribute("config_digest", header.config_digest);
  file.set_attribute("software", header.software);
  file.set_attribute("shape", std::vector<std::int64_t>{spec.shape.planes, spec.shape.rows, spec.shape.cols});
  std::vector<std::int64_t> kinds;
  for (PlaneKind kind : spec.plane_kinds) kinds.push_back(kind == PlaneKind::kScalar ? 1 : 0);
  file.set_attribute("plane_kinds", kinds);
  file.set_attribute("num_actions", std::int64_t(spec.num_actions));
}

void write_rows(H5File& file, Columns& columns, const PackedRows& rows) {
  file.make_group("rows");
  columns.write("rows/planes_bits", rows.planes_bits);
  columns.write("rows/planes_scalar", rows.planes_scalar);
  columns.write("rows/policy_offset", rows.policy_offset);
  columns.write("rows/policy_action", rows.policy_action);
  columns.write("rows/policy_visits", rows.policy_visits);
  columns.write("rows/outcome", rows.outcome);
  columns.write("rows/root_value", rows.root_value);
  columns.write("rows/game", rows.game);
  columns.write("rows/ply", rows.ply);
  columns.write("rows/symmetry", rows.symmetry);
  columns.write("rows/to_move", rows.to_move);
  columns.write("rows/unique", rows.unique);
}

void write_symmetries(H5File& file, Columns& columns, const GameSpec& spec) {
  std::vector<std::int32_t> cells, actions;
  for (const Symmetry& s : spec.symmetries) {
    cells.insert(cells.end(), s.cell.begin(), s.cell.end());
    actions.insert(actions.end(), s.action.begin(), s.action.end());
  }
  file.make_group("symmetries");
  columns.write("symmetries/cell", cells);
  columns.write("symmetries/action", actions);
}

}  // namespace

ShardWriter::ShardWriter(std::filesystem::path final_path, const Game& game, const ShardHeader& header,
                         const ReplayConfig& config)
    : path_(std::move(final_path)), game_(game), header_(header), config_(config) {
  if (header_.game_id != game.spec().id) {
    fail(ExitCode::kInternal, "the header of shard " + path_.string() + " says game " + header_.game_id,
         "it is written for " + game.spec().id);
  }
  refuse_existing(path_);
  if (path_.has_parent_path()) make_folders(path_.parent_path());
}

void ShardWriter::add(const GameRecord& record) {
  if (sealed_) fail(ExitCode::kInternal, "shard " + path_.string() + " is sealed", "no game can be added");
  if (std::find(index_.begin(), index_.end(), record.game_index) != index_.end()) {
    fail(ExitCode::kInternal,
         "game " + std::to_string(record.game_index) + " is in shard " + path_.string() + " already");
  }
  const std::int64_t before = rows_.size();
  append_game(game_, record, rows_);
  const std::int64_t unique = std::count(rows_.unique.begin() + before, rows_.unique.end(), 1);
  unique_rows_ += unique;
  index_.push_back(record.game_index);
  stream_key_.push_back(record.stream_key);
  rows_offset_.push_back(rows_.size());
  game_unique_rows_.push_back(unique);
  plies_.push_back(std::int32_t(record.plies.size()));
  outcome_first_.push_back(record.outcome_first);
  end_reason_.push_back(record.end_reason);
  for (const PlyRecord& ply : record.plies) {
    moves_.push_back(ply.action);
    root_value_.push_back(ply.root_value);
    policy_action_.insert(policy_action_.end(), ply.actions.begin(), ply.actions.end());
    policy_visits_.insert(policy_visits_.end(), ply.visits.begin(), ply.visits.end());
    policy_offset_.push_back(std::int64_t(policy_action_.size()));
  }
  moves_offset_.push_back(std::int64_t(moves_.size()));
}

ShardSummary ShardWriter::seal(const std::filesystem::path& draft) {
  if (sealed_) fail(ExitCode::kInternal, "shard " + path_.string() + " is sealed already");
  refuse_existing(path_);
  const GameSpec& spec = game_.spec();
  const PlanePacking packing(spec);
  const ShardLengths lengths{rows(),
                             rows_.policy_entries(),
                             packing.bits_bytes(),
                             packing.scalars(),
                             games(),
                             std::int64_t(moves_.size()),
                             std::int64_t(policy_action_.size()),
                             std::int64_t(spec.symmetries.size()),
                             spec.shape.cells(),
                             spec.num_actions};
  H5File file = H5File::create(draft.empty() ? path_ : draft);
  write_header(file, header_, spec);
  file.set_attribute("num_rows", rows());
  file.set_attribute("num_unique_rows", unique_rows());
  file.set_attribute("num_games", games());

  Columns columns(file, lengths, config_);
  write_rows(file, columns, rows_);
  file.make_group("games");
  columns.write("games/index", index_);
  columns.write("games/stream_key", stream_key_);
  columns.write("games/rows_offset", rows_offset_);
  columns.write("games/unique_rows", game_unique_rows_);
  columns.write("games/plies", plies_);
  columns.write("games/outcome_first", outcome_first_);
  columns.write_texts("games/end_reason", end_reason_);
  columns.write("games/moves_offset", moves_offset_);
  columns.write("games/moves", moves_);
  columns.write("games/root_value", root_value_);
  columns.write("games/policy_offset", policy_offset_);
  columns.write("games/policy_action", policy_action_);
  columns.write("games/policy_visits", policy_visits_);
  write_symmetries(file, columns, spec);
  const H5Seal seal = file.seal();
  if (!draft.empty()) move_sealed(draft, path_);
  sealed_ = true;
  return {path_, seal.digest, rows(), unique_rows(), games(), seal.bytes};
}

}  // namespace rf
