// rf-status: what a run has, what comes next, whether it is healthy, and who works on it.
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "config/command_line.h"
#include "plain_main.h"
#include "run/run_lock.h"
#include "status_facts.h"
#include "status_screen.h"

namespace rf {
namespace {

int status(int argc, char** argv) {
  CommandLine line({"rf-status",
                    "Shows what a run has, what comes next, whether it is healthy and who works on it. Only "
                    "reads (but for --break-lock), at any time, also while a stage runs.",
                    {{"rf-status --run runs/a", "one screen"},
                     {"rf-status --run runs/a --json | python3 -m json.tool", "everything, for scripts"},
                     {"rf-status --run runs/a --break-lock",
                      "remove the lock of a process on another host that no longer runs"}}});
  line.add_value("run", "DIR", "the run directory");
  line.add_flag("json", "print one JSON object instead of the screen");
  line.add_flag("break-lock", "first remove the lock, unless its owner is seen to run on this host");
  if (const auto code = line.parse(argc, argv)) return *code;
  set_log(line.log_level(), 0);
  const RunDirectory run = RunDirectory::open(line.required("run"));
  if (line.flag("break-lock")) {
    const auto owner = break_lock(run);
    log_info(!owner                 ? "nobody held the lock"
             : owner->stage.empty() ? "removed a damaged lock"
                                    : "removed the lock of " + owner->text());
  }
  const Json facts = status_facts(run);
  print_result(line.flag("json") ? json_line(facts) + "\n" : status_screen(facts));
  return int(facts["damaged"].empty() ? ExitCode::kDone : ExitCode::kBadData);
}

}  // namespace
}  // namespace rf

int main(int argc, char** argv) {
  return rf::plain_main([&] { return rf::status(argc, argv); });
}
