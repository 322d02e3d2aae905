#include "base/error.h"

#include <cstdio>
#include <cstdlib>

namespace rf {

std::string error_text(std::string_view problem, std::string_view why, std::string_view hint) {
  std::string text(problem);
  if (!why.empty()) text.append(" (").append(why).append(")");
  if (!hint.empty()) text.append(": ").append(hint);
  return text;
}

namespace {
template <class E>
[[noreturn]] void raise(const E& error) {
#if defined(__cpp_exceptions)
  throw error;
#else
  std::fprintf(stderr, "error: %s\n", error.what());
  std::abort();
#endif
}
}  // namespace

void fail(ExitCode code, std::string_view problem, std::string_view why, std::string_view hint) {
  raise(Error(code, error_text(problem, why, hint)));
}

void fail_setting(std::string_view key, std::string_view problem, std::string_view why,
                  std::string_view hint) {
  raise(BadSetting(std::string(key), error_text(problem, why, hint)));
}

void assertion_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "assertion failed: %s (%s:%d)\n", expression, file, line);
  std::abort();
}

}  // namespace rf
