#include "store/h5.h"

#include <hdf5.h>

#include <algorithm>

#include "base/digest.h"
#include "base/error.h"
#include "store/h5_native.h"

namespace rf {
namespace {

// Deflate makes at most 1 from 1032.
constexpr double kMostPerByte = 1100;
constexpr std::size_t kLongestText = 4096;
constexpr std::int64_t kDigestBlockBytes = 1 << 20;

constexpr std::array<std::string_view, 8> kTypeNames = {"i8", "i16", "i32", "i64",
                                                        "u8", "u64", "f32", "text"};

H5Type type_in_file(hid_t type, const std::string& origin) {
  for (int i = 0; i < int(H5Type::kText); ++i) {
    const H5Handle known = h5_datatype(H5Type(i), 0, true);
    if (H5Tequal(type, known.id()) > 0) return H5Type(i);
  }
  if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
      H5Tget_size(type) <= kLongestText) {
    return H5Type::kText;
  }
  fail(ExitCode::kBadData, origin + " has an element type that no file of this kind has");
}

// The default chunk cache of 1 MiB would unpack a larger chunk again for every read.
H5Handle with_cache(H5Handle set, const std::string& origin) {
  const H5Handle create(H5Dget_create_plist(set.id()), H5Pclose, origin);
  if (H5Pget_layout(create.id()) != H5D_CHUNKED) return set;
  hsize_t chunk[H5S_MAX_RANK];
  const int rank = H5Pget_chunk(create.id(), H5S_MAX_RANK, chunk);
  h5_check(rank, origin);
  const H5Handle type(H5Dget_type(set.id()), H5Tclose, origin);
  double bytes = double(H5Tget_size(type.id()));
  for (int i = 0; i < rank; ++i) bytes *= double(chunk[i]);
  if (bytes <= double(1 << 19) || bytes > double(1u << 31)) return set;
  const H5Handle access(H5Dget_access_plist(set.id()), H5Pclose, origin);
  h5_check(H5Pset_chunk_cache(access.id(), H5D_CHUNK_CACHE_NSLOTS_DEFAULT, std::size_t(2 * bytes),
                              H5D_CHUNK_CACHE_W0_DEFAULT),
           origin);
  const H5Handle parent(H5Iget_file_id(set.id()), H5Fclose, origin);
  const ssize_t length = H5Iget_name(set.id(), nullptr, 0);
  h5_check(length, origin);
  std::string name(std::size_t(length), '\0');
  h5_check(H5Iget_name(set.id(), name.data(), std::size_t(length) + 1), origin);
  set = H5Handle(H5Dopen2(parent.id(), name.c_str(), access.id()), H5Dclose, origin);
  return set;
}

}  // namespace

std::string_view h5_type_name(H5Type type) {
  return kTypeNames[std::size_t(type)];
}

H5Dataset::H5Dataset(std::string origin, H5Handle handle, std::int64_t file_bytes)
    : origin_(std::move(origin)), handle_(with_cache(std::move(handle), origin_)) {
  const H5Handle space(H5Dget_space(handle_.id()), H5Sclose, origin_);
  hsize_t dims[H5S_MAX_RANK];
  const int rank = H5Sget_simple_extent_dims(space.id(), dims, nullptr);
  h5_check(rank, origin_);
  if (rank == 0) fail(ExitCode::kBadData, origin_ + " has no dimension");
  const H5Handle type(H5Dget_type(handle_.id()), H5Tclose, origin_);
  type_ = type_in_file(type.id(), origin_);
  if (type_ == H5Type::kText) text_bytes_ = H5Tget_size(type.id());
  double bytes = double(h5_size(type_, text_bytes_));
  for (int i = 0; i < rank; ++i) {
    dims_.push_back(std::int64_t(dims[i]));
    bytes *= double(dims[i]);
  }
  if (bytes > kMostPerByte * double(file_bytes)) {
    fail(ExitCode::kBadData, origin_ + " is damaged", "it claims to be larger than the file can hold");
  }
}

std::int64_t H5Dataset::row_elements() const {
  std::int64_t n = 1;
  for (std::size_t i = 1; i < dims_.size(); ++i) n *= dims_[i];
  return n;
}

void H5Dataset::read_bytes(H5Type type, std::int64_t first, std::int64_t count,
                           std::span<std::byte> out) const {
  if (type != type_) {
    fail(ExitCode::kBadData, origin_ + " has elements of type " + std::string(h5_type_name(type_)),
         "expected: " + std::string(h5_type_name(type)));
  }
  if (first < 0 || count < 0 || first + count > rows()) {
    fail(ExitCode::kBadData, origin_ + " has " + std::to_string(rows()) + " rows",
         "asked for " + std::to_string(count) + " from " + std::to_string(first));
  }
  const std::size_t bytes = std::size_t(count * row_elements()) * h5_size(type_, text_bytes_);
  if (out.size() != bytes) fail(ExitCode::kInternal, origin_ + ": the buffer to read into has another size");
  if (bytes == 0) return;
  std::vector<hsize_t> start(dims_.size(), 0), size(dims_.begin(), dims_.end());
  start[0] = hsize_t(first);
  size[0] = hsize_t(count);
  const H5Handle space(H5Dget_space(handle_.id()), H5Sclose, origin_);
  h5_check(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr),
           origin_);
  const H5Handle memory(H5Screate_simple(int(size.size()), size.data(), nullptr), H5Sclose, origin_);
  const H5Handle memory_type = h5_datatype(type_, text_bytes_, false);
  h5_check(H5Dread(handle_.id(), memory_type.id(), memory.id(), space.id(), H5P_DEFAULT, out.data()),
           origin_ + " is damaged");
}

std::vector<std::string> H5Dataset::read_texts() const {
  std::string padded(text_bytes_ * std::size_t(rows() * row_elements()), '\0');
  read_bytes(H5Type::kText, 0, rows(), std::as_writable_bytes(std::span(padded)));
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < padded.size(); at += text_bytes_) {
    const std::string text = padded.substr(at, text_bytes_);
    texts.push_back(text.substr(0, text.find('\0')));
  }
  return texts;
}

std::string H5Dataset::content_sha256() const {
  Sha256 digest;
  if (type_ == H5Type::kText) {
    for (const std::string& text : read_texts()) digest.update(text.c_str(), text.size() + 1);
    return digest.hex();
  }
  const std::int64_t row_bytes = row_elements() * std::int64_t(h5_size(type_, 0));
  const std::int64_t block =
      std::max<std::int64_t>(1, kDigestBlockBytes / std::max<std::int64_t>(1, row_bytes));
  std::vector<std::byte> bytes;
  for (std::int64_t first = 0; first < rows(); first += block) {
    const std::int64_t count = std::min(block, rows() - first);
    bytes.resize(std::size_t(count * row_bytes));
    read_bytes(type_, first, count, bytes);
    digest.update(bytes.data(), bytes.size());
  }
  return digest.hex();
}

}  // namespace rf
