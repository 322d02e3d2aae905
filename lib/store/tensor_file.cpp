#include "store/tensor_file.h"

#include "base/error.h"
#include "store/h5.h"

namespace rf {
namespace {

const std::string kGroup = "tensors";

bool is_reserved(const std::string& name) {
  return name == "filetype" || name == "schema_version" || name == "digest";
}

template <class T>
const T& attribute_of(const TensorFile& file, const std::string& name, std::string_view type) {
  const auto found = file.attributes.find(name);
  if (found == file.attributes.end()) fail(ExitCode::kBadData, file.origin + " has no attribute " + name);
  const T* value = std::get_if<T>(&found->second);
  if (!value) fail(ExitCode::kBadData, file.origin + ": attribute " + name + " is not " + std::string(type));
  return *value;
}

}  // namespace

std::int64_t TensorFile::integer(const std::string& name) const {
  return attribute_of<std::int64_t>(*this, name, "an integer");
}
double TensorFile::real(const std::string& name) const {
  return attribute_of<double>(*this, name, "a float");
}
const std::string& TensorFile::text(const std::string& name) const {
  return attribute_of<std::string>(*this, name, "a text");
}
const Tensor& TensorFile::tensor(const std::string& name) const {
  const auto found = tensors.find(name);
  if (found == tensors.end()) fail(ExitCode::kBadData, origin + " has no tensor " + name);
  return found->second;
}

std::string write_tensor_file(const std::filesystem::path& path, const TensorFile& file) {
  H5File out = H5File::create(path);
  out.set_attribute("filetype", file.kind);
  out.set_attribute("schema_version", std::vector<std::int64_t>{kTensorFileMajor, kTensorFileMinor});
  for (const auto& [name, value] : file.attributes) {
    if (name.empty() || is_reserved(name)) {
      fail(ExitCode::kInternal, "cannot write " + path.string(), "attribute name '" + name + "' is not free");
    }
    std::visit([&](const auto& v) { out.set_attribute(name, v); }, value);
  }
  out.make_group(kGroup);
  for (const auto& [name, tensor] : file.tensors) {
    if (name.empty() || name == "." || name.find('/') != std::string::npos) {
      fail(ExitCode::kInternal, "cannot write " + path.string(), "a tensor cannot be called '" + name + "'");
    }
    out.write<float>(kGroup + "/" + name, tensor.shape, tensor.values, {});
  }
  return out.seal().digest;
}

TensorFile read_tensor_file(const std::filesystem::path& path, std::string_view expected_kind) {
  const H5File in = H5File::open(path);
  in.expect_kind(expected_kind, kTensorFileMajor);
  in.verify_digest();
  TensorFile file;
  file.kind = expected_kind;
  file.origin = path.string();
  file.digest = in.text("digest");
  for (const auto& [name, value] : in.attributes()) {
    if (is_reserved(name)) continue;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      file.attributes[name] = *integer;
    } else if (const auto* real = std::get_if<double>(&value)) {
      file.attributes[name] = *real;
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      file.attributes[name] = *text;
    } else {
      fail(ExitCode::kBadData, path.string() + ": attribute " + name + " is none of integer, float, text");
    }
  }
  for (const std::string& name : in.names(kGroup)) {
    const H5Dataset set = in.dataset(kGroup + "/" + name);
    file.tensors[name] = {set.dims(), set.read_all<float>()};
  }
  return file;
}

}  // namespace rf
