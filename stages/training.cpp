#include "training.h"

#include <algorithm>
#include <cmath>

#include "base/digest.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/signals.h"
#include "generation.h"
#include "run/metrics.h"
#include "run/pruned.h"
#include "run/shard_files.h"
#include "store/network_file.h"

namespace rf {

std::vector<IterationShards> Training::shards(Json& inputs) const {
  std::vector<IterationShards> list;
  for (int i = iteration_; i >= 1 && i > iteration_ - frame_.config().replay.window_iterations; --i) {
    std::vector<std::filesystem::path> paths;
    for (const OwnShard& shard : own_shards(frame_, i, frame_.config().replay.damaged_shards)) {
      paths.push_back(shard.path);
      inputs.push_back({{"file", frame_.run().relative(shard.path)}, {"digest", shard.digest}});
    }
    if (!paths.empty()) list.push_back({i, std::move(paths)});
  }
  return list;
}

Training::Training(const StageFrame& frame, int iteration, const BatchPart& part)
    : frame_(frame),
      iteration_(iteration),
      part_(part),
      window_(frame.game(), shards(inputs_), frame.config().replay),
      shuffle_(std::max<std::int64_t>(1, window_.rows()), frame.config().run.seed, iteration) {
  if (frame.root()) remove_leftovers(frame.lock(), iteration);
  const TrainConfig& config = frame.config().train;
  const WindowReport& report = window_.report();
  for (std::int64_t row = window_.rows(); row-- > 0 && window_.key(row).iteration == iteration;) {
    new_unique_rows_ += window_.unique(row);
  }
  if (report.unique_rows < config.min_unique_rows || report.rows < 2) {
    fail(ExitCode::kInputMissing,
         "too little data to train on: the window has " + grouped(report.unique_rows) + " unique rows",
         "train.min_unique_rows is " + grouped(config.min_unique_rows), "play more games, or lower the key");
  }
  if (frame.root()) {
    for (const std::string& damage : report.damage) log_warning("a shard is left out: " + damage);
    for (int missing : report.missing_iterations) {
      log_warning("iteration " + std::to_string(missing) + " has no shards; the window goes on without it");
    }
    warn_of_pruned();
  }
  const double wanted = config.reuse * double(new_unique_rows_) / config.batch_size;
  num_batches_ = std::max<std::int64_t>(1, std::int64_t(std::ceil(wanted)));
  const auto B = std::size_t(part.rows);
  const GameSpec& spec = frame.game().spec();
  rows_.resize(B);
  planes_.resize(B * std::size_t(spec.shape.size()));
  policy_.resize(B * std::size_t(spec.num_actions));
  value_.resize(B);
  say("train " + std::to_string(iteration) + ": " + grouped(new_unique_rows_) +
      " new unique rows; window of " + grouped(report.games) + " games, " + grouped(report.unique_rows) +
      " unique rows (" + grouped(report.distinct_positions) + " distinct), " + grouped(report.rows) +
      " with symmetries, " + fixed(double(report.bytes) / (1 << 20), 1) + " MiB" +
      (frame.ranks().size() > 1 ? " a rank; " : "; ") + grouped(num_batches_) + " batches of " +
      grouped(config.batch_size));
  resume_or_begin();
  expect_same_start();
}

void Training::say(const std::string& line) const {
  if (frame_.root()) log_info(line);
}

// What ranks of other nodes see may be late on a network file system.
void Training::expect_same_start() const {
  const WindowReport& window = window_.report();
  const std::vector<std::uint64_t> facts = {std::uint64_t(window.rows),
                                            std::uint64_t(window.unique_rows),
                                            std::uint64_t(window.games),
                                            std::uint64_t(window.distinct_positions),
                                            std::uint64_t(window.shards),
                                            std::uint64_t(batches_),
                                            trainer_->digest()};
  if (frame_.ranks().same_on_all_ranks(digest64(std::span(facts)))) return;
  fail(ExitCode::kTryAgain, "the ranks do not begin with the same rows and weights",
       "this one has a window of " + grouped(window.rows) + " rows and starts at batch " + grouped(batches_),
       "all nodes must see the same files of " + frame_.run().root().string());
}

// When the window had room for more than is there.
void Training::warn_of_pruned() const {
  if (window_.report().left_out_games > 0) return;
  const int first = std::max(1, iteration_ - frame_.config().replay.window_iterations + 1);
  int last = first - 1;
  while (last < iteration_ && is_pruned(frame_.run(), last + 1, kShardsPart)) ++last;
  if (last < first) return;
  const std::string which =
      last == first ? "iteration " + std::to_string(first) + " was"
                    : "iterations " + std::to_string(first) + " to " + std::to_string(last) + " were";
  log_warning("the shards of " + which + " pruned; the window goes on without them");
}

std::filesystem::path Training::checkpoint_path() const {
  return frame_.run().candidate(iteration_) / "checkpoint.h5";
}

std::string Training::set_id() const {
  return frame_.run().identity().id + "/" + std::to_string(iteration_) + "/" + std::to_string(batches_);
}

Training::Start Training::choose_start() const {
  const Champion champion = frame_.champion();
  int source = champion.iteration;
  std::filesystem::path network = frame_.run().root() / champion.network_file;
  std::string from = "the champion of iteration " + std::to_string(source);
  if (frame_.config().train.start_from == StartFrom::kLast && iteration_ > 1 &&
      read_manifest(frame_.run(), iteration_ - 1, Stage::kTrain)) {
    source = iteration_ - 1;
    network = frame_.run().candidate(source) / "network.h5";
    from = "the candidate of iteration " + std::to_string(source);
  }
  const NetworkFile file = read_network(network);
  expect_architecture(file, frame_.architecture(), network);
  Start start{file.weights, std::nullopt, from, file.digest};
  if (source > 0) {
    const std::filesystem::path training = frame_.run().candidate(source) / "training.h5";
    if (!file_exists(training)) {
      fail(ExitCode::kInputMissing, "cannot read " + training.string(), "it is not there",
           "restore it; or train.start_from=champion begins from the champion's own");
    }
    start.state = read_checkpoint(training, frame_.architecture());
    if (start.state->network_digest != file.digest) {
      fail(ExitCode::kBadData, training.string() + " and " + network.string() + " are not of one set",
           "the training state names network " + start.state->network_digest.substr(0, 12) +
               ", the file is " + file.digest.substr(0, 12));
    }
  }
  return start;
}

void Training::make_trainer(const Weights& weights) {
  const TrainConfig& config = frame_.config().train;
  const Communicator& ranks = frame_.ranks();
  RankShare share;
  share.of_batch = double(part_.rows) / config.batch_size;
  if (ranks.size() > 1) {
    share.sum_in_place = [this](std::span<float> values) {
      const Timer timer;
      frame_.ranks().sum_in_place(values);
      sum_seconds_ += timer.seconds();
    };
  }
  share.wishes = [this] {
    const double interval = frame_.config().train.checkpoint_seconds;
    return RankWishes{stop_requested(), frame_.root() && since_checkpoint_.seconds() >= interval};
  };
  trainer_ = std::make_unique<Trainer>(frame_.architecture(), weights, config, std::move(share));
}

void Training::resume_or_begin() {
  start_ = choose_start();
  if (frame_.root()) make_folders(frame_.run().candidate(iteration_));
  curve_ = TrainCurve(num_batches_);
  if (file_exists(checkpoint_path())) {
    const Checkpoint checkpoint = read_checkpoint(checkpoint_path(), frame_.architecture());
    if (!checkpoint.weights) fail(ExitCode::kBadData, checkpoint_path().string() + " holds no weights");
    make_trainer(*checkpoint.weights);
    restore_state(checkpoint);
    batches_ = resumed_at_ = checkpoint.batches;
    curve_ = checkpoint.curve;
    say("going on from the checkpoint at batch " + grouped(batches_));
    return;
  }
  make_trainer(start_.weights);
  if (start_.state) restore_state(*start_.state);
  say("starting from " + start_.from);
}

void Training::restore_state(const Checkpoint& state) {
  const bool has_second = !state.optimizer.second.empty();
  if (has_second == (frame_.config().train.optimizer == OptimizerKind::kSgd)) {
    if (frame_.root()) {
      log_warning(std::string("the last steps were taken ") + (has_second ? "by adam or adamw" : "by sgd") +
                  ", train.optimizer is " +
                  std::string(kOptimizerNames[std::size_t(frame_.config().train.optimizer)]) +
                  ": it begins without their state");
    }
    return;
  }
  trainer_->restore(state.optimizer, state.rate_multiplier);
}

// Before anything is written.
void Training::check_weights() const {
  trainer_->check_finite();
  if (frame_.ranks().size() == 1 || frame_.ranks().same_on_all_ranks(trainer_->digest())) return;
  fail(ExitCode::kInternal, "the ranks have come to different weights at batch " + grouped(batches_),
       "the sum of the gradients or a step is not bit-equal on all",
       "nodes with unlike processors? The last checkpoint is whole");
}

void Training::save_checkpoint() {
  check_weights();
  since_checkpoint_ = Timer();
  if (!frame_.root()) return;
  frame_.lock().check_owned();
  Checkpoint checkpoint;
  checkpoint.set_id = set_id();
  checkpoint.batches = batches_;
  checkpoint.rate_multiplier = trainer_->rate_multiplier();
  checkpoint.optimizer = trainer_->optimizer_state();
  checkpoint.weights = trainer_->weights();
  checkpoint.curve = curve_;
  write_checkpoint(checkpoint_path(), frame_.architecture(), checkpoint);
}

void Training::train_batch() {
  const Timer timer;
  const std::int64_t first = batches_ * frame_.config().train.batch_size + part_.first;
  for (std::int64_t i = 0; i < part_.rows; ++i) rows_[std::size_t(i)] = shuffle_.at(first + i);
  window_.gather(rows_, planes_, policy_, value_);
  gather_seconds_ += timer.seconds();
  curve_.add(trainer_->train(planes_, policy_, value_));
  ++batches_;
}

bool Training::run() {
  try {
    return train_batches();
  } catch (const Error& error) {
    if (error.code() == ExitCode::kBadData && frame_.root() && frame_.token().still_owned()) {
      std::filesystem::remove(checkpoint_path());
    }
    throw;
  }
}

bool Training::train_batches() {
  Progress progress("train " + std::to_string(iteration_), "batches", num_batches_,
                    frame_.config().run.progress_seconds);
  progress.set_before(batches_);
  since_checkpoint_ = Timer();
  while (batches_ < num_batches_) {
    train_batch();
    if (frame_.root() && progress.due()) {
      const BatchStats now = curve_.latest();
      progress.show(batches_, "policy loss " + fixed(now.policy_loss, 3) + " (least " +
                                  fixed(now.target_entropy, 3) + "), value loss " + fixed(now.value_loss, 3) +
                                  ", top-1 " + fixed(100 * now.top1, 0) + " %");
    }
    const RankWishes agreed = trainer_->agreed();
    if ((agreed.stop || agreed.checkpoint) && batches_ < num_batches_) {
      save_checkpoint();
      if (agreed.stop) return false;
    }
  }
  check_weights();
  return true;
}

void Training::finish() {
  const double cpu = frame_.ranks().sum(cpu_seconds());
  if (frame_.root()) write_candidate(cpu);
  frame_.ranks().barrier();
}

void Training::write_candidate(double cpu) {
  const RunDirectory& run = frame_.run();
  const auto network_path = run.candidate(iteration_) / "network.h5";
  const auto training_path = run.candidate(iteration_) / "training.h5";
  frame_.lock().check_owned();
  const std::string digest = write_network(
      network_path,
      {frame_.architecture(), trainer_->weights(), run.identity().id, iteration_, trainer_->steps(), ""});
  Checkpoint state;
  state.set_id = set_id();
  state.batches = batches_;
  state.rate_multiplier = trainer_->rate_multiplier();
  state.optimizer = trainer_->optimizer_state();
  state.network_digest = digest;
  write_checkpoint(training_path, frame_.architecture(), state);

  Json curve = Json::array();
  for (const CurvePoint& point : curve_.points()) {
    const BatchStats& m = point.mean;
    curve.push_back({{"batches", point.batches},
                     {"policy_loss", m.policy_loss},
                     {"value_loss", m.value_loss},
                     {"target_entropy", m.target_entropy},
                     {"entropy", m.entropy},
                     {"top1", m.top1},
                     {"kl_to_target", m.policy_loss - m.target_entropy},
                     {"kl", m.kl},
                     {"gradient_norm", m.gradient_norm},
                     {"learning_rate", m.learning_rate}});
  }
  const WindowReport& report = window_.report();
  const double seconds = timer_.seconds();
  Json facts = frame_.facts();
  facts["outputs"] = {{{"file", run.relative(network_path)}, {"digest", digest}},
                      {{"file", run.relative(training_path)}}};
  facts["set_id"] = state.set_id;
  facts["network_digest"] = digest;
  facts["start"] = {{"from", start_.from}, {"digest", start_.digest}};
  facts["inputs"] = inputs_;
  facts["window"] = {{"games", report.games},
                     {"rows", report.rows},
                     {"unique_rows", report.unique_rows},
                     {"distinct_positions", report.distinct_positions},
                     {"bytes", report.bytes},
                     {"left_out_games", report.left_out_games}};
  facts["new_unique_rows"] = new_unique_rows_;
  facts["batches"] = batches_;
  facts["steps"] = trainer_->steps();
  facts["rate_multiplier"] = trainer_->rate_multiplier();
  facts["curve"] = curve;
  facts["resumed_at_batch"] = resumed_at_;
  facts["seconds"] = {{"wall", seconds}, {"cpu", cpu}, {"gather", gather_seconds_}, {"sum", sum_seconds_}};
  for (const Json& point : curve) {
    Json event = point;
    event["event"] = "train";
    event["iteration"] = iteration_;
    event["key"] =
        "train " + std::to_string(iteration_) + " " + std::to_string(point["batches"].get<long long>());
    append_event(run, event);
  }
  write_manifest(frame_.lock(), iteration_, Stage::kTrain, facts);
  std::filesystem::remove(checkpoint_path());
  const BatchStats last = curve_.latest();
  const double samples = double((batches_ - resumed_at_) * frame_.config().train.batch_size);
  log_info("train " + std::to_string(iteration_) + ": policy loss " + fixed(last.policy_loss, 3) +
           " (least " + fixed(last.target_entropy, 3) + "), value loss " + fixed(last.value_loss, 3) +
           ", top-1 " + fixed(100 * last.top1, 0) + " %, rate " + fixed(last.learning_rate, 5) + "; " +
           duration(seconds) + ", " + grouped((long long)(samples / std::max(1e-9, seconds))) + " samples/s");
}

}  // namespace rf
