// rf-export: writes what a trained network is used with outside: TorchScript and a model card.
#include "base/error.h"
#include "exporting.h"
#include "stage_frame.h"
#include "stage_main.h"
#include "torchnet/torch_setup.h"

int main(int argc, char** argv) {
  return rf::stage_main(
      argc, argv,
      {{"rf-export",
        "Writes the champion (or another network of the run) as TorchScript with a model card, and "
        "checks it against the network as trained.",
        {{"rf-export --run runs/a", "into runs/a/export/"},
         {"rf-export --run runs/a --to /tmp/net --network 7", "network 7, into another folder"}}},
       rf::Ranks::kOne,
       [](rf::CommandLine& line) {
         line.add_value("to", "DIR", "folder to write into; default: RUN/export");
         line.add_whole("network", "K", -1, -1, 1000000, "which network (an iteration); -1: the champion");
       },
       [](const rf::ScopedMpi&, const rf::CommandLine& line) -> int {
         rf::set_up_torch(1);
         const rf::StageFrame frame(rf::Communicator::local(), line, "");
         rf::export_network(frame, int(line.whole("network")), line.text("to").value_or(""));
         return int(rf::ExitCode::kDone);
       }});
}
