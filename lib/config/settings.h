// What a config file and the command line say, key by key, before the values are looked at.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/document.h"
#include "config/overlay.h"

namespace rf {

struct Setting {
  std::string section, name;
  std::string where;  // "FILE:LINE" or "--set section.key=value", for messages
  ConfigNode value;
  std::string path() const { return section + "." + name; }
};

struct Settings {
  std::vector<Setting> list;                                  // the file's in file order, then the overlays'
  std::vector<std::pair<std::string, std::string>> sections;  // name and "FILE:LINE" of those in the file
  std::string origin;                                         // "FILE:1"
};

// Throws BadSetting, with the place in front, for anything that is not sections of keys, an unknown section,
// a key or section given twice, a key set twice in one overlay, and a setting not of the form
// section.key=value. Whether a key exists is not looked at.
Settings read_settings(std::string_view yaml, const std::string& origin,
                       const std::vector<Overlay>& overlays);

// The place of a key: where it was given last, else its section, else the file.
std::string place_of(const Settings& settings, std::string_view path);

}  // namespace rf
