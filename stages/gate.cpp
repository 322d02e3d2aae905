// rf-gate: judges the candidate of the iteration and promotes it or not; or plays a measured match.
#include "accuracy.h"
#include "base/error.h"
#include "base/log.h"
#include "base/signals.h"
#include "every_line.h"
#include "gating.h"
#include "stage_frame.h"
#include "stage_main.h"
#include "torchnet/torch_setup.h"
#include "versus.h"

namespace rf {
namespace {

int gate(const ScopedMpi& mpi, const CommandLine& line) {
  const Communicator ranks = Communicator::world(mpi);
  set_up_torch(1);
  const bool versus = line.given("versus"), accuracy = line.given("accuracy");
  if (versus && accuracy) {
    fail(ExitCode::kUsage, "--versus and --accuracy exclude each other", "each is a measurement of its own");
  }
  for (const char* option : {"network", "games", "simulations", "opening-plies", "seed", "json"}) {
    const std::string name = option;
    const bool of_both = name == "network" || name == "simulations" || name == "json";
    if (line.given(name) && !versus && !(of_both && accuracy)) {
      fail(ExitCode::kUsage, "--" + name + " goes with --versus" + (of_both ? " or --accuracy" : ""),
           "the gate itself takes its numbers from the config", "rf-gate --help");
    }
  }
  if (accuracy) {
    const StageFrame frame(ranks, line, "");
    const int code = measure_accuracy(frame, line);
    ranks.barrier();
    return code;
  }
  if (versus) {
    const StageFrame frame(ranks, line, "");
    const int code =
        *line.text("versus") == "every" ? play_every_line(frame, line) : play_versus(frame, line);
    ranks.barrier();
    return code;
  }
  const StageFrame frame(ranks, line, "gate");
  const Step step = frame.next();
  if (step.stage != Stage::kGate) {
    if (step.stage == Stage::kGenerate && step.iteration > 1) {
      if (frame.root())
        log_info("iteration " + std::to_string(step.iteration - 1) + " is judged; next is rf-generate");
      ranks.barrier();
      return int(ExitCode::kDone);
    }
    fail(ExitCode::kInputMissing,
         "nothing to judge: iteration " + std::to_string(step.iteration) + " has no candidate",
         "next is rf-" + std::string(stage_name(step.stage)), "run that first");
  }
  Gating gating(frame, step.iteration);
  if (!gating.run()) {
    if (frame.root()) {
      log_info("interrupted by " + std::string(stop_signal_name()) +
               ": finished games are kept; the same command goes on");
    }
    ranks.barrier();
    return int(ExitCode::kTryAgain);
  }
  ranks.barrier();
  return int(ExitCode::kDone);
}

}  // namespace
}  // namespace rf

int main(int argc, char** argv) {
  return rf::stage_main(
      argc, argv,
      {{"rf-gate",
        "Judges the candidate of the iteration whose training is finished: a match against the champion, "
        "promotion "
        "or not. A rejected candidate is a result, not an error. With --versus it plays a match and changes "
        "nothing; with --accuracy it looks for right moves in files of positions.",
        {{"rf-gate --run runs/a", "judge the candidate"},
         {"rf-gate --run runs/a --versus mcts:1000 --games 20 --simulations 100",
          "the champion against pure MCTS"},
         {"rf-gate --run runs/a --versus network:3 --games 100", "the champion against network 3"},
         {"rf-gate --run runs/a --versus alphabeta:5 --games 100", "against negamax of five plies"},
         {"rf-gate --run runs/a --accuracy easy.txt --accuracy hard.txt --simulations 600",
          "right moves in %, of the network alone and with search, a row a file"},
         {"rf-gate --run runs/a --versus random --json", "the result as one JSON object in the last line"}}},
       rf::Ranks::kAny,
       [](rf::CommandLine& line) {
         line.add_value(
             "versus", "WHO",
             "opponent of a measured match: mcts:N (pure MCTS of N playouts), random, greedy (wins or scores "
             "when it can), alphabeta:D (negamax of D plies), solver (perfect play), network:K, every (all "
             "lines of a small game)");
         line.add_values(
             "accuracy", "FILE",
             "positions with their right moves, in a form that rf-play judge reads: '32164625 11 --++=--' "
             "(moves, score, value of each column) or JSON lines with scores, optimal or best; what "
             "a line does not say comes from the game's solver. Any number of times");
         line.add_whole("network", "K", -1, -1, 1000000,
                        "network that is measured (an iteration); -1: the champion");
         line.add_whole("games", "N", 20, 2, 1000000,
                        "games, half with each colour; an odd number is rounded up");
         line.add_whole("simulations", "S", 0, 0, 1 << 20, "per move of the networks; 0: as the gate");
         line.add_whole("opening-plies", "P", -1, -1, 1000,
                        "random plies that begin each pair; -1: as the gate against a network, else none");
         line.add_whole("seed", "X", 1, 0, std::int64_t(1) << 53, "another seed plays other games");
         line.add_flag("json", "print the result as one JSON object, in the last line");
       },
       rf::gate});
}
