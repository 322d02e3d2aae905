#include "run/amendments.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/timer.h"
#include "config/compare.h"
#include "config/fields.h"
#include "config/load.h"
#include "run/json_file.h"
#include "run/next_step.h"

namespace rf {
namespace {

constexpr int kFormat = 1;

[[noreturn]] void fail_damaged(const std::filesystem::path& path, const std::string& why) {
  fail(ExitCode::kBadData, path.string() + " is damaged", why, "restore it from a copy");
}

Amendment read_amendment(const Json& object, int number, const std::filesystem::path& path) {
  const std::string which = "amendment " + std::to_string(number);
  if (!object.is_object()) fail_damaged(path, which + " is no JSON object");
  Amendment amendment;
  amendment.number = json_value<int>(object, "number", path);
  amendment.time = json_value<std::string>(object, "time", path);
  amendment.from = json_value<int>(object, "from", path);
  if (amendment.number != number) fail_damaged(path, which + " is not at its place");
  const auto keys = object.find("keys");
  if (keys == object.end() || !keys->is_object()) fail_damaged(path, which + " has no \"keys\"");
  for (const auto& [key, value] : keys->items()) {
    if (!value.is_string()) fail_damaged(path, which + ": \"" + key + "\" is of another type");
    amendment.keys[key] = value.get<std::string>();
  }
  return amendment;
}

Json amendment_json(const Amendment& amendment) {
  return {{"number", amendment.number},
          {"time", amendment.time},
          {"from", amendment.from},
          {"keys", amendment.keys}};
}

// One call of amend() at a time, on this host and, where the file system knows locks, on others.
class Turn {
 public:
  explicit Turn(const std::filesystem::path& path)
      : fd_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    int result = fd_ < 0 ? -1 : 0;
    while (fd_ >= 0 && (result = ::flock(fd_, LOCK_EX)) != 0 && errno == EINTR) {
    }
    if (result == 0) return;
    const std::string why = std::strerror(errno);
    if (fd_ >= 0) ::close(fd_);
    fail(ExitCode::kCannotWrite, "cannot lock " + path.string(), why, "check the path and its permissions");
  }
  ~Turn() { ::close(fd_); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  int fd_;
};

void refuse_sealed(const RunDirectory& run, int from) {
  const std::vector<int> iterations = iteration_numbers(run);
  for (auto it = iterations.rbegin(); it != iterations.rend() && *it >= from; ++it) {
    for (auto stage = kStages.rbegin(); stage != kStages.rend(); ++stage) {
      if (!file_exists(run.manifest(*it, *stage))) continue;
      fail(ExitCode::kUsage, "--from " + std::to_string(from) + " is too early for an amendment",
           run.relative(run.manifest(*it, *stage)) + " is sealed",
           "what is done stays as it is: --from " + std::to_string(*it + 1) + " or later");
    }
  }
}

// A key that a run keeps for life is refused also when the value would be the one that it has.
void refuse_fixed_keys(const RunConfig& config, const std::vector<std::string>& settings) {
  for (const Key& key : list_keys(config)) {
    for (const std::string& setting : settings) {
      if (setting.substr(0, setting.find('=')) != key.path() || harmless({key.path(), "", ""})) continue;
      fail_setting(key.path(), "--amend " + setting + ": " + key.path() + " is fixed for the life of a run",
                   "its shards and networks depend on it", "make a new run");
    }
  }
}

void say_what_is_beaten(const std::vector<Amendment>& all, const Amendment& fresh) {
  for (const Amendment& other : all) {
    for (const auto& [key, value] : other.keys) {
      if (other.from <= fresh.from || !fresh.keys.contains(key)) continue;
      log_info("amendment " + std::to_string(other.number) + " set " + key + " from iteration " +
               std::to_string(other.from) + " on; the newer amendment wins there too");
    }
  }
}

}  // namespace

std::string Amendment::text() const {
  std::string settings;
  for (const auto& [key, value] : keys) settings += (settings.empty() ? "" : ", ") + key + "=" + value;
  return "amendment " + std::to_string(number) + ", from iteration " + std::to_string(from) + ": " + settings;
}

std::vector<Amendment> read_amendments(const RunDirectory& run) {
  const std::filesystem::path path = run.amendments_json();
  std::vector<Amendment> all;
  const auto object = read_json_file(path);
  if (!object) return all;
  if (json_value<int>(*object, "format", path) > kFormat)
    fail(ExitCode::kBadData, path.string() + " was written by later software", {}, "use that software");
  const auto list = object->find("amendments");
  if (list == object->end() || !list->is_array()) fail_damaged(path, "it has no list \"amendments\"");
  for (const Json& entry : *list) all.push_back(read_amendment(entry, int(all.size()) + 1, path));
  return all;
}

std::vector<Amendment> amendments_for(const std::vector<Amendment>& all, int iteration) {
  std::vector<Amendment> found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found),
               [&](const Amendment& amendment) { return amendment.from <= iteration; });
  return found;
}

std::vector<Overlay> overlays_of(const std::vector<Amendment>& amendments) {
  std::vector<Overlay> overlays;
  for (const Amendment& amendment : amendments) {
    Overlay overlay{"amendment " + std::to_string(amendment.number), {}};
    for (const auto& [key, value] : amendment.keys) overlay.settings.push_back(key + "=" + value);
    overlays.push_back(std::move(overlay));
  }
  return overlays;
}

RunConfig amended_config(const RunDirectory& run, const std::vector<Amendment>& amendments) {
  return parse_layers(run.run_config(), run.run_yaml().string(), overlays_of(amendments));
}

Amendment amend(const RunDirectory& run, const std::vector<std::string>& settings, int from) {
  const Turn turn(run.root() / "amendments.lock");
  std::vector<Amendment> all = read_amendments(run);
  const RunConfig before = amended_config(run, amendments_for(all, from));
  refuse_fixed_keys(before, settings);
  std::vector<Overlay> overlays = overlays_of(amendments_for(all, from));
  overlays.push_back({"--amend", settings});
  const RunConfig after = parse_layers(run.run_config(), run.run_yaml().string(), overlays);
  refuse_sealed(run, from);
  Amendment fresh{int(all.size()) + 1, utc_now(), from, {}};
  for (const Key& key : list_keys(after)) {
    for (const std::string& setting : settings) {
      if (setting.substr(0, setting.find('=')) == key.path()) fresh.keys[key.path()] = key.value;
    }
  }
  say_what_is_beaten(all, fresh);
  std::set<int> later;  // where what is in force changes once more
  for (const Amendment& other : all) {
    if (other.from > from) later.insert(other.from);
  }
  all.push_back(fresh);
  for (int iteration : later) amended_config(run, amendments_for(all, iteration));
  Json list = Json::array();
  for (const Amendment& amendment : all) list.push_back(amendment_json(amendment));
  write_json_file(run.amendments_json(), {{"format", kFormat}, {"amendments", list}});
  return fresh;
}

}  // namespace rf
