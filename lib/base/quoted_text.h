// Words of users and files as messages show them.
#pragma once

#include <string>
#include <string_view>

namespace rf {

// The length of the UTF-8 character at the beginning of `text`, 0 if there is none: a shorter form exists, it
// is a surrogate, or it lies beyond U+10FFFF.
std::size_t utf8_length(std::string_view text);

// In quotes, whole characters of it in about `limit` bytes ("..." follows what is left out); control
// characters and bytes that are not UTF-8 as '?'.
std::string in_quotes(std::string_view word, std::size_t limit = 40);

}  // namespace rf
