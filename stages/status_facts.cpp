#include "status_facts.h"

#include <functional>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "config/dump.h"
#include "config/fields.h"
#include "config/load.h"
#include "games/registry.h"
#include "replay/shard_reader.h"
#include "run/amendments.h"
#include "run/champion.h"
#include "run/manifest.h"
#include "run/metrics.h"
#include "run/next_step.h"
#include "run/pruned.h"
#include "run/run_lock.h"
#include "run/shard_files.h"
#include "status_health.h"

namespace rf {
namespace {

// Runs `read`; a file that it cannot read becomes a sentence in `damaged` (once).
void attempt(Json& damaged, const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    if (std::find(damaged.begin(), damaged.end(), Json(error.what())) == damaged.end())
      damaged.push_back(error.what());
  }
}

// A number or a truth at `path` below `object`, else null.
Json plain_at(const Json& object, const char* path) {
  const Json::json_pointer pointer(path);
  if (!object.is_object() || !object.contains(pointer)) return nullptr;
  const Json& found = object.at(pointer);
  return found.is_number() || found.is_boolean() ? found : Json(nullptr);
}

std::string network_text(const NetworkConfig& network) {
  if (network.kind == NetworkKind::kResidual)
    return "residual " + std::to_string(network.blocks) + "x" + std::to_string(network.channels);
  std::string text = "plain";
  for (int channels : network.plain_channels) text += " " + std::to_string(channels);
  return text;
}

void add_lock(const RunDirectory& run, Json& facts) {
  facts["lock"] = nullptr;
  attempt(facts["damaged"], [&] {
    const auto owner = lock_owner(run);
    if (!owner) return;
    facts["lock"] = {{"stage", owner->stage}, {"host", owner->process.host}, {"pid", owner->process.pid},
                     {"job", owner->job},     {"since", owner->since},       {"text", owner->text()}};
    const ProcessState seen = look_at(owner->process);
    facts["state"] = seen == ProcessState::kAlive  ? "running"
                     : seen == ProcessState::kGone ? "crashed"
                                                   : "unknown";
  });
}

void add_champion(const RunDirectory& run, Json& facts) {
  facts["champion"] = nullptr;
  attempt(facts["damaged"], [&] {
    if (const auto champion = read_champion(run)) {
      facts["champion"] = {{"iteration", champion->iteration},
                           {"file", champion->network_file},
                           {"digest", champion->digest},
                           {"since", champion->since},
                           {"reason", champion->reason}};
    } else if (last_finished_iteration(run) > 0) {
      facts["damaged"].push_back(
          "champion.json is not there; the next stage writes it anew from the gates' verdicts");
    }
  });
}

// Finished games of the matches of an open gate.
int journal_games(const std::filesystem::path& folder) {
  std::set<std::string> games;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".jsonl") continue;
    const std::string text = read_file(entry.path());
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const Json line = Json::parse(text.substr(at, end - at), nullptr, false);
      at = end + 1;
      if (line.is_object() && line.contains("match") && line.contains("game"))
        games.insert(line["match"].dump() + line["game"].dump());
    }
  }
  return int(games.size());
}

void add_next(const RunDirectory& run, const GameSettings& settings, Json& facts) {
  facts["next"] = nullptr;
  attempt(facts["damaged"], [&] {
    const Step step = next_step(run);
    const std::string stage(stage_name(step.stage));
    Json next = {{"iteration", step.iteration},
                 {"stage", stage},
                 {"command", "rf-" + stage},
                 {"sealed_shards", 0},
                 {"sealed_games", 0},
                 {"checkpoint", file_exists(run.candidate(step.iteration) / "checkpoint.h5")},
                 {"match_games", journal_games(run.iteration(step.iteration) / "matches")}};
    if (step.stage == Stage::kGenerate) {
      const auto game = make_game(settings);
      const auto shards = sealed_shards(run, step.iteration);
      long long games = 0;
      for (const auto& path : shards)
        attempt(facts["damaged"], [&] { games += ShardReader(path, *game).games(); });
      next["sealed_shards"] = shards.size();
      next["sealed_games"] = games;
    }
    facts["next"] = next;
  });
}

Json iteration_facts(const RunDirectory& run, int iteration, Json& damaged) {
  Json generate, train, gate;
  Json* const manifests[] = {&generate, &train, &gate};
  for (std::size_t s = 0; s < kStages.size(); ++s) {
    attempt(damaged, [&] { *manifests[s] = read_manifest(run, iteration, kStages[s]).value_or(Json()); });
  }
  Json row = {{"iteration", iteration}};
  for (const char* name : {"games", "mean_plies", "first_wins", "second_wins", "draws", "unique_rows",
                           "policy_entropy", "truncated_searches"}) {
    row[name] = plain_at(generate, ("/" + std::string(name)).c_str());
  }
  const bool has_curve = train.contains("curve") && train["curve"].is_array() && !train["curve"].empty();
  const Json last = has_curve ? train["curve"].back() : Json();
  for (const char* name : {"policy_loss", "value_loss", "target_entropy", "top1"})
    row[name] = plain_at(last, ("/" + std::string(name)).c_str());
  row["first_policy_loss"] = has_curve ? plain_at(train["curve"].front(), "/policy_loss") : Json();
  row["first_value_loss"] = has_curve ? plain_at(train["curve"].front(), "/value_loss") : Json();
  row["trained"] = has_curve;
  row["promoted"] = plain_at(gate, "/promoted");
  row["match"] = row["yardstick"] = nullptr;
  if (gate.contains("match")) {
    row["match"] = {{"share", plain_at(gate, "/match/share")},
                    {"games", plain_at(gate, "/match/games")},
                    {"games_played", plain_at(gate, "/match/games_played")},
                    {"duplicates", plain_at(gate, "/match/duplicates")}};
  }
  if (gate.contains("yardstick")) {
    row["yardstick"] = {{"playouts", plain_at(gate, "/yardstick/playouts")},
                        {"points", plain_at(gate, "/yardstick/points")},
                        {"games", plain_at(gate, "/yardstick/games")}};
  }
  for (std::size_t s = 0; s < kStages.size(); ++s)
    row["seconds"][std::string(stage_name(kStages[s]))] = plain_at(*manifests[s], "/seconds/wall");
  return row;
}

void add_iterations(const RunDirectory& run, Json& facts) {
  int last = 0;
  attempt(facts["damaged"], [&] { last = last_finished_iteration(run); });
  facts["finished_iterations"] = last;
  // The open one too, if any of it is sealed. Where the next step is not clear there is one.
  if (facts["next"].is_null() || facts["next"]["stage"] != "generate") ++last;
  facts["iterations"] = Json::array();
  double games = 0, seconds = 0;
  std::vector<int> numbers;
  attempt(facts["damaged"], [&] { numbers = iteration_numbers(run); });
  for (int iteration : numbers) {
    if (iteration > last) break;
    Json row = iteration_facts(run, iteration, facts["damaged"]);
    games += row["games"].is_number() ? row["games"].get<double>() : 0;
    for (const Json& part : row["seconds"]) seconds += part.is_number() ? part.get<double>() : 0;
    facts["iterations"].push_back(std::move(row));
  }
  facts["games"] = (long long)games;
  facts["seconds"] = seconds;
}

// Lists run.yaml and its amendments; returns the config of the next iteration, or run.yaml's where that is
// not clear.
RunConfig add_config(const RunDirectory& run, Json& facts) {
  RunConfig config = parse_config(run.run_config(), run.run_yaml().string());
  facts["config"] = Json::object();
  for (const Key& key : list_keys(config)) facts["config"][key.path()] = key.value;
  facts["amendments"] = Json::array();
  facts["effective_config_digest"] = nullptr;
  attempt(facts["damaged"], [&] {
    const std::vector<Amendment> all = read_amendments(run);
    for (const Amendment& a : all) {
      facts["amendments"].push_back(
          {{"number", a.number}, {"time", a.time}, {"from", a.from}, {"keys", a.keys}});
    }
    config = amended_config(run, amendments_for(all, next_step(run).iteration));
    facts["effective_config_digest"] = config_digest(config);
  });
  return config;
}

void add_pruned(const RunDirectory& run, Json& facts) {
  facts["pruned"] = Json::object();
  attempt(facts["damaged"], [&] {
    for (int iteration : iteration_numbers(run)) {
      for (const auto& [name, part] : pruned_parts(run, iteration)) {
        Json& sum = facts["pruned"][name];
        if (sum.is_null()) sum = {{"iterations", 0}, {"files", 0}, {"bytes", 0}};
        sum["iterations"] = sum["iterations"].get<int>() + 1;
        sum["files"] = sum["files"].get<std::int64_t>() + part.files;
        sum["bytes"] = sum["bytes"].get<std::int64_t>() + part.bytes;
      }
    }
  });
}

bool half_done(const Json& next) {
  return next.is_null() || next["stage"] != "generate" || next["sealed_games"].get<int>() > 0;
}

}  // namespace

Json status_facts(const RunDirectory& run) {
  const RunIdentity& identity = run.identity();
  Json facts = {{"run", identity.id},
                {"path", run.root().string()},
                {"created", identity.created},
                {"software", identity.software},
                {"config_digest", identity.config_digest},
                {"state", ""},
                {"damaged", Json::array()}};
  const RunConfig config = add_config(run, facts);
  facts["game"] = make_game(config.game)->spec().id;
  facts["network"] = network_text(config.network);
  facts["games_per_iteration"] = config.selfplay.games_per_iteration;
  add_lock(run, facts);
  add_champion(run, facts);
  add_next(run, config.game, facts);
  add_iterations(run, facts);
  if (facts["state"] == "") {
    const bool nothing = facts["iterations"].empty() && !half_done(facts["next"]);
    facts["state"] = nothing ? "new" : half_done(facts["next"]) ? "stopped" : "finished";
  }
  add_pruned(run, facts);
  Events events;
  attempt(facts["damaged"], [&] { events = read_events(run); });
  facts["events"] = {{"count", events.events.size()},
                     {"torn_lines", events.torn_lines},
                     {"repeated_lines", events.repeated_lines}};
  facts["gaps"] = Json::array();
  attempt(facts["damaged"], [&] { facts["gaps"] = find_gaps(run); });
  facts["warnings"] = health_warnings(facts, config.gate.mode == GateMode::kGated);
  return facts;
}

}  // namespace rf
