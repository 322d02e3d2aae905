// rf-play: a game in the terminal against a network of a run, and commands to check the rules.
#include <cstdio>
#include <iostream>

#include "base/error.h"
#include "config/nearest.h"
#include "plain_main.h"
#include "rules_tools.h"
#include "stage_frame.h"
#include "stage_main.h"
#include "terminal_game.h"
#include "torchnet/torch_setup.h"
#include "versus.h"

namespace rf {
namespace {

Explained tool_list() {
  Explained list;
  for (const RulesTool& tool : rules_tools()) {
    list.emplace_back("rf-play " + std::string(tool.name), tool.sentence);
  }
  return list;
}

int run_tool(int argc, char** argv) {
  const std::string name = argv[1];
  std::vector<std::string> known;
  for (const RulesTool& tool : rules_tools()) {
    if (tool.name == name) return tool.run(argc - 1, argv + 1);
    known.emplace_back(tool.name);
  }
  const auto near = nearest_name(name, known);
  fail(ExitCode::kUsage, "rf-play has no command " + name, "",
       near ? "did you mean " + *near + "?" : "rf-play --help lists them");
}

}  // namespace
}  // namespace rf

int main(int argc, char** argv) {
  if (argc > 1 && argv[1][0] != '-') {
    return rf::plain_main([&] { return rf::run_tool(argc, argv); });
  }
  return rf::stage_main(
      argc, argv,
      {{"rf-play",
        "Plays against you in the terminal with the champion or another network of a run. In the "
        "game, type a move (as on the board's edge), undo, hint, board, help or quit. The commands below "
        "check "
        "the rules of any game and need no run.",
        {{"rf-play --run runs/a", "the network moves first"},
         {"rf-play --run runs/a --first", "you move first"},
         {"rf-play --run runs/a --network 7 --simulations 400", "another network, more thought"},
         {"rf-play --run runs/a --both", "the network plays itself"},
         {"rf-play show --game gomoku --moves h8", "a position; rf-play show --help tells more"}},
        {},
        "Commands, each with its own --help",
        rf::tool_list()},
       rf::Ranks::kOne,
       [](rf::CommandLine& line) {
         line.add_whole("network", "K", -1, -1, 1000000, "which network (an iteration); -1: the champion");
         line.add_flag("first", "you move first");
         line.add_flag("both", "the network plays both sides");
         line.add_whole("simulations", "S", 0, 0, 1 << 20, "thought per move; 0: as in self-play");
         line.add_whole("seed", "X", 0, 0, std::int64_t(1) << 53, "breaks ties between equal moves");
       },
       [](const rf::ScopedMpi&, const rf::CommandLine& line) -> int {
         if (line.flag("both") && line.flag("first")) {
           rf::fail(rf::ExitCode::kUsage, "--both and --first exclude each other",
                    "with --both nobody types");
         }
         rf::set_up_torch(1);
         const rf::StageFrame frame(rf::Communicator::local(), line, "");
         rf::TerminalGame game(frame, rf::find_network(frame, int(line.whole("network"))),
                               int(line.whole("simulations")), std::uint64_t(line.whole("seed")));
         const bool human[2] = {!line.flag("both") && line.flag("first"),
                                !line.flag("both") && !line.flag("first")};
         return game.play(human, std::cin, std::cout);
       }});
}
