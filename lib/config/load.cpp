#include "config/load.h"

#include <algorithm>
#include <optional>
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "config/checks.h"
#include "config/fields.h"
#include "config/nearest.h"
#include "config/settings.h"
#include "config/values.h"
#include "games/registry.h"

namespace rf {
namespace {

[[noreturn]] void fail_unknown_key(const Setting& setting, const RunConfig& config) {
  const std::string path = setting.path();
  if (setting.name.find(':') != std::string::npos) {
    fail_setting(path, setting.where + ": " + path + ": no blank after the colon",
                 "YAML reads it as one word", "write a blank after ':'");
  }
  std::vector<std::string> siblings;
  std::optional<std::string> elsewhere;
  for (const Key& key : list_keys(config)) {
    if (key.section == setting.section) siblings.push_back(key.name);
    if (key.section != setting.section && !elsewhere && edit_distance(key.name, setting.name) == 0)
      elsewhere = key.path();
  }
  std::string why, hint = "keys of " + setting.section + ": " + joined(siblings);
  if (setting.section == "game") why = "game " + config.game.name;
  if (const auto near = nearest_name(setting.name, siblings)) {
    hint = "did you mean " + setting.section + "." + *near + "?";
  } else if (elsewhere) {
    hint = "did you mean " + *elsewhere + "?";
  }
  fail_setting(path, setting.where + ": " + path + ": unknown key", why, hint);
}

void apply(const Setting& setting, const std::vector<Field>& fields, const RunConfig& config) {
  const auto field = std::find_if(fields.begin(), fields.end(), [&](const Field& known) {
    return known.key.section == setting.section && known.key.name == setting.name;
  });
  if (field == fields.end()) fail_unknown_key(setting, config);
  if (const auto complaint = field->set(setting.value)) {
    fail_setting(setting.path(), setting.where + ": " + setting.path() + ": " + complaint->problem,
                 complaint->why, complaint->hint);
  }
}

// The game decides which keys its section has.
void apply_game_name(const Settings& settings, RunConfig& config) {
  bool given = false;
  for (const GameOption& option : game_entry(config.game.name).options()) {
    config.game.values[option.name] = option.initial;
  }
  const std::vector<Field> fields = list_fields(config);
  for (const Setting& setting : settings.list) {
    if (setting.path() != "game.name") continue;
    apply(setting, fields, config);
    given = true;
  }
  if (!given) {
    fail_setting("game.name", place_of(settings, "game.name") + ": game.name: is not given",
                 "there is no default game", "give " + expected_text(fields.front().key));
  }
}

// Everything but contradictions.
RunConfig checked_config(const Settings& settings) {
  RunConfig config;
  apply_game_name(settings, config);
  for (const GameOption& option : game_entry(config.game.name).options()) {
    config.game.values[option.name] = option.initial;
  }
  const std::vector<Field> fields = list_fields(config);
  for (const Setting& setting : settings.list) {
    if (setting.path() != "game.name") apply(setting, fields, config);
  }
  return config;
}

}  // namespace

RunConfig parse_layers(std::string_view yaml, const std::string& origin,
                       const std::vector<Overlay>& overlays) {
  const Settings settings = read_settings(yaml, origin, overlays);
  const RunConfig config = checked_config(settings);
  if (const auto contradiction = find_contradiction(config)) {
    const std::string& key = contradiction->key;
    fail_setting(key, place_of(settings, key) + ": " + key + ": " + contradiction->text);
  }
  return config;
}

RunConfig parse_config(std::string_view yaml, const std::string& origin,
                       const std::vector<std::string>& overrides) {
  return parse_layers(yaml, origin, {{"--set", overrides}});
}

GameSettings parse_game_settings(const std::string& name, const std::vector<std::string>& overrides) {
  const std::string yaml = "game:\n  name: " + std::string(game_entry(name).name) + "\n";
  const Settings settings = read_settings(yaml, "--game " + name, {{"--set", overrides}});
  for (const Setting& setting : settings.list) {
    if (setting.section == "game" && (setting.name != "name" || setting.where.starts_with("--game")))
      continue;
    fail_setting(setting.path(), setting.where + ": " + setting.path() + " has no meaning here",
                 "only the game's options count", "rf-play --help-config lists them");
  }
  return checked_config(settings).game;
}

std::string read_config_text(const std::filesystem::path& file) {
  constexpr std::uintmax_t kLargestBytes = 1 << 20;
  std::error_code unknown;  // of the size; then read_file says why
  const std::uintmax_t size = std::filesystem::file_size(file, unknown);
  if (!unknown && size > kLargestBytes) {
    fail(ExitCode::kBadConfig, file.string() + ":1: not a config", std::to_string(size) + " bytes",
         "a config is a YAML file of less than 1 MiB");
  }
  return read_file(file);
}

RunConfig load_config(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  return parse_config(read_config_text(file), file.string(), overrides);
}

}  // namespace rf
