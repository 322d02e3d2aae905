// Errors of users, files and the environment. One exception type; the message reads
// "problem (why) hint". A stage turns the code into its exit status.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace rf {

// Exit codes of every executable (numbers of sysexits.h).
enum class ExitCode : int {
  kDone = 0,
  kUsage = 64,         // command line
  kBadData = 65,       // a shard, network or record is damaged or belongs to something else
  kInputMissing = 66,  // a file or an earlier stage's result is not there
  kInternal = 70,      // a defect of this program
  kCannotWrite = 73,   // disk full, read-only, no permission
  kTryAgain = 75,      // interrupted or busy: the same command goes on later
  kBadConfig = 78,     // a key or its value
};

class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

// A setting that contradicts the others; `key` is the path as in the config file ("game.line").
class BadSetting : public Error {
 public:
  BadSetting(std::string key, const std::string& message)
      : Error(ExitCode::kBadConfig, message), key_(std::move(key)) {}
  const std::string& key() const { return key_; }

 private:
  std::string key_;
};

// "problem (why) hint"; why and hint may be empty.
std::string error_text(std::string_view problem, std::string_view why, std::string_view hint);

// Throws Error. In a build without exceptions (WebAssembly) prints the message and aborts.
[[noreturn]] void fail(ExitCode code, std::string_view problem, std::string_view why = {},
                       std::string_view hint = {});
// Throws BadSetting; likewise.
[[noreturn]] void fail_setting(std::string_view key, std::string_view problem, std::string_view why = {},
                               std::string_view hint = {});
// For RF_ASSERT.
[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

}  // namespace rf

// A programmer's contract, checked in debug and audit builds.
#ifdef RF_ASSERTS
#define RF_ASSERT(expression) \
  ((expression) ? void(0) : ::rf::assertion_failed(#expression, __FILE__, __LINE__))
#else
#define RF_ASSERT(expression) ((void)sizeof(bool(expression)))
#endif
