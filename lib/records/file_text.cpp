#include "records/file_text.h"

#include <iconv.h>

#include <algorithm>

namespace rf {
namespace {

// The length of the UTF-8 character at the beginning of `text`, 0 if there is none: a shorter form exists, it
// is a surrogate, or it lies beyond U+10FFFF.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f)) return 0;
  if ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f)) return 0;
  return length;
}

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
  std::string text = is_utf8(bytes) ? std::string(bytes) : from_gb18030(bytes);
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  return text;
}

std::string in_quotes(std::string_view word) {
  std::string text = "'";
  while (!word.empty() && text.size() <= 40) {
    const std::size_t length = utf8_length(word);
    const bool shown = length > 1 || (length == 1 && word[0] >= ' ' && word[0] != 0x7f);
    text += shown ? word.substr(0, length) : "?";
    word.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text + (word.empty() ? "'" : "...'");
}

int line_at(std::string_view text, std::size_t offset) {
  return 1 +
         int(std::count(text.begin(), text.begin() + std::ptrdiff_t(std::min(offset, text.size())), '\n'));
}

}  // namespace rf
