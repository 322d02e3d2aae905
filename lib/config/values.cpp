#include "config/values.h"

#include <charconv>
#include <cmath>

namespace rf {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Takes digits off the front; their number.
std::size_t take_digits(std::string_view& text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  text.remove_prefix(n);
  return n;
}

bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

template <class T>
std::optional<T> from_whole_text(std::string_view text) {
  T value{};
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

bool is_whole_text(std::string_view text) {
  take(text, "-");
  const bool leading_zero = text.size() > 1 && text.front() == '0';
  return take_digits(text) > 0 && text.empty() && !leading_zero;
}

std::optional<std::int64_t> parse_whole(std::string_view text) {
  if (!is_whole_text(text)) return std::nullopt;
  return from_whole_text<std::int64_t>(text);
}

bool is_real_text(std::string_view text) {
  take(text, "-");
  std::size_t digits = take_digits(text);
  if (take(text, ".")) digits += take_digits(text);
  if (digits == 0) return false;
  if (take(text, "eE")) {
    take(text, "+-");
    if (take_digits(text) == 0) return false;
  }
  return text.empty();
}

std::optional<double> parse_real(std::string_view text) {
  if (!is_real_text(text)) return std::nullopt;
  const auto value = from_whole_text<double>(text);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return *value + 0.0;  // -0 becomes 0: they must not differ in a digest
}

std::string number_text(std::int64_t value) {
  return std::to_string(value);
}

std::string number_text(double value) {
  char buffer[64];
  const double size = std::abs(value);
  const bool plain = value == 0 || (size >= 1e-5 && size < 1e15);
  const auto form = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto [end, fault] = std::to_chars(buffer, buffer + sizeof buffer, value, form);
  return fault == std::errc{} ? std::string(buffer, end) : std::string("nan");
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : ", ").append(word);
  return text;
}

}  // namespace rf
