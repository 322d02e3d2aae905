// Results kept in files under tests/golden. The environment variable RF_GOLDEN says what a test does:
//   (unset) or compare  a missing or different file fails
//   create              a missing file is written; a different one still fails
//   update              files are written over; read the diff before committing it, in a commit of its own
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace rf::testing {

inline constexpr std::size_t kMaxGoldenBytes = 100'000;

inline std::filesystem::path golden_path(const std::string& name) {
  return std::filesystem::path(RF_TEST_DATA) / "golden" / name;
}

inline std::string golden_text(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// The first line in which two texts differ, for a message that can be read.
inline std::string first_difference(const std::string& expected, const std::string& actual) {
  std::istringstream a(expected), b(actual);
  std::string line_a, line_b;
  for (int number = 1;; ++number) {
    const bool more_a = bool(std::getline(a, line_a)), more_b = bool(std::getline(b, line_b));
    if (!more_a && !more_b) return "no line differs (line ends?)";
    if (more_a != more_b || line_a != line_b) {
      return "line " + std::to_string(number) + "\n  kept: " + (more_a ? line_a : "(end of file)") +
             "\n  now:  " + (more_b ? line_b : "(end of text)");
    }
  }
}

// Compares `text` with tests/golden/<name>, or writes it; see above.
inline void expect_golden(const std::string& name, const std::string& text) {
  ASSERT_FALSE(text.empty()) << name;
  ASSERT_LT(text.size(), kMaxGoldenBytes) << name << " is too long to be read by people";
  const std::filesystem::path path = golden_path(name);
  const char* variable = std::getenv("RF_GOLDEN");
  const std::string mode = variable ? variable : "compare";
  ASSERT_TRUE(mode == "compare" || mode == "create" || mode == "update") << "RF_GOLDEN=" << mode;
  const bool exists = std::filesystem::exists(path);
  if (mode == "update" || (mode == "create" && !exists)) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  ASSERT_TRUE(exists) << path << " is missing: run the test with RF_GOLDEN=create and read what it wrote";
  const std::string kept = golden_text(path);
  EXPECT_TRUE(kept == text) << path << " differs, " << first_difference(kept, text)
                            << "\nIf the change is meant: RF_GOLDEN=update, then read the diff.";
}

}  // namespace rf::testing
