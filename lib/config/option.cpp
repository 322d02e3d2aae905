#include "config/option.h"

#include <algorithm>

#include "base/error.h"
#include "config/nearest.h"
#include "config/values.h"

namespace rf {
namespace {

// "a whole number from 2 to 1000"; empty when anything is allowed.
std::string limits_text(const Option& option) {
  const std::string range = " from " + option.min + " to " + option.max;
  switch (option.kind) {
    case OptionKind::kChoice:
      return "one of " + joined(option.choices);
    case OptionKind::kWhole:
      return "a whole number" + range;
    case OptionKind::kNumber:
      return "a number" + range;
    default:
      return "";
  }
}

void check_choice(const Option& option, const std::string& value) {
  if (std::find(option.choices.begin(), option.choices.end(), value) != option.choices.end()) return;
  const auto near = nearest_name(value, option.choices);
  fail_usage("--" + option.name + ": '" + value + "' is not a choice", "choices: " + joined(option.choices),
             near ? "did you mean " + *near + "?" : "");
}

// `parse` is parse_whole or parse_real.
template <class Parse>
void check_range(const Option& option, const std::string& value, Parse parse) {
  const auto number = parse(value);
  if (number && *number >= *parse(option.min) && *number <= *parse(option.max)) return;
  fail_usage("--" + option.name + ": " + value + " is out of range",
             "allowed: " + option.min + " to " + option.max, "");
}

}  // namespace

std::string option_term(const Option& option) {
  return "--" + option.name + (option.metavar.empty() ? "" : " " + option.metavar);
}

std::string option_text(const Option& option) {
  std::string text = option.sentence;
  if (const std::string limits = limits_text(option); !limits.empty()) text += "; " + limits;
  if (!option.initial.empty()) text += ", default " + option.initial;
  return text;
}

void check_option_value(const Option& option, const std::string& value) {
  const std::string term = "--" + option.name;
  if (value.empty()) fail_usage(term + " has an empty value", "", "give " + option_term(option));
  if (option.kind == OptionKind::kChoice) check_choice(option, value);
  if (option.kind == OptionKind::kWhole) {
    if (!is_whole_text(value)) {
      fail_usage(term + ": '" + value + "' is not a whole number", "", "give " + limits_text(option));
    }
    check_range(option, value, parse_whole);
  }
  if (option.kind == OptionKind::kNumber) {
    if (!is_real_text(value)) {
      fail_usage(term + ": '" + value + "' is not a number", "", "give " + limits_text(option));
    }
    check_range(option, value, parse_real);
  }
}

void fail_usage(std::string_view problem, std::string_view why, std::string_view hint) {
  fail(ExitCode::kUsage, problem, why, hint);
}

}  // namespace rf
