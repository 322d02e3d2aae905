// JSON objects in files that appear whole.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace rf {

using Json = nlohmann::json;

// Nothing when there is no such file. Throws Error(kBadData), naming the file, when it does not hold a JSON
// object.
std::optional<Json> read_json_file(const std::filesystem::path& path);

// Atomically and durably; the old file, if any, is replaced. Bytes that are no UTF-8 are replaced by U+FFFD.
void write_json_file(const std::filesystem::path& path, const Json& object);

// The text that write_json_file() writes.
std::string json_text(const Json& object);
// On one line, as in a file of one object a line.
std::string json_line(const Json& object);

// Reads object[key] as a T. Throws Error(kBadData), naming file and key, when it is missing or another type.
template <class T>
T json_value(const Json& object, const char* key, const std::filesystem::path& path);

}  // namespace rf
