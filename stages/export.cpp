// rf-export: writes what a trained network is used with outside: TorchScript and a model card.
#include "base/error.h"
#include "base/log.h"
#include "comm/scoped_mpi.h"
#include "exporting.h"
#include "stage_frame.h"
#include "torchnet/torch_setup.h"

int main(int argc, char** argv) {
  return rf::run_ranks([&](const rf::ScopedMpi& mpi) -> int {
    rf::CommandLine line(
        {"rf-export",
         "Writes the champion (or another network of the run) as TorchScript with a model card, and "
         "checks it against the network as trained.",
         {{"rf-export --run runs/a", "into runs/a/export/"},
          {"rf-export --run runs/a --to /tmp/net --network 7", "network 7, into another folder"}}});
    line.add_run_options();
    line.add_value("to", "DIR", "folder to write into; default: RUN/export");
    line.add_whole("network", "K", -1, -1, 1000000, "which network (an iteration); -1: the champion");
    if (const auto code = line.parse(argc, argv)) return *code;
    rf::set_log(line.log_level(), mpi.rank());
    if (mpi.size() > 1) {
      rf::fail(rf::ExitCode::kUsage, "rf-export runs on one rank",
               std::to_string(mpi.size()) + " were started");
    }
    rf::set_up_torch(1);
    const rf::StageFrame frame(rf::Communicator::local(), line, "");
    rf::export_network(frame, int(line.whole("network")), line.text("to").value_or(""));
    return int(rf::ExitCode::kDone);
  });
}
