// Numbers to text and back: the decimal forms of a config and of a command line, never by locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rf {

// "-12": an optional minus and digits, no leading zeros. Says nothing about the size.
bool is_whole_text(std::string_view text);
// Nothing when the text has another form or does not fit into 64 bits.
std::optional<std::int64_t> parse_whole(std::string_view text);

// "0.25", "1e-4", "-3": decimal, never inf or nan. Says nothing about the size.
bool is_real_text(std::string_view text);
// Nothing when the text has another form or is beyond the range of a double.
std::optional<double> parse_real(std::string_view text);

std::string number_text(std::int64_t value);
// The shortest text that parses back to the same finite number: "0.0001", "19652", "1e-09".
std::string number_text(double value);

// "a, b, c"
std::string joined(const std::vector<std::string>& words);

}  // namespace rf
