#include "store/h5_handle.h"

#include <hdf5.h>

#include <type_traits>

#include "base/error.h"

namespace rf {

static_assert(std::is_same_v<hid_t, std::int64_t>, "HDF5 before 1.10 has narrower identifiers");

void h5_quiet() {
  static const bool once = [] {
    H5open();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    return true;
  }();
  (void)once;
}

std::string h5_reason() {
  std::string reason;
  const auto first = [](unsigned n, const H5E_error2_t* error, void* text) -> herr_t {
    if (n == 0 && error->desc) *static_cast<std::string*>(text) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, first, &reason);
  H5Eclear2(H5E_DEFAULT);
  return reason.empty() ? "HDF5 gives no reason" : "HDF5: " + reason;
}

void h5_check(std::int64_t status, std::string_view problem) {
  if (status < 0) fail(ExitCode::kBadData, problem, h5_reason());
}

H5Handle::H5Handle(std::int64_t id, Close close, std::string_view problem) : id_(id), close_(close) {
  h5_check(id, problem);
}

}  // namespace rf
