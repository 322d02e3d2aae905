#include "base/log.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "base/timer.h"

namespace rf {
namespace {

LogLevel g_level = LogLevel::kInfo;
int g_rank = 0;

void write_line(std::string_view prefix, std::string_view line) {
  std::string text;
  if (g_rank > 0) text = "[rank " + std::to_string(g_rank) + "] ";
  text.append(prefix).append(line).append("\n");
  std::fwrite(text.data(), 1, text.size(), stderr);  // one write: lines of ranks do not mix
  std::fflush(stderr);
}

}  // namespace

void set_log(LogLevel level, int rank) {
  g_level = level;
  g_rank = rank;
}

void log_info(std::string_view line) {
  if (g_level >= LogLevel::kInfo) write_line("", line);
}
void log_debug(std::string_view line) {
  if (g_level >= LogLevel::kDebug) write_line("debug: ", line);
}
void log_warning(std::string_view line) {
  write_line("warning: ", line);
}
void log_error(std::string_view line) {
  write_line("error: ", line);
}

std::string grouped(long long value) {
  std::string digits = std::to_string(value);
  const int first = value < 0 ? 1 : 0;
  for (int i = int(digits.size()) - 3; i > first; i -= 3) digits.insert(std::size_t(i), " ");
  return digits;
}

std::string fixed(double value, int digits) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : (value > 0 ? "inf" : "-inf");
  std::array<char, 512> buffer;  // 309 digits, sign, point, decimals
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::fixed, std::clamp(digits, 0, 100))
                       .ptr;
  std::string text(buffer.data(), end);
  const bool is_zero = text.find_first_of("123456789") == std::string::npos;
  return is_zero && text[0] == '-' ? text.substr(1) : text;
}

std::string duration(double seconds) {
  const auto s = static_cast<long long>(std::llround(seconds > 0 ? std::min(seconds, 3.6e12) : 0.0));
  const auto two = [](long long n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  if (s >= 3600) return std::to_string(s / 3600) + " h " + two(s / 60 % 60) + " min";
  if (s >= 60) return std::to_string(s / 60) + " min " + two(s % 60) + " s";
  return std::to_string(s) + " s";
}

Progress::Progress(std::string what, std::string unit, long long total, double interval_seconds)
    : what_(std::move(what)),
      unit_(std::move(unit)),
      total_(total),
      interval_seconds_(interval_seconds),
      start_(seconds_now()),
      last_(start_) {}

bool Progress::due() const {
  return seconds_now() - last_ >= interval_seconds_;
}

void Progress::show(long long done, std::string_view extra) {
  const double now = seconds_now();
  if (now - last_ < interval_seconds_) return;
  last_ = now;
  const double rate = double(done - before_) / std::max(1e-9, now - start_);
  std::string line = what_ + ": " + grouped(done) + " of " + grouped(total_) + " " + unit_;
  if (total_ > 0) line += " (" + fixed(100.0 * double(done) / double(total_), 0) + " %)";
  line += ", " + fixed(rate, rate < 10 ? 1 : 0) + " " + unit_ + "/s";
  if (rate > 0) line += ", ETA " + duration(double(total_ - done) / rate);
  if (!extra.empty()) line.append(", ").append(extra);
  log_info(line);
}

}  // namespace rf
