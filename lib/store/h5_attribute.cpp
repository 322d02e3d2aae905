// Attributes of the root, and the digest that covers them.
#include "store/h5.h"

#include <hdf5.h>

#include <bit>

#include "base/digest.h"
#include "base/error.h"

namespace rf {
namespace {

constexpr std::size_t kMostIntegers = 4096;

H5Handle text_type(const std::string& problem) {
  H5Handle type(H5Tcopy(H5T_C_S1), H5Tclose, problem);
  h5_check(H5Tset_size(type.id(), H5T_VARIABLE), problem);
  h5_check(H5Tset_cset(type.id(), H5T_CSET_UTF8), problem);
  return type;
}

void write_attribute(hid_t file, const std::string& name, hid_t file_type, hid_t memory_type,
                     const H5Handle& space, const void* value, const std::string& problem) {
  const H5Handle attribute(H5Acreate2(file, name.c_str(), file_type, space.id(), H5P_DEFAULT, H5P_DEFAULT),
                           H5Aclose, problem);
  h5_check(H5Awrite(attribute.id(), memory_type, value), problem);
}

std::string read_text(hid_t attribute, hid_t type, const std::string& problem) {
  if (H5Tis_variable_str(type) > 0) {
    char* text = nullptr;
    h5_check(H5Aread(attribute, type, &text), problem);
    const std::string value = text ? text : "";
    H5free_memory(text);
    return value;
  }
  std::string value(H5Tget_size(type), '\0');
  h5_check(H5Aread(attribute, type, value.data()), problem);
  return value.substr(0, value.find('\0'));
}

H5Attribute read_value(hid_t attribute, const std::string& problem) {
  const H5Handle type(H5Aget_type(attribute), H5Tclose, problem);
  const H5Handle space(H5Aget_space(attribute), H5Sclose, problem);
  const hssize_t count = H5Sget_simple_extent_npoints(space.id());
  const bool scalar = H5Sget_simple_extent_type(space.id()) == H5S_SCALAR;
  switch (H5Tget_class(type.id())) {
    case H5T_STRING:
      if (scalar) return read_text(attribute, type.id(), problem);
      break;
    case H5T_FLOAT:
      if (scalar) {
        double value = 0;
        h5_check(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value), problem);
        return value;
      }
      break;
    case H5T_INTEGER:
      if (scalar && H5Tget_sign(type.id()) == H5T_SGN_NONE) {
        std::uint64_t value = 0;
        h5_check(H5Aread(attribute, H5T_NATIVE_UINT64, &value), problem);
        return value;
      }
      if (scalar) {
        std::int64_t value = 0;
        h5_check(H5Aread(attribute, H5T_NATIVE_INT64, &value), problem);
        return value;
      }
      if (count >= 0 && std::size_t(count) <= kMostIntegers) {
        std::vector<std::int64_t> values(std::size_t(count), 0);
        if (count > 0) h5_check(H5Aread(attribute, H5T_NATIVE_INT64, values.data()), problem);
        return values;
      }
      break;
    default:
      break;
  }
  fail(ExitCode::kBadData, problem, "its type is none of integer, float, text, list of integers");
}

template <class T>
const T& value_of(const H5Attributes& attributes, const std::filesystem::path& path, const std::string& name,
                  std::string_view kind) {
  const auto found = attributes.find(name);
  if (found == attributes.end()) fail(ExitCode::kBadData, path.string() + " has no attribute " + name);
  const T* value = std::get_if<T>(&found->second);
  if (!value)
    fail(ExitCode::kBadData, path.string() + ": attribute " + name + " is not " + std::string(kind));
  return *value;
}

struct Line {  // "int 7", ...: the attribute in the digest
  std::string operator()(std::int64_t v) const { return "int " + std::to_string(v); }
  std::string operator()(std::uint64_t v) const { return "int " + std::to_string(v); }
  std::string operator()(double v) const { return "float " + hex64(std::bit_cast<std::uint64_t>(v)); }
  std::string operator()(const std::string& v) const { return "text " + std::to_string(v.size()) + " " + v; }
  std::string operator()(const std::vector<std::int64_t>& v) const {
    std::string line = "ints";
    for (std::int64_t x : v) line += " " + std::to_string(x);
    return line;
  }
};

}  // namespace

void H5File::set_attribute(const std::string& name, const H5Attribute& value) {
  const std::string problem = "cannot write attribute " + name + " of " + path_.string();
  const H5Handle scalar(H5Screate(H5S_SCALAR), H5Sclose, problem);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    write_attribute(handle_.id(), name, H5T_STD_I64LE, H5T_NATIVE_INT64, scalar, integer, problem);
  } else if (const auto* natural = std::get_if<std::uint64_t>(&value)) {
    write_attribute(handle_.id(), name, H5T_STD_U64LE, H5T_NATIVE_UINT64, scalar, natural, problem);
  } else if (const auto* real = std::get_if<double>(&value)) {
    write_attribute(handle_.id(), name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, scalar, real, problem);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    if (text->find('\0') != std::string::npos) fail(ExitCode::kInternal, problem, "the text has a NUL");
    const H5Handle type = text_type(problem);
    const char* const first = text->c_str();
    write_attribute(handle_.id(), name, type.id(), type.id(), scalar, &first, problem);
  } else {
    const auto& integers = std::get<std::vector<std::int64_t>>(value);
    const hsize_t size = integers.size();
    const H5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, problem);
    write_attribute(handle_.id(), name, H5T_STD_I64LE, H5T_NATIVE_INT64, space, integers.data(), problem);
  }
  attributes_[name] = value;
}

void H5File::read_attributes() {
  const std::string problem = "cannot read the attributes of " + path_.string();
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5A_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  h5_check(H5Aiterate2(handle_.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names), problem);
  for (const std::string& name : names) {
    const std::string which = "cannot read attribute " + name + " of " + path_.string();
    const H5Handle attribute(H5Aopen(handle_.id(), name.c_str(), H5P_DEFAULT), H5Aclose, which);
    attributes_[name] = read_value(attribute.id(), which);
  }
}

std::int64_t H5File::integer(const std::string& name) const {
  return value_of<std::int64_t>(attributes_, path_, name, "an integer");
}
std::uint64_t H5File::natural(const std::string& name) const {
  return value_of<std::uint64_t>(attributes_, path_, name, "an unsigned integer");
}
double H5File::real(const std::string& name) const {
  return value_of<double>(attributes_, path_, name, "a float");
}
const std::string& H5File::text(const std::string& name) const {
  return value_of<std::string>(attributes_, path_, name, "a text");
}
const std::vector<std::int64_t>& H5File::integers(const std::string& name) const {
  return value_of<std::vector<std::int64_t>>(attributes_, path_, name, "a list of integers");
}

std::string H5File::digest() const {
  Sha256 sum;
  for (const auto& [name, value] : attributes_) {
    if (name == "digest") continue;
    sum.update("attribute " + name + " " + std::visit(Line{}, value) + "\n");
  }
  for (const auto& [name, line] : digest_lines_) sum.update(line);
  return sum.hex();
}

}  // namespace rf
