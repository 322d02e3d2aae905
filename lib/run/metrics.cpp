#include "run/metrics.h"

#include <fstream>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/files.h"

namespace rf {
namespace {

// The object of a line that has an id of its own.
std::optional<Json> parse_event(const std::string& line) {
  Json event = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!event.is_object()) return std::nullopt;
  const auto id = event.find("id");
  if (id == event.end() || !id->is_number_integer()) return std::nullopt;
  return event;
}

// What an append must know, from the end of the file alone.
struct Tail {
  std::int64_t last_id = 0;
  bool ends_a_line = true;
};

Tail read_tail(const std::filesystem::path& path) {
  Tail tail;
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in) return tail;
  const std::int64_t size = in.tellg();
  // Doubled until a whole event is found: a line may be long, or many may be torn.
  for (std::int64_t length = std::int64_t(1) << 16; size > 0; length *= 2) {
    const std::int64_t begin = std::max<std::int64_t>(0, size - length);
    std::string text(std::size_t(size - begin), '\0');
    in.clear();
    in.seekg(begin);
    in.read(text.data(), std::streamsize(text.size()));
    if (!in) fail(ExitCode::kBadData, "cannot read " + path.string());
    tail.ends_a_line = text.back() == '\n';
    // From the last line to the first one that certainly begins in `text`.
    std::size_t end = text.size();
    while (end > 0) {
      const std::size_t newline = text.rfind('\n', end - 1);
      if (newline == std::string::npos && begin > 0) break;
      const std::size_t first = newline == std::string::npos ? 0 : newline + 1;
      if (const auto event = parse_event(text.substr(first, end - first))) {
        tail.last_id = (*event)["id"].get<std::int64_t>();
        return tail;
      }
      end = newline == std::string::npos ? 0 : newline;
    }
    if (begin == 0) break;
  }
  return tail;
}

}  // namespace

std::int64_t append_event(const RunDirectory& run, Json event) {
  RF_ASSERT(event.is_object());
  const std::filesystem::path path = run.metrics();
  if (const auto key = event.find("key"); key != event.end()) {
    for (const Json& other : read_events(path).events) {
      const auto its_key = other.find("key");
      if (its_key != other.end() && *its_key == *key) return other["id"].get<std::int64_t>();
    }
  }
  const Tail tail = read_tail(path);
  const std::int64_t id = tail.last_id + 1;
  event["id"] = id;
  append_line(path, (tail.ends_a_line ? "" : "\n") + json_line(event));
  return id;
}

Events read_events(const std::filesystem::path& path) {
  Events result;
  std::ifstream in(path, std::ios::binary);
  std::int64_t last_id = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    auto event = parse_event(line);
    if (!event) {
      ++result.torn_lines;
      continue;
    }
    const auto id = (*event)["id"].get<std::int64_t>();
    if (id <= last_id) {
      ++result.repeated_lines;
      continue;
    }
    last_id = id;
    result.events.push_back(std::move(*event));
  }
  return result;
}

Events read_events(const RunDirectory& run) {
  return read_events(run.metrics());
}

}  // namespace rf
