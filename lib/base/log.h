// One line a message, on stderr, flushed at once; ranks above 0 carry a prefix.
#pragma once

#include <string>
#include <string_view>

namespace rf {

enum class LogLevel { kQuiet, kInfo, kDebug };

// Set once at start. Rank 0 writes plain lines, others "[rank 3] ...".
void set_log(LogLevel level, int rank);

void log_info(std::string_view line);
void log_debug(std::string_view line);
void log_warning(std::string_view line);  // "warning: ..."; always written
void log_error(std::string_view line);    // "error: ..."; always written

// "1 234 567": digits in groups, never by locale.
std::string grouped(long long value);
// "0.123" with `digits` decimals, never by locale.
std::string fixed(double value, int digits);
// "1 h 02 min", "3 min 05 s", "12 s".
std::string duration(double seconds);

// Says how far long work is: at most one line each `interval_seconds`, with rate and ETA.
class Progress {
 public:
  Progress(std::string what, std::string unit, long long total, double interval_seconds = 5);
  // `done` counts from the start of the work, `before` of it was there when this process began.
  // `extra` is appended to the line.
  void show(long long done, std::string_view extra = {});
  void set_before(long long before) { before_ = before; }
  // True when show() would write now; lets the caller skip the making of `extra`.
  bool due() const;

 private:
  std::string what_, unit_;
  long long total_;
  long long before_ = 0;
  double interval_seconds_;
  double start_, last_;
};

}  // namespace rf
