#include "stage_frame.h"

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/timer.h"
#include "base/version.h"
#include "config/dump.h"
#include "config/load.h"
#include "games/registry.h"
#include "gating.h"
#include "run/call_config.h"
#include "store/network_file.h"

namespace rf {

std::string software_version() {
  return std::string(kVersion) + " (" + kRevision + ")";
}

Architecture make_architecture(const Game& game, const NetworkConfig& network) {
  const GameSpec& spec = game.spec();
  return {spec.id, spec.shape.planes, spec.shape.rows, spec.shape.cols, spec.num_actions, network};
}

StageFrame::StageFrame(const Communicator& ranks, const CommandLine& line, const std::string& stage)
    : ranks_(ranks) {
  std::string path, yaml, origin;
  if (root()) {
    open_run(line, !stage.empty());
    // What is next stays so under the lock; a measurement takes what the next iteration would take.
    if (!stage.empty()) lock_.emplace(*run_, stage);
    resolve_config(line, lock_ ? next_step(*run_).iteration : last_finished_iteration(*run_) + 1);
    path = run_->root().string();
    yaml = dump_config(config_);
    origin = origin_.dump();
  }
  ranks_.broadcast(path);
  ranks_.broadcast(yaml);
  ranks_.broadcast(origin);
  if (!root()) {
    run_ = RunDirectory::open(path);
    config_ = parse_config(yaml, path + "/run.yaml");
    origin_ = Json::parse(origin);
  }
  config_digest_ = rf::config_digest(config_);
  game_ = make_game(config_.game);
  architecture_ = make_architecture(*game_, config_.network);
  if (stage.empty()) return;
  guard_run();
  if (!root()) return;
  settle_promotion(*lock_);
  ensure_first_network();
  for (const std::string& gap : find_gaps(*run_)) log_warning(gap);
}

void StageFrame::guard_run() {
  std::string token = root() ? lock_->token().text() : "";
  ranks_.broadcast(token);
  token_.emplace(*run_, token);
  guard_.emplace(run_->root(), [this] { token_->check_owned(); });
}

void StageFrame::open_run(const CommandLine& line, bool may_make) {
  const std::filesystem::path path = line.required("run");
  const auto file = line.text("config");
  const auto sets = line.texts("set");
  const bool exists = file_exists(path / "run.json");
  if (!exists && !file) {
    fail(ExitCode::kInputMissing, path.string() + " is not a run", "it has no run.json",
         may_make ? "give --config FILE to make a new run there" : "check --run");
  }
  if (!exists && may_make) {
    const RunConfig wanted = load_config(*file, sets);
    run_ = RunDirectory::create(path, dump_config(wanted));
    if (run_->made_here()) log_info("made run " + run_->root().string() + " (" + run_->identity().id + ")");
  } else {
    run_ = RunDirectory::open(path);
  }
}

void StageFrame::resolve_config(const CommandLine& line, int iteration) {
  const std::vector<Amendment> amendments = amendments_for(read_amendments(*run_), iteration);
  for (const Amendment& amendment : amendments) {
    log_info(amendment.text());
    origin_["amendments"].push_back(amendment.number);
  }
  CallConfig call = call_config(*run_, amendments, line.text("config"), line.texts("set"));
  for (const ConfigDifference& difference : call.changes) {
    log_info(difference.key + " is " + difference.now + " for this call (the run has " + difference.was +
             ")");
    origin_["config_changes"][difference.key] = difference.now;
  }
  config_ = std::move(call.config);
}

void StageFrame::ensure_first_network() {
  if (read_champion(*run_)) return;
  const std::filesystem::path path = run_->network(0);
  if (!file_exists(path)) {
    make_folders(run_->networks());
    write_network(path, {architecture_, initial_weights(architecture_, config_.run.seed), run_->identity().id,
                         0, 0, ""});
  }
  const NetworkFile first = read_network(path);
  expect_architecture(first, architecture_, path);
  write_champion(*lock_, {0, run_->relative(path), first.digest, utc_now(), "first network, random weights"});
  log_info("first network: " + architecture_text(architecture_) + ", " +
           grouped(count_parameters(architecture_)) + " parameters, " +
           fixed(mflops_per_evaluation(architecture_), 1) + " MFLOP an evaluation");
}

Step StageFrame::next() const {
  std::int64_t iteration = 0, stage = 0;
  if (root()) {
    const Step step = next_step(*run_);
    iteration = step.iteration;
    stage = std::int64_t(step.stage);
  }
  ranks_.broadcast(iteration);
  ranks_.broadcast(stage);
  return {int(iteration), Stage(stage)};
}

Champion StageFrame::champion() const {
  std::string text;
  if (root()) {
    const auto champion = read_champion(*run_);
    if (!champion)
      fail(ExitCode::kInputMissing, "the run has no champion", "champion.json is not there",
           "the next stage writes it: rf-status --run says which that is");
    text =
        Json{champion->iteration, champion->network_file, champion->digest, champion->since, champion->reason}
            .dump();
  }
  ranks_.broadcast(text);
  const Json list = Json::parse(text);
  return {list[0].get<int>(), list[1].get<std::string>(), list[2].get<std::string>(),
          list[3].get<std::string>(), list[4].get<std::string>()};
}

Json StageFrame::facts() const {
  Json facts = {{"config_digest", config_digest_}, {"ranks", ranks_.size()}, {"host", host_name()}};
  facts.update(origin_);
  if (const char* job = std::getenv("SLURM_JOB_ID")) facts["job"] = job;
  return facts;
}

}  // namespace rf
