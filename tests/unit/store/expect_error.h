// A call that must fail, with which code, and what its message must name.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"

namespace rf {

template <class Call>
void expect_error(ExitCode code, const std::vector<std::string>& words, Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(int(error.code()), int(code)) << text;
    for (const std::string& word : words)
      EXPECT_NE(text.find(word), std::string::npos) << text << "\nlacks: " << word;
    return;
  }
  ADD_FAILURE() << "nothing was thrown; expected: " << (words.empty() ? "an Error" : words.front());
}

}  // namespace rf
