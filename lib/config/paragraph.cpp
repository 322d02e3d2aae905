#include "config/paragraph.h"

namespace rf {

void append_paragraph(std::string& out, std::size_t indent, std::string_view text) {
  const std::size_t line_start = out.rfind('\n') == std::string::npos ? 0 : out.rfind('\n') + 1;
  std::size_t column = out.size() - line_start;
  if (column > 0 && column + 1 > indent) {  // a long term stands alone
    out += '\n';
    column = 0;
  }
  out.append(indent > column ? indent - column : 0, ' ');
  column = indent;
  bool first = true;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (word.empty()) continue;
    if (!first && column + 1 + word.size() > kTerminalColumns) {
      out.append("\n").append(indent, ' ');
      column = indent;
      first = true;
    }
    if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    first = false;
  }
  out += '\n';
}

}  // namespace rf
