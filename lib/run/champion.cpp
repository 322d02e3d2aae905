#include "run/champion.h"

#include "base/error.h"
#include "run/json_file.h"

namespace rf {

std::optional<Champion> read_champion(const RunDirectory& run) {
  const std::filesystem::path path = run.champion_json();
  const auto object = read_json_file(path);
  if (!object) return std::nullopt;
  Champion champion;
  champion.iteration = json_value<int>(*object, "iteration", path);
  champion.network_file = json_value<std::string>(*object, "network_file", path);
  champion.digest = json_value<std::string>(*object, "digest", path);
  champion.since = json_value<std::string>(*object, "since", path);
  champion.reason = json_value<std::string>(*object, "reason", path);
  return champion;
}

void write_champion(const RunLock& lock, const Champion& champion) {
  const RunDirectory& run = lock.run();
  lock.check_owned();
  std::error_code ignored;
  if (!std::filesystem::exists(run.root() / champion.network_file, ignored)) {
    fail(ExitCode::kInputMissing, "the network of a new champion is not there", champion.network_file);
  }
  write_json_file(run.champion_json(), {{"iteration", champion.iteration},
                                        {"network_file", champion.network_file},
                                        {"digest", champion.digest},
                                        {"since", champion.since},
                                        {"reason", champion.reason}});
}

}  // namespace rf
