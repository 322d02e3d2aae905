// The last line of every file of this folder: a checksum of all bytes before it. HDF5 has none over its own
// tables, and crashes on some that are damaged; so the bytes are checked before HDF5 sees them. HDF5 ignores
// bytes after its end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace rf {

// "rankfile-seal:" and 16 hexadecimal digits and a line feed.
std::string seal_line(std::string_view bytes);

// Throws Error unless `path` is a regular file (kInputMissing when there is none) that begins like an HDF5
// file and ends with the right seal line (kBadData). Never waits on a FIFO. Returns the size of the file.
std::int64_t check_sealed(const std::filesystem::path& path);

}  // namespace rf
