// YAML and overrides to a checked RunConfig. The only way in: what it returns is in range and free of
// contradictions.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "config/overlay.h"
#include "config/run_config.h"

namespace rf {

// Two levels, `section:` and below it `key: value`. Keys left out have their defaults, but game.name must be
// given. An override is "section.key=value", the value as in YAML; it wins over the file. Throws
// Error(kBadConfig) "FILE:LINE: section.key: problem (why): hint" for unknown, misspelt, duplicated, mistyped
// and out-of-range keys and for contradictions, and Error(kInputMissing) for a file that cannot be read.
RunConfig load_config(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

// The same for a text; `origin` stands for the file in messages.
RunConfig parse_config(std::string_view yaml, const std::string& origin,
                       const std::vector<std::string>& overrides = {});

// The same under several overlays; of those that set a key the last one wins.
RunConfig parse_layers(std::string_view yaml, const std::string& origin,
                       const std::vector<Overlay>& overlays);

// The text of a config file. Throws Error(kBadConfig) when it is too large to be one, Error(kInputMissing).
std::string read_config_text(const std::filesystem::path& file);

// A game alone, by name, with its options set by overrides "game.option=value". Throws as load_config does;
// contradictions are make_game()'s to find.
GameSettings parse_game_settings(const std::string& name, const std::vector<std::string>& overrides);

}  // namespace rf
