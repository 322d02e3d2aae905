// rf-status: what a run has, what comes next, whether it is healthy, and who works on it.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "config/command_line.h"
#include "plain_main.h"
#include "pruning.h"
#include "run/amendments.h"
#include "run/call_config.h"
#include "run/next_step.h"
#include "run/run_lock.h"
#include "status_facts.h"
#include "status_screen.h"

namespace rf {
namespace {

int first_iteration(const CommandLine& line) {
  const auto from = int(line.whole("from"));
  if (from == 0) {
    fail(ExitCode::kUsage, "--amend lacks --from N", "it is for iterations from the Nth on",
         "rf-status --run DIR shows which one is next");
  }
  return from;
}

int show(const RunDirectory& run, const CommandLine& line, const std::string& before,
         const std::string& after) {
  Json facts = status_facts(run);
  if (line.given("config") || line.given("set")) {
    facts["config_changes"] = Json::object();
    for (const auto& change : call_config(run, {}, line.text("config"), line.texts("set")).changes)
      facts["config_changes"][change.key] = change.now;
  }
  print_result(before + (line.flag("json") ? json_line(facts) + "\n" : status_screen(facts) + after));
  return int(facts["damaged"].empty() ? ExitCode::kDone : ExitCode::kBadData);
}

// Until Ctrl-C, which is its good end.
int watch(const RunDirectory& run, const CommandLine& line) {
  std::signal(SIGINT, [](int) { std::_Exit(0); });
  const bool terminal = ::isatty(STDOUT_FILENO) != 0 && !line.flag("json");
  while (true) {
    show(run, line, terminal ? "\033[H\033[J" : "", terminal ? "" : "\n");
    std::this_thread::sleep_for(std::chrono::duration<double>(line.number("watch")));
  }
}

int status(int argc, char** argv) {
  CommandLine line(
      {"rf-status",
       "Shows what a run has, what comes next, whether it is healthy and who works on it. Only "
       "reads (but for --break-lock, --amend and --prune), at any time, also while a stage runs.",
       {{"rf-status --run runs/a", "one screen"},
        {"rf-status --run runs/a --json | python3 -m json.tool", "everything, for scripts"},
        {"rf-status --run runs/a --break-lock",
         "remove the lock of a process on another host that no longer runs"},
        {"rf-status --run runs/a --amend train.learning_rate=5e-4 --from 12",
         "change the run's config from iteration 12 on"}}});
  line.add_value("run", "DIR", "the run directory");
  line.add_value("config", "FILE",
                 "with --json: list as config_changes what a stage called with this would change");
  line.add_values("set", "SECTION.KEY=VALUE", "likewise; any number of times");
  line.add_flag("json", "print one JSON object instead of the screen");
  line.add_number("watch", "S", 5, 0.1, 86400, "show it anew every S seconds, until Ctrl-C");
  line.add_flag("break-lock", "first remove the lock, unless its owner is seen to run on this host");
  line.add_flag("prune",
                "only remove what no training needs, after showing files and bytes by kind (jobs/prune)");
  line.add_flag("dry-run", "with --prune: only show it");
  line.add_values("amend", "KEY=VALUE",
                  "first append an amendment to the run's config, of one key or, given several times, of "
                  "several; jobs that wait take it up by themselves");
  line.add_whole("from", "N", 0, 0, 999999,
                 "with --amend: the first iteration that it is for; it has no default");
  if (const auto code = line.parse(argc, argv)) return *code;
  set_log(line.log_level(), 0);
  const RunDirectory run = RunDirectory::open(line.required("run"));
  if (line.flag("dry-run") && !line.flag("prune"))
    fail(ExitCode::kUsage, "--dry-run goes with --prune", {}, "rf-status --help");
  if (line.flag("prune")) {
    prune_run(run, line.flag("dry-run"));
    return int(ExitCode::kDone);
  }
  if (line.flag("break-lock")) {
    const auto owner = break_lock(run);
    log_info(!owner                 ? "nobody held the lock"
             : owner->stage.empty() ? "removed a damaged lock"
                                    : "removed the lock of " + owner->text());
  }
  if (line.given("amend")) {
    const Amendment made = amend(run, line.texts("amend"), first_iteration(line));
    log_info("made " + made.text());
    const auto owner = lock_owner(run);
    if (owner && next_step(run).iteration >= made.from)
      log_info("a stage that runs goes on without it: " + owner->text());
  } else if (line.given("from")) {
    fail(ExitCode::kUsage, "--from goes with --amend", {}, "rf-status --help");
  }
  return line.given("watch") ? watch(run, line) : show(run, line, "", "");
}

}  // namespace
}  // namespace rf

int main(int argc, char** argv) {
  return rf::plain_main([&] { return rf::status(argc, argv); });
}
