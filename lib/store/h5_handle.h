// Owner of one HDF5 identifier.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace rf {

class H5Handle {
 public:
  using Close = int (*)(std::int64_t);
  // Throws Error(kBadData) with HDF5's reason when `id` is negative, as failed calls return it.
  H5Handle(std::int64_t id, Close close, std::string_view problem);
  H5Handle(H5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  H5Handle& operator=(H5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~H5Handle() {
    if (id_ >= 0) close_(id_);
  }
  std::int64_t id() const { return id_; }

 private:
  std::int64_t id_;
  Close close_;
};

// Switches HDF5's own printing of errors off; called before the first use of the library.
void h5_quiet();
// Innermost entry of HDF5's error stack: "truncated file: eof = ...". Empties the stack.
std::string h5_reason();
// Throws Error(kBadData, problem, h5_reason()) when `status`, the result of a call, is negative.
void h5_check(std::int64_t status, std::string_view problem);

}  // namespace rf
