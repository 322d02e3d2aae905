#include "config/compare.h"

#include <map>

#include "config/fields.h"

namespace rf {

std::vector<ConfigDifference> compare_configs(const RunConfig& a, const RunConfig& b) {
  const std::vector<Key> keys_of_a = list_keys(a);
  std::map<std::string, std::string> was;
  for (const Key& key : keys_of_a) was[key.path()] = key.value;
  std::vector<ConfigDifference> differences;
  for (const Key& key : list_keys(b)) {
    const auto before = was.find(key.path());
    if (before == was.end()) {
      differences.push_back({key.path(), "-", key.value});
      continue;
    }
    if (before->second != key.value) differences.push_back({key.path(), before->second, key.value});
    was.erase(before);
  }
  for (const Key& key : keys_of_a) {
    if (was.contains(key.path())) differences.push_back({key.path(), key.value, "-"});
  }
  return differences;
}

bool operator==(const RunConfig& a, const RunConfig& b) {
  return compare_configs(a, b).empty();
}

bool harmless(const ConfigDifference& difference) {
  return !difference.key.starts_with("game.") && !difference.key.starts_with("network.") &&
         difference.key != "run.seed";
}

}  // namespace rf
