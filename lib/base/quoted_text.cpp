#include "base/quoted_text.h"

#include <algorithm>

namespace rf {

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

std::string in_quotes(std::string_view word, std::size_t limit) {
  std::string text = "'";
  while (!word.empty() && text.size() <= limit) {
    const std::size_t length = utf8_length(word);
    const bool shown = length > 1 || (length == 1 && word[0] >= ' ' && word[0] != 0x7f);
    text += shown ? word.substr(0, length) : "?";
    word.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text + (word.empty() ? "'" : "...'");
}

}  // namespace rf
