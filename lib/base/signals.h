// SIGTERM, SIGINT and SIGUSR1 only set a flag; the work looks at it between steps.
#pragma once

namespace rf {

// Installs the handlers, once per process. SIGPIPE and SIGXFSZ are ignored.
void catch_stop_signals();
bool stop_requested();
// The signal's name ("SIGTERM"), or "" when none came.
const char* stop_signal_name();
// For tests and for a stop that reached another rank.
void request_stop();

}  // namespace rf
