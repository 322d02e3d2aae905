#include "gating.h"

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "eval/rollout_evaluator.h"
#include "players.h"
#include "run/metrics.h"
#include "run/shard_files.h"

namespace rf {

SearchConfig pure_mcts(const GateConfig& config) {
  SearchConfig search;
  search.c_puct = config.yardstick_c_puct;
  search.fpu_reduction = search.fpu_reduction_root = 0;
  search.tree_reuse = false;  // exactly the playouts that it is named after
  search.leaves_in_flight = 1;
  search.random_symmetry = false;
  return search;
}

void settle_promotion(const RunLock& lock) {
  const RunDirectory& run = lock.run();
  const auto champion = read_champion(run);
  const std::vector<int> numbers = iteration_numbers(run);
  for (auto it = numbers.rbegin(); it != numbers.rend(); ++it) {
    if (champion && champion->iteration >= *it) return;
    const auto manifest = read_manifest(run, *it, Stage::kGate);
    if (!manifest || manifest->value("promoted", Json()) != true) continue;
    const std::filesystem::path network = run.network(*it);
    write_champion(lock,
                   {*it, run.relative(network), manifest->at("candidate").at("digest").get<std::string>(),
                    utc_now(), manifest->at("reason").get<std::string>()});
    return;
  }
}

Gating::Gating(const StageFrame& frame, int iteration)
    : frame_(frame),
      iteration_(iteration),
      champion_(frame.champion()),
      candidate_path_(frame.run().candidate(iteration) / "network.h5") {
  std::string digest;
  if (frame.root()) {
    remove_leftovers(frame.lock(), iteration);
    const auto manifest = read_manifest(frame.run(), iteration, Stage::kTrain);
    digest =
        json_value<std::string>(*manifest, "network_digest", frame.run().manifest(iteration, Stage::kTrain));
    // A crash between the manifest and this file's removal leaves it.
    std::filesystem::remove(frame.run().candidate(iteration) / "checkpoint.h5");
  }
  frame.ranks().broadcast(digest);
  candidate_digest_ = digest;
}

bool Gating::match_due() const {
  return iteration_ % frame_.config().gate.every == 0;
}

bool Gating::yardstick_due() const {
  const int every = frame_.config().gate.yardstick_every;
  return every > 0 && iteration_ % every == 0;
}

MatchPlan Gating::plan(const std::string& what, int games, const std::string& key, std::uint64_t salt) const {
  const RunConfig& config = frame_.config();
  MatchPlan plan;
  plan.what = what + " " + std::to_string(iteration_);
  plan.games = games + games % 2;
  plan.games_in_parallel = config.gate.games_in_parallel;
  plan.seed = combine64(config.run.seed, salt);
  plan.iteration = iteration_;
  plan.progress_seconds = config.run.progress_seconds;
  plan.journal = frame_.run().iteration(iteration_) / "matches";
  plan.journal_key = key;
  return plan;
}

bool Gating::play_candidate() {
  const RunConfig& config = frame_.config();
  const int simulations = config.gate.simulations;
  NetworkPlayer candidate(frame_.game(), frame_.architecture(), candidate_path_, candidate_digest_, config,
                          config.gate.games_in_parallel);
  NetworkPlayer champion(frame_.game(), frame_.architecture(), frame_.run().root() / champion_.network_file,
                         champion_.digest, config, config.gate.games_in_parallel);
  announce_backend(frame_.ranks(), candidate.backend());
  inference_ = backend_json(candidate.backend());
  MatchPlan match =
      plan("gate", config.gate.games,
           "gate " + candidate_digest_.substr(0, 16) + " " + champion_.digest.substr(0, 16) + " " +
               std::to_string(simulations) + " " + std::to_string(config.gate.opening_plies),
           1);
  match.openings =
      make_openings(frame_.game(), match.games / 2, config.gate.opening_plies, match.seed, iteration_);
  const Player a{"candidate", &candidate.evaluator(), config.search, simulations};
  const Player b{"champion", &champion.evaluator(), config.search, simulations};
  const MatchResult result = run_match(frame_.ranks(), frame_.game(), a, b, match);
  if (result.interrupted) return false;
  if (!frame_.root()) return true;

  const MatchScore score = score_match(result.games);
  match_ = score_json(score);
  match_["games_played"] = result.games.size();
  match_["openings"] = match.openings.size();
  match_["threshold"] = config.gate.threshold;
  const bool enough = score.share() >= config.gate.threshold;
  promoted_ = enough;
  reason_ = fixed(score.all.points(), 1) + " of " + std::to_string(score.all.games()) + " points (" +
            fixed(100 * score.share(), 1) + " %) against the champion of iteration " +
            std::to_string(champion_.iteration);
  log_info("gate " + std::to_string(iteration_) + ": candidate against the champion of iteration " +
           std::to_string(champion_.iteration) + "\n" + score_table(score));
  if (score.duplicates * 2 > int(result.games.size())) {
    log_warning("most games of the match were copies: raise gate.opening_plies");
  }
  return true;
}

void Gating::decide() {
  const GateConfig& config = frame_.config().gate;
  if (config.mode == GateMode::kAlways) {
    promoted_ = true;
    reason_ = reason_.empty() ? "every candidate is promoted (gate.mode always)"
                              : reason_ + "; every candidate is promoted (gate.mode always)";
  } else if (!match_due()) {
    promoted_ = false;
    reason_ =
        "no match in this iteration (gate.every " + std::to_string(config.every) + "), the champion stays";
  }
}

int Gating::yardstick_playouts() const {
  const GateConfig& config = frame_.config().gate;
  for (int i = iteration_ - 1; i >= 1; --i) {
    const auto manifest = read_manifest(frame_.run(), i, Stage::kGate);
    if (!manifest || !manifest->contains("yardstick")) continue;
    const Json& last = manifest->at("yardstick");
    const int playouts = last.at("playouts").get<int>();
    const bool all_won = last.at("wins") == last.at("games");
    return std::min(config.yardstick_max, all_won ? playouts + config.yardstick_raise : playouts);
  }
  return config.yardstick_playouts;
}

bool Gating::play_yardstick() {
  const RunConfig& config = frame_.config();
  std::int64_t playouts = frame_.root() ? yardstick_playouts() : 0, promoted = promoted_;
  frame_.ranks().broadcast(playouts);
  frame_.ranks().broadcast(promoted);
  const auto path = promoted ? candidate_path_ : frame_.run().root() / champion_.network_file;
  const std::string digest = promoted ? candidate_digest_ : champion_.digest;
  NetworkPlayer player(frame_.game(), frame_.architecture(), path, digest, config,
                       config.gate.games_in_parallel);
  if (inference_.is_null()) announce_backend(frame_.ranks(), player.backend());
  inference_ = backend_json(player.backend());
  RolloutEvaluator rollout(frame_.game(), config.run.seed, config.gate.rollout_plies);
  MatchPlan match = plan("yardstick", config.gate.yardstick_games,
                         "yardstick " + digest.substr(0, 16) + " " + std::to_string(playouts) + " " +
                             std::to_string(config.gate.simulations),
                         2);
  match.openings = {{}};
  const Player a{"network", &player.evaluator(), config.search, config.gate.simulations};
  const Player b{"mcts", &rollout, pure_mcts(config.gate), int(playouts)};
  const MatchResult result = run_match(frame_.ranks(), frame_.game(), a, b, match);
  if (result.interrupted) return false;
  if (!frame_.root()) return true;
  const MatchScore score = score_match(result.games);
  yardstick_ = score_json(score);
  yardstick_["playouts"] = playouts;
  log_info("yardstick " + std::to_string(iteration_) + ": " +
           (promoted ? "the new champion" : "the champion") + " against pure MCTS of " + grouped(playouts) +
           " playouts\n" + score_table(score));
  return true;
}

bool Gating::run() {
  if (match_due() && !play_candidate()) return false;
  if (frame_.root()) decide();
  if (yardstick_due() && !play_yardstick()) return false;
  if (frame_.root()) finish();
  return true;
}

void Gating::finish() {
  const RunDirectory& run = frame_.run();
  Json facts = frame_.facts();
  facts["candidate"] = {{"file", run.relative(candidate_path_)}, {"digest", candidate_digest_}};
  facts["champion"] = {
      {"iteration", champion_.iteration}, {"file", champion_.network_file}, {"digest", champion_.digest}};
  facts["promoted"] = promoted_;
  facts["reason"] = reason_;
  if (!inference_.is_null()) facts["inference"] = inference_;
  if (!match_.is_null()) facts["match"] = match_;
  if (!yardstick_.is_null()) facts["yardstick"] = yardstick_;
  facts["seconds"] = {{"wall", timer_.seconds()}, {"cpu", cpu_seconds()}};
  if (promoted_) {
    // The candidate's own bytes under the champions' name; harmless until the verdict is sealed.
    frame_.lock().check_owned();
    write_file_atomically(run.network(iteration_), read_file(candidate_path_));
    facts["outputs"] = {{{"file", run.relative(run.network(iteration_))}, {"digest", candidate_digest_}}};
  }
  Json event = {{"key", "gate " + std::to_string(iteration_)},
                {"event", "gate"},
                {"iteration", iteration_},
                {"promoted", promoted_}};
  if (!match_.is_null()) event["match"] = match_;
  if (!yardstick_.is_null()) event["yardstick"] = yardstick_;
  append_event(run, event);
  write_manifest(frame_.lock(), iteration_, Stage::kGate, facts);
  settle_promotion(frame_.lock());
  log_info("gate " + std::to_string(iteration_) + ": " + (promoted_ ? "promoted" : "not promoted") + ", " +
           reason_);
}

}  // namespace rf
