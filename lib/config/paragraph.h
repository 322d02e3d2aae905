// Text for a terminal: paragraphs wrapped at 100 columns.
#pragma once

#include <string>
#include <string_view>

namespace rf {

inline constexpr std::size_t kTerminalColumns = 100;

// Appends `text` and a line end; every line but the first begins with `indent` blanks. The first goes on
// behind what the last line of `out` already holds, filled up to `indent`.
void append_paragraph(std::string& out, std::size_t indent, std::string_view text);

}  // namespace rf
