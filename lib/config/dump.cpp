#include "config/dump.h"

#include "base/digest.h"
#include "config/fields.h"

namespace rf {

std::string dump_config(const RunConfig& config) {
  std::string yaml, section;
  for (const Key& key : list_keys(config)) {
    if (key.section != section) yaml += key.section + ":\n";
    section = key.section;
    yaml += "  " + key.name + ": " + key.value + "\n";
  }
  return yaml;
}

std::string config_digest(const RunConfig& config) {
  return sha256(dump_config(config));
}

}  // namespace rf
