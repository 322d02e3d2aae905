// rf-train: learns a candidate from the replay window, over the ranks of the job.
#include "base/error.h"
#include "base/log.h"
#include "base/signals.h"
#include "comm/core_share.h"
#include "stage_frame.h"
#include "stage_main.h"
#include "torchnet/torch_setup.h"
#include "training.h"

namespace rf {
namespace {

int threads_of(const TrainConfig& config, const Communicator& ranks) {
  return config.threads == 0 && ranks.size() > 1 ? threads_for_each(ranks) : config.threads;
}

int train(const ScopedMpi& mpi, const CommandLine& line) {
  const Communicator ranks = Communicator::world(mpi);
  const StageFrame frame(ranks, line, "train");
  const auto say = [&](const std::string& text) {
    if (frame.root()) log_info(text);
  };
  const auto nothing_to_do = [&](const std::string& text) {
    say(text);
    ranks.barrier();
    return int(ExitCode::kDone);
  };
  const Step step = frame.next();
  if (step.stage == Stage::kGenerate) {
    if (step.iteration > 1) {
      return nothing_to_do("iteration " + std::to_string(step.iteration - 1) +
                           " is finished; next is rf-generate");
    }
    fail(ExitCode::kInputMissing, "nothing to train on: self-play of iteration 1 is not finished",
         "iterations/000001/generate.json is not there", "run rf-generate first");
  }
  if (step.stage != Stage::kTrain) {
    return nothing_to_do("iteration " + std::to_string(step.iteration) +
                         ": training is finished; next is rf-gate");
  }
  const RunConfig& config = frame.config();
  const BatchPart part = part_of_batch(config.train, config.network.batch_norm, ranks.rank(), ranks.size());
  const int threads = set_up_torch(threads_of(config.train, ranks));
  if (frame.root()) check_blas_speed();
  say("train " + std::to_string(step.iteration) + ": " + architecture_text(frame.architecture()) + " on " +
      (ranks.size() == 1 ? "" : std::to_string(ranks.size()) + " ranks of ") + std::to_string(threads) +
      " thread" + (threads == 1 ? "" : "s"));
  Training training(frame, step.iteration, part);
  if (!training.run()) {
    request_stop();  // another rank may have got the signal
    say("interrupted by " + std::string(stop_signal_name()) +
        ": a checkpoint is written; the same command goes on");
    ranks.barrier();
    return int(ExitCode::kTryAgain);
  }
  training.finish();
  return int(ExitCode::kDone);
}

}  // namespace
}  // namespace rf

int main(int argc, char** argv) {
  return rf::stage_main(
      argc, argv,
      {{"rf-train",
        "Trains the candidate of the iteration whose self-play is finished.",
        {{"rf-train --run runs/a", "train, or go on from the last checkpoint"},
         {"mpirun -np 4 rf-train --run runs/a --set train.ghost_batch=64", "the same over four ranks"},
         {"rf-train --run runs/a --set train.learning_rate=5e-4", "another value for this call"}}},
       rf::Ranks::kAny,
       nullptr,
       rf::train});
}
