#include "base/signals.h"

#include <csignal>
#include <initializer_list>

namespace rf {
namespace {
volatile std::sig_atomic_t g_stop = 0;  // 0, or the signal's number, or -1
void on_signal(int number) {
  g_stop = number;
}
}  // namespace

void catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (int number : {SIGTERM, SIGINT, SIGUSR1}) sigaction(number, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit then is a failed write, with a message
}

bool stop_requested() {
  return g_stop != 0;
}

const char* stop_signal_name() {
  switch (g_stop) {
    case SIGTERM:
      return "SIGTERM";
    case SIGINT:
      return "SIGINT";
    case SIGUSR1:
      return "SIGUSR1";
    case 0:
      return "";
    default:
      return "a stop from another rank";
  }
}

void request_stop() {
  if (g_stop == 0) g_stop = -1;
}

}  // namespace rf
