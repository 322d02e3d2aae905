#include "versus.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "arena/opponents.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/timer.h"
#include "eval/rollout_evaluator.h"
#include "gating.h"
#include "match_runner.h"
#include "players.h"

namespace rf {
namespace {

// N of "PREFIX:N"; nothing for other texts.
std::optional<int> number_after(std::string_view prefix, int least, std::string_view text) {
  if (!text.starts_with(prefix)) return std::nullopt;
  int number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + prefix.size(), end, number);
  if (error != std::errc() || stop != end || number < least || number > (1 << 24)) return std::nullopt;
  return number;
}

}  // namespace

NetworkChoice find_network(const StageFrame& frame, int number) {
  const Champion champion = frame.champion();
  const RunDirectory& run = frame.run();
  if (number < 0 || number == champion.iteration)
    return {run.root() / champion.network_file, champion.digest};
  std::string digest;
  if (const auto manifest = number > 0 ? read_manifest(run, number, Stage::kTrain) : std::nullopt) {
    digest = json_value<std::string>(*manifest, "network_digest", run.manifest(number, Stage::kTrain));
  }
  const auto promoted = run.network(number);
  if (file_exists(promoted)) return {promoted, digest};
  const auto candidate = run.candidate(std::max(1, number)) / "network.h5";
  if (number > 0 && file_exists(candidate)) return {candidate, digest};
  fail(ExitCode::kInputMissing, "the run has no network " + std::to_string(number),
       "neither " + promoted.string() + " nor a candidate of that iteration; was it pruned?",
       "rf-status --run lists what there is");
}

int play_versus(const StageFrame& frame, const CommandLine& line) {
  const Timer timer;
  const RunConfig& config = frame.config();
  const std::string versus = *line.text("versus");
  const std::optional<int> playouts = number_after("mcts:", 1, versus);
  const std::optional<int> network = number_after("network:", 0, versus);
  std::unique_ptr<Opponent> opponent;
  if (!playouts && !network) opponent = make_opponent(versus, config.game, frame.game());
  if (!playouts && !network && !opponent) {
    fail(ExitCode::kUsage, "--versus " + versus + " names no opponent", "",
         "random, greedy, solver, alphabeta:D with D plies, mcts:N with N from 1 to 16777216 playouts, "
         "network:K with K an iteration, or every");
  }
  int simulations = int(line.whole("simulations"));
  if (simulations == 0) simulations = config.gate.simulations;
  const int parallel = config.gate.games_in_parallel;
  const auto [path, digest] = find_network(frame, int(line.whole("network")));
  NetworkPlayer player(frame.game(), frame.architecture(), path, digest, config, parallel);
  std::optional<NetworkPlayer> other;
  RolloutEvaluator rollout(frame.game(), std::uint64_t(line.whole("seed")), config.gate.rollout_plies);
  Player b{versus, nullptr, config.search, simulations, opponent.get()};
  if (playouts) {
    b = {versus, &rollout, pure_mcts(config.gate), *playouts};
  } else if (network) {
    const NetworkChoice choice = find_network(frame, *network);
    other.emplace(frame.game(), frame.architecture(), choice.path, choice.digest, config, parallel);
    b.evaluator = &other->evaluator();
  }
  int opening_plies = int(line.whole("opening-plies"));
  if (opening_plies < 0) opening_plies = network ? config.gate.opening_plies : 0;

  MatchPlan plan;
  plan.what = "match against " + versus;
  plan.games = int(line.whole("games") + line.whole("games") % 2);
  plan.games_in_parallel = parallel;
  plan.seed = combine64(config.run.seed, std::uint64_t(line.whole("seed")) + 1000);
  plan.progress_seconds = config.run.progress_seconds;
  plan.openings = make_openings(frame.game(), plan.games / 2, opening_plies, plan.seed, 0);
  if (opening_plies > 0 && plan.openings.front().empty()) {
    fail(ExitCode::kUsage, "--opening-plies " + std::to_string(opening_plies) + " leaves nothing to play",
         "random play of that length ends the game", "ask for fewer");
  }
  const Player a{"network", &player.evaluator(), config.search, simulations};
  const MatchResult result = run_match(frame.ranks(), frame.game(), a, b, plan);
  if (!frame.root()) return int(result.interrupted ? ExitCode::kTryAgain : ExitCode::kDone);

  const MatchScore score = score_match(result.games);
  const int used = simulations > 0 ? simulations : config.search.simulations;
  std::string text = frame.run().relative(path) + " (" + std::to_string(used) +
                     " simulations a move) against " + versus + ", " + duration(timer.seconds()) + "\n" +
                     score_table(score) + "\n";
  if (result.interrupted) {
    text += "interrupted after " + std::to_string(result.games.size()) + " of " + std::to_string(plan.games) +
            " games\n";
  }
  if (line.flag("json")) {
    Json json = score_json(score);
    json["network"] = frame.run().relative(path);
    json["versus"] = versus;
    json["simulations"] = used;
    json["opening_plies"] = opening_plies;
    json["seconds"] = timer.seconds();
    json["interrupted"] = result.interrupted;
    text += json.dump() + "\n";
  }
  print_result(text);
  return int(result.interrupted ? ExitCode::kTryAgain : ExitCode::kDone);
}

}  // namespace rf
