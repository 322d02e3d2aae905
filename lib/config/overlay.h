// Settings that lie over a config: a command line's, an amendment's.
#pragma once

#include <string>
#include <vector>

namespace rf {

struct Overlay {
  std::string where;                  // stands before each of them in messages: "--set", "amendment 3"
  std::vector<std::string> settings;  // "section.key=value", the value as in YAML; each key at most once
};

}  // namespace rf
