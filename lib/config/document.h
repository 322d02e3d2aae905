// A YAML text as a tree with line numbers, before anything is known about keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rf {

struct ConfigNode {
  enum class Kind { kNull, kScalar, kList, kMap };
  Kind kind = Kind::kNull;
  int line = 1;                   // from 1
  std::string text;               // of a scalar, as written
  bool quoted = false;            // "800" is a text, 800 a number
  std::vector<ConfigNode> keys;   // of a map, in file order, duplicates kept
  std::vector<ConfigNode> items;  // of a list; values of a map, one for each key
};

// The root of the text; kNull when the text holds nothing but comments. Throws Error(kBadConfig)
// "ORIGIN:LINE: ..." for bad syntax, a second document, anchors, aliases, tags, control characters, tabs in
// the indentation and a missing blank after a colon (which YAML reads as a part of the word).
ConfigNode parse_document(std::string_view yaml, const std::string& origin);

// For messages: "'abc'", "a list", "a map", "nothing".
std::string node_text(const ConfigNode& node);

}  // namespace rf
