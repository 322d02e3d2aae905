#include "pruning.h"

#include <cstdio>
#include <map>

#include "base/files.h"
#include "base/log.h"

namespace rf {
namespace {

struct Sum {
  int first = 0, last = 0, iterations = 0;
  long long files = 0, bytes = 0;
};

std::string row(const std::string& kind, const std::string& iterations, const std::string& files,
                const std::string& bytes) {
  char line[160];
  std::snprintf(line, sizeof line, "%-11s %12s %12s %20s\n", kind.c_str(), iterations.c_str(), files.c_str(),
                bytes.c_str());
  return line;
}

}  // namespace

std::string prune_text(const PrunePlan& plan) {
  std::map<std::string, Sum> sums;
  Sum all;
  for (const PrunePart& part : plan.parts) {
    Sum& sum = sums[part.part];
    if (sum.iterations == 0) sum.first = part.iteration;
    sum.iterations += sum.last != part.iteration;
    sum.last = part.iteration;
    sum.files += (long long)part.files.size();
    sum.bytes += part.bytes;
    all.files += (long long)part.files.size();
    all.bytes += part.bytes;
  }
  std::string text =
      "stays      shards from iteration " + std::to_string(plan.first_shards) +
      " on: next to be trained is iteration " + std::to_string(plan.training) + ", from at most " +
      grouped(plan.window_iterations) + " iterations and " + grouped(plan.max_unique_rows) +
      " unique rows;\n           candidates and games of matches from iteration " +
      std::to_string(plan.first_candidate) + " on and the champion's candidate; all networks and manifests\n";
  if (plan.parts.empty()) return text + "goes       nothing\n";
  text += "\n" + row("goes", "iterations", "files", "bytes");
  for (const auto& [kind, sum] : sums) {
    const std::string span =
        std::to_string(sum.first) + (sum.last > sum.first ? " to " + std::to_string(sum.last) : "");
    text += row(kind, span, grouped(sum.files), grouped(sum.bytes));
  }
  return text + row("in all", "", grouped(all.files), grouped(all.bytes));
}

void prune_run(const RunDirectory& run, bool dry_run) {
  if (dry_run) return print_result(prune_text(plan_prune(run)));
  const RunLock lock(run, "prune");
  const PrunePlan plan = plan_prune(run);
  print_result(prune_text(plan));
  prune(lock, plan);
  if (!plan.parts.empty()) print_result("removed\n");
}

}  // namespace rf
