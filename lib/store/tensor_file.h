// A file of named f32 tensors and a flat set of attributes, with a digest over all of it. The network file is
// one kind, a training checkpoint another.
//
// On the root: `filetype` (the kind), `schema_version` [major, minor], `digest`, and the attributes given.
// Tensors are the datasets of group `tensors`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rf {

inline constexpr std::string_view kNetworkFiletype = "rankfile-network";
inline constexpr std::string_view kTrainingFiletype = "rankfile-training";
inline constexpr std::string_view kShardFiletype = "rankfile-shard";

inline constexpr int kTensorFileMajor = 1;
inline constexpr int kTensorFileMinor = 0;

struct Tensor {
  std::vector<std::int64_t> shape;  // one dimension or more; a length may be 0
  std::vector<float> values;        // row-major
  bool operator==(const Tensor&) const = default;
};

using TensorAttribute = std::variant<std::int64_t, double, std::string>;

struct TensorFile {
  std::string kind;                       // one of the filetypes above
  std::map<std::string, Tensor> tensors;  // names have no '/'
  std::map<std::string, TensorAttribute> attributes;
  // Of a file that was read: its path and its digest. Not written.
  std::string origin, digest;

  // The attribute's value; Error(kBadData) that names the file when it is missing or of another type.
  std::int64_t integer(const std::string& name) const;
  double real(const std::string& name) const;
  const std::string& text(const std::string& name) const;
  const Tensor& tensor(const std::string& name) const;
};

// Writes beside `path` and renames; returns the digest. Throws Error(kCannotWrite); the old file is then
// untouched.
std::string write_tensor_file(const std::filesystem::path& path, const TensorFile& file);

// Refuses by name: no such file (kInputMissing), another kind, another major version, a cut or damaged file
// (kBadData).
TensorFile read_tensor_file(const std::filesystem::path& path, std::string_view expected_kind);

}  // namespace rf
