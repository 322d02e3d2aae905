// rf-generate: self-play of the next iteration, over the ranks of the job, into shards.
#include <thread>

#include "base/error.h"
#include "base/log.h"
#include "base/signals.h"
#include "base/timer.h"
#include "comm/dealer.h"
#include "generation.h"
#include "players.h"
#include "selfplay/self_play.h"
#include "stage_frame.h"
#include "stage_main.h"
#include "torchnet/torch_setup.h"

namespace rf {
namespace {

int generate(const ScopedMpi& mpi, const CommandLine& line) {
  const Timer timer;
  const Communicator ranks = Communicator::world(mpi);
  StageFrame frame(ranks, line, "generate");
  const Step step = frame.next();
  if (step.stage != Stage::kGenerate) {
    if (frame.root()) {
      log_info("iteration " + std::to_string(step.iteration) + ": self-play is finished; next is rf-" +
               std::string(stage_name(step.stage)));
    }
    ranks.barrier();
    return int(ExitCode::kDone);
  }
  const RunConfig& config = frame.config();
  const Champion champion = frame.champion();

  std::optional<NetworkPlayer> network;
  std::unique_ptr<Evaluator> synthetic;
  if (config.selfplay.evaluator == EvaluatorKind::kNetwork) {
    set_up_torch(1);
    if (frame.root()) check_blas_speed();
    network.emplace(frame.game(), frame.architecture(), frame.run().root() / champion.network_file,
                    champion.digest, config, config.selfplay.games_in_parallel);
    announce_backend(ranks, network->backend());
  } else {
    synthetic = make_synthetic_evaluator(config.selfplay.evaluator, frame.game(), config);
  }
  Evaluator& evaluator = network ? network->evaluator() : *synthetic;

  Generation generation(frame, step.iteration, evaluator.id(), line.text("scratch"));
  const auto& left = generation.games_left();
  SelfPlay self_play(frame.game(), config.search, config.selfplay, evaluator, config.run.seed,
                     step.iteration);
  Dealer dealer(ranks, std::int64_t(left.size()), std::max(1, config.selfplay.games_in_parallel / 4));
  bool idle = false;
  const auto next = [&]() -> std::optional<std::int64_t> {
    const Dealt dealt = dealer.next();
    if (dealt.state == Dealt::kItem) return left[std::size_t(dealt.item)];
    idle = dealt.state == Dealt::kNoMore;
    return std::nullopt;
  };
  const auto finished = [&](GameRecord&& record) { generation.add(record); };
  while (true) {
    dealer.poll();
    if (stop_requested()) dealer.request_stop();
    if (dealer.stopped()) break;
    const bool busy = self_play.step(next, finished);
    generation.seal_if_due();
    generation.show_progress(self_play.counts());
    if (!busy && idle) break;
    if (!busy) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  generation.seal();
  dealer.finish(stop_requested);
  if (network && network->repaired() > 0) {
    log_warning(grouped(network->repaired()) + " evaluations were not finite and got even priors");
  }
  if (dealer.stopped()) {
    request_stop();  // another rank may have got the signal
    if (frame.root()) {
      log_info("interrupted by " + std::string(stop_signal_name()) +
               ": finished games are sealed; the same command goes on");
    }
    ranks.barrier();
    return int(ExitCode::kTryAgain);
  }
  generation.finish(self_play.counts(), champion, network ? backend_json(network->backend()) : Json(),
                    timer.seconds());
  return int(ExitCode::kDone);
}

}  // namespace
}  // namespace rf

int main(int argc, char** argv) {
  return rf::stage_main(
      argc, argv,
      {{"rf-generate",
        "Plays the self-play games of the next iteration with the champion and stores them in shards.",
        {{"rf-generate --run runs/a --config configs/gomoku_6x6x4.yaml", "make a run, or go on with it"},
         {"mpirun -np 8 rf-generate --run runs/a", "the same over eight ranks"},
         {"rf-generate --run runs/a --set selfplay.games_per_iteration=50", "another value for this call"}}},
       rf::Ranks::kAny,
       [](rf::CommandLine& line) {
         line.add_value("scratch", "DIR",
                        "folder on a disk of the node: shards are written there first and copied to the run "
                        "when they are whole; without room there they go to the run at once");
       },
       rf::generate});
}
