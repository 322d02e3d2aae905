// What the config tests share.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "config/load.h"

namespace rf {

// The message with which the text is refused; a test failure and "" when it is accepted.
inline std::string refusal(const std::string& yaml, const std::vector<std::string>& overrides = {}) {
  try {
    parse_config(yaml, "run.yaml", overrides);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadConfig) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "accepted:\n" << yaml;
  return "";
}

inline void expect_holds(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(message.find(part), std::string::npos) << "'" << part << "' is not in:\n" << message;
  }
}

}  // namespace rf
