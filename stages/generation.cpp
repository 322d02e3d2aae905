#include "generation.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "base/error.h"
#include "base/files.h"
#include "replay/shard_reader.h"
#include "run/metrics.h"
#include "run/pruned.h"
#include "run/shard_files.h"

namespace rf {
namespace {

std::string join(const std::set<std::int64_t>& numbers) {
  std::string text;
  for (std::int64_t number : numbers) text += std::to_string(number) + " ";
  return text;
}

[[noreturn]] void fail_foreign(const std::filesystem::path& shard, const std::string& why) {
  fail(ExitCode::kBadData, shard.string() + " does not belong here", why, "move it away");
}

}  // namespace

std::vector<OwnShard> own_shards(const StageFrame& frame, int iteration, DamagedShards damaged) {
  const RunDirectory& run = frame.run();
  if (is_pruned(run, iteration, kShardsPart)) return {};
  std::map<std::string, std::string> listed;  // file -> digest
  const auto manifest = read_manifest(run, iteration, Stage::kGenerate);
  if (manifest) {
    for (const Json& output : manifest->value("outputs", Json::array())) {
      listed[output.value("file", "")] = output.value("digest", "");
    }
  }
  std::vector<OwnShard> shards;
  std::map<std::int64_t, std::filesystem::path> seen;
  for (const auto& path : sealed_shards(run, iteration)) {
    std::optional<ShardReader> opened;
    try {
      opened.emplace(path, frame.game());
    } catch (const Error& error) {
      if (error.code() != ExitCode::kBadData || damaged == DamagedShards::kRefuse) throw;
      shards.push_back({path, "", {}, ""});
      continue;
    }
    const ShardReader& reader = *opened;
    const ShardHeader& header = reader.header();
    if (header.run_id != run.identity().id)
      fail_foreign(path, "run " + header.run_id + " made it, this is run " + run.identity().id);
    if (header.iteration != iteration)
      fail_foreign(path, "it is of iteration " + std::to_string(header.iteration));
    if (manifest && !listed.contains(run.relative(path)))
      fail_foreign(path, run.manifest(iteration, Stage::kGenerate).string() + " does not list it");
    if (manifest && listed[run.relative(path)] != reader.digest())
      fail_foreign(path,
                   "its digest is not the one in " + run.manifest(iteration, Stage::kGenerate).string());
    for (std::int64_t index : reader.game_index()) {
      const auto [other, fresh] = seen.emplace(index, path);
      if (!fresh)
        fail_foreign(path, "game " + std::to_string(index) + " is in " + other->second.string() + " too");
    }
    shards.push_back({path, reader.digest(), reader.game_index(), header.evaluator_id});
  }
  for (const auto& [file, digest] : listed) {
    if (damaged == DamagedShards::kRefuse && !file_exists(run.root() / file)) {
      fail(ExitCode::kInputMissing, (run.root() / file).string() + " is gone",
           run.manifest(iteration, Stage::kGenerate).string() + " lists it",
           "restore it, or go on without it: --set replay.damaged_shards=skip");
    }
  }
  return shards;
}

Generation::Generation(const StageFrame& frame, int iteration, std::string evaluator_id,
                       const std::optional<std::string>& scratch)
    : frame_(frame),
      iteration_(iteration),
      evaluator_id_(std::move(evaluator_id)),
      progress_("generate " + std::to_string(iteration), "games", frame.config().selfplay.games_per_iteration,
                frame.config().run.progress_seconds) {
  const RunDirectory& run = frame.run();
  std::string done_text;
  if (frame.root()) {
    const int leftovers = remove_leftovers(frame.lock(), iteration);
    if (leftovers > 0)
      log_info("removed " + std::to_string(leftovers) + " unfinished files of an interrupted call");
    make_folders(run.shards(iteration));
    std::set<std::int64_t> done;
    for (const OwnShard& shard : own_shards(frame, iteration)) {
      if (shard.evaluator_id != evaluator_id_) {
        fail(ExitCode::kBadConfig,
             "iteration " + std::to_string(iteration) + " was begun with " + shard.evaluator_id,
             "this call plays with " + evaluator_id_, "finish it with the evaluator that it was begun with");
      }
      done.insert(shard.games.begin(), shard.games.end());
    }
    done_text = join(done);
    const int games = frame.config().selfplay.games_per_iteration;
    if (!done.empty() && *done.rbegin() >= games) {
      fail(ExitCode::kBadConfig,
           "selfplay.games_per_iteration is " + std::to_string(games) + ", too few for iteration " +
               std::to_string(iteration),
           "game " + std::to_string(*done.rbegin()) + " of it is sealed already",
           "finish this iteration with the number that it was begun with");
    }
    log_info("generate " + std::to_string(iteration) + ": " + std::to_string(games) + " games with " +
             evaluator_id_ + " on " + std::to_string(frame.ranks().size()) + " rank" +
             (frame.ranks().size() == 1 ? "" : "s") + ", " +
             std::to_string(frame.config().search.simulations) + " simulations a move" +
             (done.empty() ? "" : "; " + std::to_string(done.size()) + " games are sealed already"));
  }
  frame.ranks().broadcast(done_text);
  std::set<std::int64_t> done;
  for (std::size_t at = 0; at < done_text.size();) {
    const std::size_t blank = done_text.find(' ', at);
    done.insert(std::stoll(done_text.substr(at, blank - at)));
    at = blank + 1;
  }
  for (std::int64_t g = 0; g < frame.config().selfplay.games_per_iteration; ++g) {
    if (!done.contains(g)) games_left_.push_back(g);
  }
  progress_.set_before((long long)(done.size()));
  if (scratch) scratch_ = Scratch::make(frame, *scratch);
}

std::filesystem::path Generation::next_path() {
  for (;; ++part_) {
    char name[40];
    std::snprintf(name, sizeof name, "r%04d-%03d.h5", frame_.ranks().rank(), part_);
    const auto path = frame_.run().shards(iteration_) / name;
    if (!file_exists(path)) return path;
  }
}

void Generation::add(const GameRecord& record) {
  const Timer timer;
  if (!writer_) {
    ShardHeader header;
    header.run_id = frame_.run().identity().id;
    header.game_id = frame_.game().spec().id;
    header.iteration = iteration_;
    header.rank = frame_.ranks().rank();
    const auto path = next_path();
    header.part = part_;
    header.evaluator_id = evaluator_id_;
    header.run_seed = frame_.config().run.seed;
    header.config_digest = frame_.config_digest();
    header.software = software_version();
    writer_ = std::make_unique<ShardWriter>(path, frame_.game(), header, frame_.config().replay);
    writer_age_ = Timer();
  }
  writer_->add(record);
  write_seconds_ += timer.seconds();
}

void Generation::seal_if_due() {
  if (!writer_) return;
  const SelfplayConfig& config = frame_.config().selfplay;
  if (writer_->rows() >= config.shard_rows || writer_age_.seconds() >= config.seal_seconds) seal();
}

void Generation::seal() {
  if (!writer_) return;
  const Timer timer;
  frame_.token().check_owned();  // before the name of a shard of the new owner is found in the way
  const ShardSummary summary = write_shard();
  writer_.reset();
  write_seconds_ += timer.seconds();
  log_debug("sealed " + summary.path.filename().string() + ": " + grouped(summary.games) + " games, " +
            grouped(summary.rows) + " rows, " + grouped(summary.bytes) + " bytes");
}

ShardSummary Generation::write_shard() {
  if (scratch_) {
    try {
      return writer_->seal(scratch_->folder() / writer_->path().filename());
    } catch (const Error& error) {
      if (error.code() != ExitCode::kCannotWrite && error.code() != ExitCode::kBadData) throw;
      log_warning("the scratch on " + host_name() +
                  " failed, shards are written to the run without it: " + error.what());
      scratch_.reset();
    }
  }
  return writer_->seal();
}

void Generation::show_progress(const SelfPlayCounts& counts) {
  // Games are dealt evenly enough for rank 0 to speak for all between the exact counts at the end.
  if (!frame_.root() || !progress_.due()) return;
  const long long total = frame_.config().selfplay.games_per_iteration;
  const long long before = total - (long long)(games_left_.size());
  const long long done = std::min(total, before + counts.games * frame_.ranks().size());
  const double seconds = counts.evaluate_seconds + counts.search_seconds;
  progress_.show(done, grouped((long long)(double(counts.simulations) / std::max(1e-9, seconds))) +
                           " simulations/s a rank, batches of " +
                           fixed(double(counts.evaluations) / double(std::max(1LL, counts.batches)), 0));
}

Json Generation::read_shards() const {
  std::map<std::string, long long> reasons;
  long long games = 0, rows = 0, unique_rows = 0, plies = 0, first_wins = 0, second_wins = 0, draws = 0;
  double root_value_error = 0, policy_entropy = 0;
  Json outputs = Json::array();
  for (const auto& path : sealed_shards(frame_.run(), iteration_)) {
    const ShardReader reader(path, frame_.game());
    reader.verify_digest();
    outputs.push_back({{"file", frame_.run().relative(path)}, {"digest", reader.digest()}});
    games += reader.games();
    rows += reader.rows();
    unique_rows += reader.unique_rows();
    for (const GameRecord& record : reader.read_games()) {
      plies += (long long)(record.plies.size());
      ++reasons[record.end_reason];
      (record.outcome_first > 0 ? first_wins : record.outcome_first < 0 ? second_wins : draws) += 1;
      for (const PlyRecord& ply : record.plies) {
        double sum = 0, entropy = 0;
        for (int n : ply.visits) sum += n;
        for (int n : ply.visits) entropy -= n / sum * std::log(n / sum);
        policy_entropy += entropy;
      }
    }
    const PackedRows columns = reader.read_rows(0, reader.rows());
    for (std::int64_t i = 0; i < columns.size(); ++i) {
      if (!columns.unique[std::size_t(i)]) continue;
      const double error = columns.outcome[std::size_t(i)] - columns.root_value[std::size_t(i)];
      root_value_error += error * error;
    }
  }
  const double n = double(std::max(1LL, games)), u = double(std::max(1LL, unique_rows));
  return {{"outputs", outputs},
          {"games", games},
          {"rows", rows},
          {"unique_rows", unique_rows},
          {"plies", plies},
          {"mean_plies", double(plies) / n},
          {"first_wins", first_wins},
          {"second_wins", second_wins},
          {"draws", draws},
          {"end_reasons", reasons},
          {"policy_entropy", policy_entropy / u},
          {"root_value_error", root_value_error / u}};
}

void Generation::finish(const SelfPlayCounts& counts, const Champion& champion, const Json& inference,
                        double seconds) {
  const Communicator& ranks = frame_.ranks();
  const auto sum = [&](double x) { return ranks.sum(x); };
  const double simulations = sum(double(counts.simulations)), evaluations = sum(double(counts.evaluations));
  const double evaluate = sum(counts.evaluate_seconds), search = sum(counts.search_seconds);
  const double write = sum(write_seconds_), cpu = sum(cpu_seconds());
  const double batches = sum(double(counts.batches)), truncated = sum(double(counts.truncated_searches));
  if (!frame_.root()) return ranks.barrier();

  Json facts = frame_.facts();
  facts.update(read_shards());
  const long long games = facts["games"].get<long long>();
  if (games != frame_.config().selfplay.games_per_iteration) {
    fail(ExitCode::kInternal, "the shards hold " + std::to_string(games) + " games",
         "this iteration has " + std::to_string(frame_.config().selfplay.games_per_iteration));
  }
  facts["evaluator"] = evaluator_id_;
  facts["network"] = {
      {"iteration", champion.iteration}, {"file", champion.network_file}, {"digest", champion.digest}};
  if (!inference.is_null()) facts["inference"] = inference;
  facts["simulations"] = (long long)simulations;
  facts["evaluations"] = (long long)evaluations;
  facts["mean_batch"] = evaluations / std::max(1.0, batches);
  facts["truncated_searches"] = (long long)truncated;
  facts["seconds"] = {
      {"wall", seconds}, {"cpu", cpu}, {"evaluate", evaluate}, {"search", search}, {"write", write}};
  Json event = {
      {"key", "generate " + std::to_string(iteration_)}, {"event", "generate"}, {"iteration", iteration_}};
  for (const char* name : {"games", "rows", "unique_rows", "mean_plies", "first_wins", "second_wins", "draws",
                           "policy_entropy", "root_value_error", "simulations", "evaluations", "seconds"}) {
    event[name] = facts[name];
  }
  // Before the manifest: what is done again after a crash in between finds the event by its key.
  append_event(frame_.run(), event);
  write_manifest(frame_.lock(), iteration_, Stage::kGenerate, facts);
  if (truncated > 0)
    log_warning(grouped((long long)truncated) + " searches stopped early: search.max_nodes was reached");
  log_info("generate " + std::to_string(iteration_) + ": " + grouped(games) + " games, " +
           grouped(facts["unique_rows"].get<long long>()) + " unique rows (" +
           grouped(facts["rows"].get<long long>()) + " with symmetries), " +
           fixed(facts["mean_plies"].get<double>(), 1) + " plies a game, won by first " +
           std::to_string(facts["first_wins"].get<long long>()) + ", second " +
           std::to_string(facts["second_wins"].get<long long>()) + ", drawn " +
           std::to_string(facts["draws"].get<long long>()) + "; " + duration(seconds) + ", " +
           grouped((long long)(simulations / std::max(1e-9, seconds))) + " simulations/s");
  ranks.barrier();
}

}  // namespace rf
