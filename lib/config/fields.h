// Every key of a config as a row of a table: loading, dumping, comparing, help and the reference page all
// walk this list, which comes from the `describe` functions and from the games' options.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/document.h"
#include "config/run_config.h"

namespace rf {

enum class KeyType { kWhole, kReal, kFlag, kChoice, kText, kWholeList };

struct Key {
  std::string section, name;
  KeyType type = KeyType::kText;
  std::string min, max;              // of numbers, inclusive
  int max_entries = 0;               // of a list
  std::string unit;                  // may be empty
  std::vector<std::string> choices;  // of a choice
  std::string value;                 // as YAML
  std::string sentence;
  std::string path() const { return section + "." + name; }
};

// Why a value is refused; the parts of error_text.
struct Complaint {
  std::string problem, why, hint;
};

struct Field {
  Key key;
  // Takes the value over into the config, or says what is wrong with it.
  std::function<std::optional<Complaint>(const ConfigNode&)> set;
};

struct Section {
  std::string name, sentence;
};

// The fields of `config` in file order: game.name, the options of that game (none if the name is unknown),
// then the other sections. The setters write into `config`, which must outlive them.
std::vector<Field> list_fields(RunConfig& config);
std::vector<Key> list_keys(const RunConfig& config);
// In file order, `game` first.
std::vector<Section> list_sections();

// "a whole number from 1 to 4096 (channels)", "true or false", "one of gated, always".
std::string expected_text(const Key& key);

}  // namespace rf
