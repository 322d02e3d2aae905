#include "records/file_text.h"

#include <iconv.h>

#include <algorithm>

namespace rf {
namespace {

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string from_gb18030(std::string_view bytes) {
  const iconv_t converter = iconv_open("UTF-8", "GB18030");
  if (converter == iconv_t(-1)) {
    fail(ExitCode::kBadData, "the text is not UTF-8", "this system cannot read GB18030",
         "convert it to UTF-8");
  }
  std::string text(2 * bytes.size() + 16, '\0');  // two bytes become at most three, four at most four
  char* in = const_cast<char*>(bytes.data());     // iconv does not write there
  std::size_t in_left = bytes.size(), out_left = text.size();
  char* out = text.data();
  const bool done = iconv(converter, &in, &in_left, &out, &out_left) != std::size_t(-1);
  iconv_close(converter);
  if (!done) {
    fail(ExitCode::kBadData,
         "line " + std::to_string(line_at(bytes, bytes.size() - in_left)) + " is neither UTF-8 nor GB18030");
  }
  text.resize(text.size() - out_left);
  return text;
}

}  // namespace

std::string utf8_text(std::string_view bytes) {
  return std::string(without_mark(is_utf8(bytes) ? std::string(bytes) : from_gb18030(bytes)));
}

std::string_view without_mark(std::string_view bytes) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  return bytes;
}

int line_at(std::string_view text, std::size_t offset) {
  return 1 +
         int(std::count(text.begin(), text.begin() + std::ptrdiff_t(std::min(offset, text.size())), '\n'));
}

}  // namespace rf
