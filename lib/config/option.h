// One declared option of a command line, and the check of its value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rf {

enum class OptionKind { kFlag, kValue, kValues, kChoice, kNumber, kWhole };

struct Option {
  std::string name, metavar, sentence;
  OptionKind kind = OptionKind::kFlag;
  std::string initial, min, max;  // as text; empty initial = none
  std::vector<std::string> choices;
};

// "--games N"
std::string option_term(const Option& option);
// The sentence, what is allowed and the default.
std::string option_text(const Option& option);

// Throws Error(kUsage) when the value is empty, mistyped, out of range or no choice.
void check_option_value(const Option& option, const std::string& value);

[[noreturn]] void fail_usage(std::string_view problem, std::string_view why, std::string_view hint);

}  // namespace rf
