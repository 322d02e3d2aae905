#include "plain_main.h"

#include <exception>

#include "base/error.h"
#include "base/log.h"

namespace rf {

int plain_main(const std::function<int()>& body) {
  try {
    return body();
  } catch (const Error& error) {
    log_error(error.what());
    return int(error.code());
  } catch (const std::exception& error) {
    log_error(error.what());
    return int(ExitCode::kInternal);
  }
}

}  // namespace rf
