#include "base/signals.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>

namespace rf {
namespace {

// The flag is of the process and never falls back, so each case runs in a child; exit code 7 = as expected.
template <class Case>
void expect_in_child(Case holds) {
  EXPECT_EXIT(std::_Exit(holds() ? 7 : 1), ::testing::ExitedWithCode(7), "");
}

TEST(Signals, NothingIsRequestedAtFirst) {
  expect_in_child([] {
    catch_stop_signals();
    return !stop_requested() && stop_signal_name() == std::string();
  });
}

TEST(Signals, EachStopSignalSetsTheFlagAndItsName) {
  for (const auto& [number, name] :
       {std::pair(SIGTERM, "SIGTERM"), std::pair(SIGINT, "SIGINT"), std::pair(SIGUSR1, "SIGUSR1")}) {
    expect_in_child([number = number, name = std::string(name)] {
      catch_stop_signals();
      std::raise(number);
      return stop_requested() && stop_signal_name() == name;
    });
  }
}

TEST(Signals, AStopOfAnotherRankIsNoSignal) {
  expect_in_child([] {
    request_stop();
    return stop_requested() && stop_signal_name() == std::string("a stop from another rank");
  });
  expect_in_child([] {  // the first reason stays
    catch_stop_signals();
    std::raise(SIGTERM);
    request_stop();
    return stop_signal_name() == std::string("SIGTERM");
  });
}

TEST(Signals, BrokenPipesAndFileSizeLimitsDoNotKill) {
  expect_in_child([] {
    catch_stop_signals();
    std::raise(SIGPIPE);
    std::raise(SIGXFSZ);
    return !stop_requested();
  });
}

}  // namespace
}  // namespace rf
