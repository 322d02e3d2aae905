#include "run/json_file.h"

#include <cstdint>

#include "base/error.h"
#include "base/files.h"

namespace rf {
namespace {

constexpr auto kReplace = Json::error_handler_t::replace;

[[noreturn]] void damaged(const std::filesystem::path& path, const std::string& why) {
  const bool identity = path.filename() == "run.json", amendments = path.filename() == "amendments.json";
  fail(ExitCode::kBadData, path.string() + " is damaged", why,
       identity     ? "restore it from a copy; the run's id is in each manifest as \"run\""
       : amendments ? "restore it from a copy"
                    : "restore it from a copy, or remove it so that its stage is done again");
}

template <class T>
bool holds(const Json& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return value.is_string();
  } else if constexpr (std::is_floating_point_v<T>) {
    return value.is_number();
  } else if constexpr (std::is_unsigned_v<T>) {
    return value.is_number_unsigned();
  } else {
    return value.is_number_integer();
  }
}

}  // namespace

std::optional<Json> read_json_file(const std::filesystem::path& path) {
  std::error_code reason;
  if (!std::filesystem::exists(std::filesystem::symlink_status(path, reason))) return std::nullopt;
  const std::string text = read_file(path);
  Json object = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (object.is_discarded()) damaged(path, text.empty() ? "it is empty" : "it is not JSON");
  if (!object.is_object()) damaged(path, "it does not hold a JSON object");
  return object;
}

void write_json_file(const std::filesystem::path& path, const Json& object) {
  write_file_atomically(path, json_text(object));
}

std::string json_text(const Json& object) {
  return object.dump(2, ' ', false, kReplace) + "\n";
}
std::string json_line(const Json& object) {
  return object.dump(-1, ' ', false, kReplace);
}

template <class T>
T json_value(const Json& object, const char* key, const std::filesystem::path& path) {
  const auto found = object.find(key);
  if (found == object.end()) damaged(path, std::string("it has no \"") + key + "\"");
  if (!holds<T>(*found)) damaged(path, std::string("\"") + key + "\" is of another type");
  return found->template get<T>();
}

template std::string json_value(const Json&, const char*, const std::filesystem::path&);
template int json_value(const Json&, const char*, const std::filesystem::path&);
template std::int64_t json_value(const Json&, const char*, const std::filesystem::path&);
template std::uint64_t json_value(const Json&, const char*, const std::filesystem::path&);
template double json_value(const Json&, const char*, const std::filesystem::path&);

}  // namespace rf
