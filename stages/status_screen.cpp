#include "status_screen.h"

#include <algorithm>
#include <array>

#include "base/log.h"

namespace rf {
namespace {

std::string whole(const Json& value) {
  return value.is_number() ? grouped((long long)value.get<double>()) : "-";
}

std::string decimals(const Json& value, int digits) {
  return value.is_number() ? fixed(value.get<double>(), digits) : "-";
}

std::string percent(const Json& value) {
  return value.is_number() ? fixed(100 * value.get<double>(), 0) + " %" : "-";
}

std::string short_seconds(const Json& value) {
  return decimals(value, value.is_number() && value.get<double>() < 9.95 ? 1 : 0);
}

using Row = std::array<std::string, 17>;
const Row kHead1 = {"", "",      "", "self-play", "", "",        "", "training", "",
                    "", "match", "", "yardstick", "", "seconds", "", ""};
const Row kHead2 = {"iter.", "games", "plies", "first",  "second",   "drawn",  "unique", "policy", "value",
                    "top-1", "share", "",      "points", "playouts", "gener.", "train",  "gate"};

Row cells(const Json& facts) {
  const Json& seconds = facts["seconds"];
  const Json match = facts["match"].is_null() ? Json{{"share", nullptr}} : facts["match"];
  const Json& promoted = facts["promoted"];
  Row row = {whole(facts["iteration"]),
             whole(facts["games"]),
             decimals(facts["mean_plies"], 1),
             whole(facts["first_wins"]),
             whole(facts["second_wins"]),
             whole(facts["draws"]),
             whole(facts["unique_rows"]),
             decimals(facts["policy_loss"], 3),
             decimals(facts["value_loss"], 3),
             percent(facts["top1"]),
             percent(match["share"]),
             promoted.is_null()     ? ""
             : promoted.get<bool>() ? "promoted"
                                    : "rejected",
             "-",
             "-",
             short_seconds(seconds["generate"]),
             short_seconds(seconds["train"]),
             short_seconds(seconds["gate"])};
  if (const Json& yardstick = facts["yardstick"]; !yardstick.is_null()) {
    row[12] = decimals(yardstick["points"], 1) + "/" + whole(yardstick["games"]);
    row[13] = whole(yardstick["playouts"]);
  }
  return row;
}

// Right-aligned columns; a column that no iteration fills is left out.
std::string table(const std::vector<Row>& rows) {
  std::array<std::size_t, 17> width{};
  for (std::size_t column = 0; column < width.size(); ++column) {
    const bool used = std::any_of(rows.begin(), rows.end(),
                                  [&](const Row& row) { return row[column] != "-" && !row[column].empty(); });
    if (!used) continue;
    width[column] = std::max(kHead2[column].size(), column == 11 ? 0 : kHead1[column].size());
    for (const Row& row : rows) width[column] = std::max(width[column], row[column].size());
  }
  std::string text;
  const auto add = [&](const Row& row) {
    std::string line;
    for (std::size_t column = 0; column < width.size(); ++column) {
      if (width[column] == 0) continue;
      line += std::string(column > 0 ? 2 : 0, ' ') + std::string(width[column] - row[column].size(), ' ') +
              row[column];
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    text += line + "\n";
  };
  add(kHead1);
  add(kHead2);
  for (const Row& row : rows) add(row);
  return text;
}

std::string state_text(const Json& facts) {
  const std::string state = facts["state"];
  const std::string owner = facts["lock"].is_null() ? "" : facts["lock"]["text"].get<std::string>();
  if (state == "running") return "running: " + owner;
  if (state == "crashed")
    return "crashed: " + owner + "; that process is gone. The next stage takes over by itself";
  if (state == "unknown") {
    return "running or crashed, not to be seen from this host: " + owner +
           ".\n           If you are sure that it no longer runs: rf-status --run '" +
           facts["path"].get<std::string>() + "' --break-lock";
  }
  if (state == "stopped") return "stopped in the middle of an iteration; nothing runs";
  if (state == "finished") return "finished: every iteration that was begun; nothing runs";
  return "new: nothing was done yet";
}

std::string next_text(const Json& facts) {
  const Json& next = facts["next"];
  if (next.is_null()) return "not clear, see the damaged files below";
  std::string text = next["command"].get<std::string>() + " of iteration " + next["iteration"].dump();
  if (next["stage"] == "generate" && next["sealed_shards"].get<int>() > 0) {
    text += "; " + whole(next["sealed_games"]) + " of " + whole(facts["games_per_iteration"]) +
            " games are sealed";
  }
  if (next["stage"] == "train" && next["checkpoint"].get<bool>()) text += "; a checkpoint is there";
  if (next["stage"] == "gate" && next["match_games"].get<int>() > 0)
    text += "; " + whole(next["match_games"]) + " games of its matches are kept";
  return text;
}

// "pruned     candidate of 4 iterations, shards of 4 iterations; 1.2 MiB\n"; nothing when nothing was.
std::string pruned_text(const Json& pruned) {
  std::string text;
  double bytes = 0;
  for (const auto& [name, sum] : pruned.items()) {
    text += (text.empty() ? "pruned     " : ", ") + name + " of " + whole(sum["iterations"]) + " iterations";
    bytes += sum["bytes"].get<double>();
  }
  return text.empty() ? text : text + "; " + fixed(bytes / (1 << 20), 1) + " MiB\n";
}

}  // namespace

std::string status_screen(const Json& facts, int iterations) {
  const auto word = [&](const char* key) { return facts[key].get<std::string>(); };
  std::string text = "run        " + word("run") + " in " + word("path") + ", made " + word("created") +
                     " by " + word("software") + "\n" + "game       " + word("game") + "; network " +
                     word("network") + "; config " + word("config_digest").substr(0, 12) + "\n";
  const Json& champion = facts["champion"];
  text += "champion   " +
          (champion.is_null()
               ? std::string("none yet")
               : "iteration " + champion["iteration"].dump() + " (" + champion["file"].get<std::string>() +
                     ") since " + champion["since"].get<std::string>() + ": " +
                     champion["reason"].get<std::string>()) +
          "\n";
  for (const Json& amendment : facts["amendments"]) {
    text += "amended    " + amendment["number"].dump() + ", from iteration " + amendment["from"].dump() + ":";
    for (const auto& [key, value] : amendment["keys"].items())
      text += " " + key + "=" + value.get<std::string>();
    text += "\n";
  }
  text += pruned_text(facts["pruned"]);
  const Json& rows = facts["iterations"];
  text += "done       " + whole(facts["finished_iterations"]) +
          (facts["finished_iterations"] == 1 ? " iteration, " : " iterations, ") + whole(facts["games"]) +
          " games, " + duration(facts["seconds"].get<double>()) + " of stages\n";
  text += "state      " + state_text(facts) + "\n";
  text += "next       " + next_text(facts) + "\n";
  if (!rows.empty()) {
    // The first and the last ones, so that both ends of what was learned are seen.
    const std::size_t count = rows.size(), last = std::size_t(std::max(2, iterations)) - 1;
    std::vector<Row> shown;
    for (std::size_t i = 0; i < count; ++i) {
      if (i == 0 || i + last >= count) shown.push_back(cells(rows[i]));
    }
    text += "\n" + table(shown);
    if (count > shown.size()) text += "(the first and the last ones; --json has all)\n";
  }
  for (const char* kind : {"damaged", "gaps", "warnings"}) {
    if (facts[kind].empty()) continue;
    text += "\n" + std::string(kind) + "\n";
    for (const Json& sentence : facts[kind]) text += "  " + sentence.get<std::string>() + "\n";
  }
  return text;
}

}  // namespace rf
