#include "config/settings.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/error.h"
#include "config/fields.h"
#include "config/nearest.h"
#include "config/values.h"

namespace rf {
namespace {

using Kind = ConfigNode::Kind;

[[noreturn]] void fail_at(const std::string& where, const std::string& key, const std::string& problem,
                          std::string_view why = {}, std::string_view hint = {}) {
  fail_setting(key, where + ": " + key + ": " + problem, why, hint);
}

std::vector<std::string> section_names() {
  std::vector<std::string> names;
  for (const Section& section : list_sections()) names.push_back(section.name);
  return names;
}

// A key at the top level is a section with a misspelt name, or a key that has lost its section.
[[noreturn]] void fail_unknown_section(const std::string& where, const ConfigNode& key,
                                       const ConfigNode& value) {
  if (key.text.find(':') != std::string::npos) {
    fail_at(where, key.text, "no blank after the colon", "YAML reads it as one word",
            "write a blank after ':'");
  }
  std::vector<std::string> names, paths;
  for (const Key& known : list_keys(RunConfig{})) {
    names.push_back(known.name);
    paths.push_back(known.path());
  }
  const std::vector<std::string> sections = section_names();
  const auto section = nearest_name(key.text, sections);
  const auto name = nearest_name(key.text, names);
  const bool holds_keys = value.kind == Kind::kMap;
  std::string hint = "sections: " + joined(sections);
  if (name && (!holds_keys || !section)) {
    const auto index = std::size_t(std::find(names.begin(), names.end(), *name) - names.begin());
    hint = "did you mean " + paths[index] + "? Keys stand below their section";
  } else if (section) {
    hint = "did you mean " + *section + "?";
  }
  fail_at(where, key.text, holds_keys ? "unknown section" : "unknown key outside of a section", "", hint);
}

const std::string& key_text(const ConfigNode& key, const std::string& where, const std::string& section) {
  if (key.kind == Kind::kScalar && !key.text.empty()) return key.text;
  fail_setting(section,
               where + ": " + (section.empty() ? "" : section + ": ") + node_text(key) + " stands as a key",
               "keys are words", "write 'key: value'");
}

// `given` are the earlier settings of the same source.
void refuse_twice(std::span<const Setting> given, const Setting& setting, std::string_view hint) {
  for (const Setting& earlier : given) {
    if (earlier.path() == setting.path()) {
      fail_at(setting.where, setting.path(), "given twice", "first at " + earlier.where, hint);
    }
  }
}

void read_file_settings(const ConfigNode& root, const std::string& origin, Settings& settings) {
  const std::vector<std::string> known = section_names();
  for (std::size_t i = 0; i < root.keys.size(); ++i) {
    const std::string where = origin + ":" + std::to_string(root.keys[i].line);
    const std::string& section = key_text(root.keys[i], where, "");
    const ConfigNode& keys = root.items[i];
    if (std::find(known.begin(), known.end(), section) == known.end()) {
      fail_unknown_section(where, root.keys[i], keys);
    }
    for (const auto& [name, earlier] : settings.sections) {
      if (name == section)
        fail_at(where, section, "section given twice", "first at " + earlier, "join the two");
    }
    settings.sections.emplace_back(section, where);
    if (keys.kind != Kind::kMap) {
      fail_at(where, section, "holds " + node_text(keys), "a section holds keys",
              "write 'key: value' lines below it, indented by two blanks, or leave the section out");
    }
    for (std::size_t k = 0; k < keys.keys.size(); ++k) {
      Setting setting;
      setting.section = section;
      setting.where = origin + ":" + std::to_string(keys.keys[k].line);
      setting.name = key_text(keys.keys[k], setting.where, section);
      setting.value = keys.items[k];
      refuse_twice(settings.list, setting, "keep one of the two");
      settings.list.push_back(std::move(setting));
    }
  }
}

// Hint for a setting without a section.
std::string full_path_hint(std::string_view path, const std::string& where) {
  std::vector<std::string> names, paths;
  for (const Key& known : list_keys(RunConfig{})) {
    names.push_back(known.name);
    paths.push_back(known.path());
  }
  const auto name = nearest_name(path, names);
  if (!name) return "write " + where + " section.key=value";
  return "did you mean " + paths[std::size_t(std::find(names.begin(), names.end(), *name) - names.begin())] +
         "?";
}

Setting read_setting(const std::string& text, const std::string& from) {
  const std::string where = from + " " + text;
  const std::size_t equals = text.find('=');
  const std::string path = text.substr(0, equals);
  const std::size_t dot = path.find('.');
  if (equals == std::string::npos || dot == std::string::npos || dot == 0 || dot + 1 == path.size()) {
    fail_at(where, path, "not of the form section.key=value",
            equals == std::string::npos ? "no '='" : "the key has no section", full_path_hint(path, from));
  }
  Setting setting;
  setting.where = where;
  setting.section = path.substr(0, dot);
  setting.name = path.substr(dot + 1);
  const std::vector<std::string> known = section_names();
  if (std::find(known.begin(), known.end(), setting.section) == known.end()) {
    const auto near = nearest_name(setting.section, known);
    fail_at(where, path, "unknown section " + setting.section, "",
            near ? "did you mean " + *near + "." + setting.name + "?" : "sections: " + joined(known));
  }
  setting.value = parse_document(std::string_view(text).substr(equals + 1), where + ": value");
  return setting;
}

}  // namespace

Settings read_settings(std::string_view yaml, const std::string& origin,
                       const std::vector<Overlay>& overlays) {
  Settings settings;
  settings.origin = origin + ":1";
  const ConfigNode root = parse_document(yaml, origin);
  if (root.kind != Kind::kMap) {
    const std::string where = origin + ":" + std::to_string(root.line);
    fail(ExitCode::kBadConfig, where + ": the file holds " + node_text(root),
         "a config holds sections with keys", "begin with 'game:' and below it '  name: tic_tac_toe'");
  }
  read_file_settings(root, origin, settings);
  for (const Overlay& overlay : overlays) {
    const std::size_t before = settings.list.size();
    for (const std::string& text : overlay.settings) {
      Setting setting = read_setting(text, overlay.where);
      refuse_twice(std::span(settings.list).subspan(before), setting, "keep one of the two");
      settings.list.push_back(std::move(setting));
    }
  }
  return settings;
}

std::string place_of(const Settings& settings, std::string_view path) {
  for (auto it = settings.list.rbegin(); it != settings.list.rend(); ++it) {
    if (it->path() == path) return it->where;
  }
  const std::string_view section = path.substr(0, path.find('.'));
  for (const auto& [name, where] : settings.sections) {
    if (name == section) return where;
  }
  return settings.origin;
}

}  // namespace rf
