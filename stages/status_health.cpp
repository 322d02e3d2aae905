#include "status_health.h"

#include "base/log.h"

namespace rf {
namespace {

constexpr double kLeastEntropy = 0.05;  // nats; a policy target this sharp in the mean teaches one move
constexpr int kGatesWithoutPromotion = 10;

bool is_true(const Json& value) {
  return value.is_boolean() && value.get<bool>();
}

double number(const Json& value) {
  return value.is_number() ? value.get<double>() : 0;
}

void check_self_play(const Json& row, std::vector<std::string>& warnings) {
  const std::string where = "iteration " + row["iteration"].dump() + ": ";
  const double games = number(row["games"]);
  if (games > 0 && number(row["draws"]) == games)
    warnings.push_back(where + "every game of self-play was drawn; values teach nothing");
  if (games > 0 && row["policy_entropy"].is_number() && number(row["policy_entropy"]) < kLeastEntropy) {
    warnings.push_back(where + "the search sees one move only (policy entropy " +
                       fixed(number(row["policy_entropy"]), 3) +
                       " nats): more root noise, or more simulations");
  }
  if (number(row["truncated_searches"]) > 0)
    warnings.push_back(where + "searches stopped early: search.max_nodes was reached");
}

void check_training(const Json& row, std::vector<std::string>& warnings) {
  if (!is_true(row["trained"])) return;
  if (row["policy_loss"].is_null() || row["value_loss"].is_null())
    warnings.push_back("iteration " + row["iteration"].dump() +
                       ": a loss is not a number: lower train.learning_rate or set train.clip_norm");
}

// The last match, and how long ago a candidate was promoted.
void check_gates(const Json& iterations, bool gated, std::vector<std::string>& warnings) {
  bool seen = false;
  int without = 0;
  for (auto row = iterations.rbegin(); row != iterations.rend(); ++row) {
    if (is_true((*row)["promoted"])) break;
    without += !(*row)["match"].is_null();
  }
  for (auto row = iterations.rbegin(); row != iterations.rend() && !seen; ++row) {
    const Json& match = (*row)["match"];
    if (match.is_null()) continue;
    seen = true;
    const double played = number(match["games_played"]);
    if (played > 0 && 2 * number(match["duplicates"]) > played) {
      warnings.push_back("iteration " + (*row)["iteration"].dump() + ": " + match["duplicates"].dump() +
                         " of " + match["games_played"].dump() +
                         " games of the match were copies of others: raise gate.opening_plies");
    }
  }
  if (gated && without >= kGatesWithoutPromotion)
    warnings.push_back("no candidate was promoted in the last " + std::to_string(without) + " matches");
}

}  // namespace

std::vector<std::string> health_warnings(const Json& facts, bool gated) {
  std::vector<std::string> warnings;
  const Json& iterations = facts["iterations"];
  const Json *played = nullptr, *trained = nullptr;
  for (const Json& row : iterations) {
    if (row["games"].is_number()) played = &row;
    if (is_true(row["trained"])) trained = &row;
  }
  if (trained) check_training(*trained, warnings);
  if (played) check_self_play(*played, warnings);
  check_gates(iterations, gated, warnings);
  const Json& events = facts["events"];
  for (const auto& [key, what] :
       {std::pair{"torn_lines", "torn"}, std::pair{"repeated_lines", "out of order"}}) {
    const double lines = number(events[key]);
    if (lines > 0)
      warnings.push_back("metrics.jsonl: " + fixed(lines, 0) + (lines == 1 ? " line is " : " lines are ") +
                         what + ", and passed over");
  }
  return warnings;
}

}  // namespace rf
