#include "store/sealed_copy.h"

#include <unistd.h>

#include "base/error.h"
#include "base/files.h"
#include "store/sealed_bytes.h"

namespace rf {

void copy_sealed(const std::filesystem::path& from, const std::filesystem::path& to) {
  const std::filesystem::path part = part_path(to);
  try {
    std::error_code reason;
    std::filesystem::copy_file(from, part, std::filesystem::copy_options::overwrite_existing, reason);
    if (reason)
      fail(ExitCode::kCannotWrite, "cannot copy " + from.string() + " to " + to.string(), reason.message());
    check_sealed(part);
    seal_file(part, to);
  } catch (...) {
    ::unlink(part.c_str());
    throw;
  }
}

}  // namespace rf
