// rf-train: learns a candidate from the replay window, one rank.
#include "base/error.h"
#include "base/log.h"
#include "base/signals.h"
#include "stage_frame.h"
#include "stage_main.h"
#include "torchnet/torch_setup.h"
#include "training.h"

namespace rf {
namespace {

int train(const ScopedMpi&, const CommandLine& line) {
  const StageFrame frame(Communicator::local(), line, "train");
  const Step step = frame.next();
  if (step.stage == Stage::kGenerate) {
    if (step.iteration > 1) {
      log_info("iteration " + std::to_string(step.iteration - 1) + " is finished; next is rf-generate");
      return int(ExitCode::kDone);
    }
    fail(ExitCode::kInputMissing, "nothing to train on: self-play of iteration 1 is not finished",
         "iterations/000001/generate.json is not there", "run rf-generate first");
  }
  if (step.stage != Stage::kTrain) {
    log_info("iteration " + std::to_string(step.iteration) + ": training is finished; next is rf-gate");
    return int(ExitCode::kDone);
  }
  const int threads = set_up_torch(frame.config().train.threads);
  check_blas_speed();
  log_info("train " + std::to_string(step.iteration) + ": " + architecture_text(frame.architecture()) +
           " on " + std::to_string(threads) + " thread" + (threads == 1 ? "" : "s"));
  Training training(frame, step.iteration);
  if (!training.run()) {
    log_info("interrupted by " + std::string(stop_signal_name()) +
             ": a checkpoint is written; the same command goes on");
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
         {"rf-train --run runs/a --set train.learning_rate=5e-4", "another value for this call"}}},
       rf::Ranks::kOne,
       nullptr,
       rf::train});
}
