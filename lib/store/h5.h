// HDF5 files as this project uses them: a flat set of attributes on the root, datasets by path, a digest of
// all of it. This folder is the only one that includes hdf5.h.
//
// A file is composed in memory and reaches the disk in one atomic write (H5File::seal), so a full disk cannot
// leave half a file or an HDF5 handle that no longer closes. Files have the earliest format (superblock 0),
// readable by every HDF5 since 1.8, and end with a checksum (sealed_bytes.h). Each C call is checked once; an
// Error names file, object and HDF5's own reason. The library is not told to be thread-safe: all calls come
// from one thread of a process.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "store/h5_handle.h"

namespace rf {

// Element types, little-endian in the file. Texts are fixed-size UTF-8 padded with NUL.
enum class H5Type { kI8, kI16, kI32, kI64, kU8, kU64, kF32, kText };
std::string_view h5_type_name(H5Type type);  // "i8", ..., "f32", "text"

template <class T>
inline constexpr H5Type kH5TypeOf = H5Type::kText;
template <>
inline constexpr H5Type kH5TypeOf<std::int8_t> = H5Type::kI8;
template <>
inline constexpr H5Type kH5TypeOf<std::int16_t> = H5Type::kI16;
template <>
inline constexpr H5Type kH5TypeOf<std::int32_t> = H5Type::kI32;
template <>
inline constexpr H5Type kH5TypeOf<std::int64_t> = H5Type::kI64;
template <>
inline constexpr H5Type kH5TypeOf<std::uint8_t> = H5Type::kU8;
template <>
inline constexpr H5Type kH5TypeOf<std::uint64_t> = H5Type::kU64;
template <>
inline constexpr H5Type kH5TypeOf<float> = H5Type::kF32;

// A truth value is the integer 0 or 1. Texts are variable-length UTF-8, which h5py reads as str.
using H5Attribute = std::variant<std::int64_t, std::uint64_t, double, std::string, std::vector<std::int64_t>>;
using H5Attributes = std::map<std::string, H5Attribute>;
using H5Dims = std::vector<std::int64_t>;  // at least one dimension; zero lengths are allowed

struct H5Storage {
  std::int64_t chunk_rows = 0;  // along the first dimension; 0 makes chunks of about 1 MiB
  int deflate = 0;              // level 1 to 9, after a byte shuffle; 0 stores as is
};

class H5Dataset {
 public:
  H5Type type() const { return type_; }
  const H5Dims& dims() const { return dims_; }
  std::int64_t rows() const { return dims_.front(); }
  std::int64_t row_elements() const;  // product of the other dimensions

  // Rows [first, first + count); `out` has count * row_elements() entries. T must be the type of the file.
  template <class T>
  void read(std::int64_t first, std::int64_t count, std::span<T> out) const {
    read_bytes(kH5TypeOf<T>, first, count, std::as_writable_bytes(out));
  }
  template <class T>
  std::vector<T> read_all() const {
    std::vector<T> values(std::size_t(rows() * row_elements()));
    read(0, rows(), std::span<T>(values));
    return values;
  }
  std::vector<std::string> read_texts() const;
  // SHA-256 of the elements in row-major order, little-endian; each text is followed by one NUL.
  std::string content_sha256() const;

 private:
  friend class H5File;
  H5Dataset(std::string origin, H5Handle handle, std::int64_t file_bytes);
  void read_bytes(H5Type type, std::int64_t first, std::int64_t count, std::span<std::byte> out) const;
  std::string origin_;  // "<file>, dataset <path>"
  H5Handle handle_;
  H5Type type_ = H5Type::kF32;
  H5Dims dims_;
  std::size_t text_bytes_ = 0;  // width of a text
};

struct H5Seal {
  std::string digest;
  std::int64_t bytes = 0;  // of the file
};

class H5File {
 public:
  // Read only, and without a lock on the file unless HDF5_USE_FILE_LOCKING asks for one (HDF5 before 1.10.7:
  // unless it is FALSE). Throws Error(kInputMissing) when there is no such file, kBadData when it is not a
  // whole HDF5 file (a FIFO, a folder, text, empty, cut), kTryAgain when a lock was asked for and another
  // process holds one.
  static H5File open(const std::filesystem::path& path);
  // In memory until seal().
  static H5File create(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }

  // Writing. A group must exist before its datasets; names are not given twice.
  void make_group(const std::string& name);
  void set_attribute(const std::string& name, const H5Attribute& value);
  template <class T>
  void write(const std::string& name, const H5Dims& dims, std::span<const T> values, H5Storage storage) {
    write_bytes(name, kH5TypeOf<T>, dims, std::as_bytes(values), storage);
  }
  void write_texts(const std::string& name, std::span<const std::string> texts, H5Storage storage);
  // Adds the attribute `digest`, writes the part file, fsyncs and renames. On any failure:
  // Error(kCannotWrite), no part file stays, a file that was there before is untouched.
  H5Seal seal();

  // Reading.
  const H5Attributes& attributes() const { return attributes_; }
  bool has(const std::string& name) const;                         // a dataset or group with this path
  std::vector<std::string> names(const std::string& group) const;  // of its members, ascending
  H5Dataset dataset(const std::string& name) const;
  // The attribute's value; Error(kBadData) when it is missing or of another kind.
  std::int64_t integer(const std::string& name) const;
  std::uint64_t natural(const std::string& name) const;
  double real(const std::string& name) const;
  const std::string& text(const std::string& name) const;
  const std::vector<std::int64_t>& integers(const std::string& name) const;

  // Refuses another `filetype`, then another major `schema_version`, by name.
  void expect_kind(std::string_view filetype, int major) const;
  // Recomputes the digest from all attributes and datasets and compares; Error(kBadData) when it differs.
  void verify_digest() const;

 private:
  H5File(std::filesystem::path path, H5Handle handle) : path_(std::move(path)), handle_(std::move(handle)) {}
  void write_bytes(const std::string& name, H5Type type, const H5Dims& dims, std::span<const std::byte> bytes,
                   H5Storage storage, std::size_t text_bytes = 0);
  void note_dataset(const std::string& name, H5Type type, const H5Dims& dims, const std::string& sha256);
  void read_attributes();
  void list_datasets(const std::string& group, std::vector<std::string>& out) const;
  std::string digest() const;  // of attributes_ (without `digest`) and digest_lines_

  std::filesystem::path path_;
  H5Handle handle_;
  std::int64_t bytes_ = 0;  // size on disk of a file opened for reading
  H5Attributes attributes_;
  std::map<std::string, std::string> digest_lines_;  // by dataset
};

}  // namespace rf
