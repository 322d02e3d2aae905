// Text of files that people and other programs wrote.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/quoted_text.h"

namespace rf {

// The text as UTF-8 without a byte order mark. Bytes that are not UTF-8 are taken for GB18030, in which most
// Chinese files are kept. Throws Error(kBadData) that names the line if they are neither.
std::string utf8_text(std::string_view bytes);

// The text without the byte order mark of UTF-8 before it.
std::string_view without_mark(std::string_view bytes);

// The number, from 1, of the line that holds text[offset].
int line_at(std::string_view text, std::size_t offset);

// Runs `read`; what it refuses is bad data of the line at `offset`.
template <class Read>
auto at_line(std::string_view text, std::size_t offset, Read read) {
  try {
    return read();
  } catch (const Error& error) {
    fail(ExitCode::kBadData, "line " + std::to_string(line_at(text, offset)) + ": " + error.what());
  }
}

}  // namespace rf
