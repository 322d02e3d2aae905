#include "store/h5.h"

#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "base/digest.h"
#include "base/error.h"
#include "base/files.h"
#include "store/h5_native.h"
#include "store/sealed_bytes.h"

namespace rf {
namespace {

constexpr std::int64_t kAutoChunkBytes = 256 << 10;
constexpr std::size_t kMemoryStep = 1 << 20;

[[noreturn]] void cannot_open(const std::filesystem::path& path, ExitCode code, std::string_view why,
                              std::string_view hint = {}) {
  fail(code, "cannot read " + path.string(), why, hint);
}

std::string dims_text(const H5Dims& dims) {
  std::string text;
  for (std::int64_t d : dims) text += (text.empty() ? "" : ",") + std::to_string(d);
  return text;
}

}  // namespace

H5File H5File::open(const std::filesystem::path& path) {
  h5_quiet();
  const std::int64_t bytes = check_sealed(path);
  const H5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "cannot read " + path.string());
#if H5_VERSION_GE(1, 10, 7)
  // What is sealed never changes, and many network file systems refuse locks. The variable still wins.
  h5_check(H5Pset_file_locking(access.id(), false, true), "cannot read " + path.string());
#endif
  const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id());
  if (id < 0) {
    const std::string reason = h5_reason();
    if (reason.find("lock file") != std::string::npos) {
      const bool held = reason.find("errno = " + std::to_string(EWOULDBLOCK)) != std::string::npos;
      cannot_open(path, held ? ExitCode::kTryAgain : ExitCode::kInputMissing,
                  held ? "another process holds a lock on it; " + reason
                       : "the file system refuses the lock; " + reason,
                  "a sealed file needs no lock: set HDF5_USE_FILE_LOCKING=FALSE and start again");
    }
    cannot_open(path, ExitCode::kBadData, reason, "the file is cut or damaged");
  }
  H5File file(path, H5Handle(id, H5Fclose, "cannot open"));
  file.bytes_ = bytes;
  file.read_attributes();
  return file;
}

H5File H5File::create(const std::filesystem::path& path) {
  h5_quiet();
  static std::atomic<int> count{0};
  const std::string problem = "cannot make " + path.string();
  const H5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, problem);
  h5_check(H5Pset_fapl_core(access.id(), kMemoryStep, false), problem);
  h5_check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_EARLIEST, H5F_LIBVER_V18), problem);
  h5_check(H5Pset_fclose_degree(access.id(), H5F_CLOSE_STRONG), problem);
  // The name only tells images in memory apart; nothing on disk may have it.
  const std::string name = "/dev/null/image-" + std::to_string(++count);
  return H5File(
      path, H5Handle(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose, problem));
}

void H5File::make_group(const std::string& name) {
  const H5Handle group(H5Gcreate2(handle_.id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                       H5Gclose, "cannot make group " + name + " of " + path_.string());
}

void H5File::write_bytes(const std::string& name, H5Type type, const H5Dims& dims,
                         std::span<const std::byte> bytes, H5Storage storage, std::size_t text_bytes) {
  const std::string problem = "cannot write dataset " + name + " of " + path_.string();
  std::int64_t row_bytes = std::int64_t(h5_size(type, text_bytes));
  if (dims.empty()) fail(ExitCode::kInternal, problem, "it has no dimension");
  for (std::size_t i = 1; i < dims.size(); ++i) row_bytes *= dims[i];
  if (row_bytes * dims[0] != std::int64_t(bytes.size())) {
    fail(ExitCode::kInternal, problem,
         "its shape is " + dims_text(dims) + ", its size " + std::to_string(bytes.size()) + " bytes");
  }
  std::vector<hsize_t> size(dims.begin(), dims.end());
  std::vector<hsize_t> chunk = size;
  const std::int64_t rows =
      storage.chunk_rows > 0 ? storage.chunk_rows : kAutoChunkBytes / std::max<std::int64_t>(1, row_bytes);
  chunk[0] = hsize_t(std::clamp<std::int64_t>(rows, 1, std::max<std::int64_t>(1, dims[0])));
  for (hsize_t& c : chunk) c = std::max<hsize_t>(1, c);
  // A length of zero can be chunked only when it may grow.
  const std::vector<hsize_t> limit(dims.size(), H5S_UNLIMITED);

  const H5Handle space(H5Screate_simple(int(size.size()), size.data(), limit.data()), H5Sclose, problem);
  const H5Handle create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, problem);
  h5_check(H5Pset_obj_track_times(create.id(), false), problem);  // equal content, equal file
  h5_check(H5Pset_chunk(create.id(), int(chunk.size()), chunk.data()), problem);
  if (storage.deflate > 0) {
    h5_check(H5Pset_shuffle(create.id()), problem);
    h5_check(H5Pset_deflate(create.id(), unsigned(storage.deflate)), problem);
  }
  h5_check(H5Pset_fletcher32(create.id()), problem);
  const H5Handle file_type = h5_datatype(type, text_bytes, true);
  const H5Handle memory_type = h5_datatype(type, text_bytes, false);
  const H5Handle set(H5Dcreate2(handle_.id(), name.c_str(), file_type.id(), space.id(), H5P_DEFAULT,
                                create.id(), H5P_DEFAULT),
                     H5Dclose, problem);
  if (!bytes.empty()) {
    h5_check(H5Dwrite(set.id(), memory_type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), problem);
  }
  if (type != H5Type::kText) {
    Sha256 digest;
    digest.update(bytes.data(), bytes.size());
    note_dataset(name, type, dims, digest.hex());
  }
}

void H5File::write_texts(const std::string& name, std::span<const std::string> texts, H5Storage storage) {
  std::size_t width = 1;
  Sha256 digest;
  for (const std::string& text : texts) {
    if (text.find('\0') != std::string::npos) {
      fail(ExitCode::kInternal, "cannot write dataset " + name + " of " + path_.string(), "a text has a NUL");
    }
    width = std::max(width, text.size());
    digest.update(text.c_str(), text.size() + 1);
  }
  std::string padded(width * texts.size(), '\0');
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i].copy(padded.data() + i * width, width);
  const H5Dims dims{std::int64_t(texts.size())};
  write_bytes(name, H5Type::kText, dims, std::as_bytes(std::span(padded)), storage, width);
  note_dataset(name, H5Type::kText, dims, digest.hex());
}

void H5File::note_dataset(const std::string& name, H5Type type, const H5Dims& dims,
                          const std::string& sha256) {
  digest_lines_[name] =
      "dataset " + name + " " + std::string(h5_type_name(type)) + " " + dims_text(dims) + " " + sha256 + "\n";
}

H5Seal H5File::seal() {
  const std::string digest_now = digest();
  set_attribute("digest", digest_now);
  const std::string problem = "cannot make " + path_.string();
  h5_check(H5Fflush(handle_.id(), H5F_SCOPE_GLOBAL), problem);
  const ssize_t size = H5Fget_file_image(handle_.id(), nullptr, 0);
  h5_check(size, problem);
  std::string image(std::size_t(size), '\0');
  h5_check(H5Fget_file_image(handle_.id(), image.data(), image.size()), problem);
  image += seal_line(image);
  try {
    write_file_atomically(path_, image);
  } catch (...) {
    ::unlink(part_path(path_).c_str());
    throw;
  }
  return {digest_now, std::int64_t(image.size())};
}

bool H5File::has(const std::string& name) const {
  const std::size_t slash = name.find('/');
  if (slash != std::string::npos && !has(name.substr(0, slash))) return false;
  const htri_t found = H5Lexists(handle_.id(), name.c_str(), H5P_DEFAULT);
  h5_check(found, "cannot read " + path_.string());
  return found > 0;
}

std::vector<std::string> H5File::names(const std::string& group) const {
  std::vector<std::string> names;
  const H5Handle object(H5Gopen2(handle_.id(), group.c_str(), H5P_DEFAULT), H5Gclose,
                        path_.string() + " has no group " + group);
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  h5_check(H5Literate(object.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names),
           "cannot list group " + group + " of " + path_.string());
  std::sort(names.begin(), names.end());
  return names;
}

H5Dataset H5File::dataset(const std::string& name) const {
  const std::string origin = path_.string() + ", dataset " + name;
  if (!has(name)) fail(ExitCode::kBadData, path_.string() + " has no dataset " + name);
  return H5Dataset(origin, H5Handle(H5Dopen2(handle_.id(), name.c_str(), H5P_DEFAULT), H5Dclose, origin),
                   bytes_);
}

void H5File::list_datasets(const std::string& group, std::vector<std::string>& out) const {
  for (const std::string& member : names(group)) {
    const std::string name = group == "/" ? member : group + "/" + member;
    const H5Handle object(H5Oopen(handle_.id(), name.c_str(), H5P_DEFAULT), H5Oclose,
                          "cannot open " + name + " of " + path_.string());
    if (H5Iget_type(object.id()) == H5I_DATASET) out.push_back(name);
    // Datasets lie in groups of the root, no deeper.
    if (H5Iget_type(object.id()) == H5I_GROUP && group == "/") list_datasets(name, out);
  }
}

void H5File::verify_digest() const {
  H5File copy(path_, H5Handle(H5Freopen(handle_.id()), H5Fclose, "cannot read " + path_.string()));
  copy.attributes_ = attributes_;
  std::vector<std::string> datasets;
  list_datasets("/", datasets);
  for (const std::string& name : datasets) {
    const H5Dataset set = dataset(name);
    copy.note_dataset(name, set.type(), set.dims(), set.content_sha256());
  }
  if (const std::string now = copy.digest(); now != text("digest")) {
    fail(ExitCode::kBadData, path_.string() + " is damaged",
         "its content has digest " + now.substr(0, 12) + ", its seal says " + text("digest").substr(0, 12));
  }
}

void H5File::expect_kind(std::string_view filetype, int major) const {
  if (!attributes_.contains("filetype")) {
    fail(ExitCode::kBadData, path_.string() + " is not a " + std::string(filetype) + " file",
         "it has no attribute filetype");
  }
  if (text("filetype") != filetype) {
    fail(ExitCode::kBadData, path_.string() + " is not a " + std::string(filetype) + " file",
         "it is a " + text("filetype") + " file");
  }
  const auto& version = integers("schema_version");
  if (version.size() != 2 || version[0] != major) {
    fail(ExitCode::kBadData,
         path_.string() + " has schema version " + (version.empty() ? "none" : std::to_string(version[0])),
         "this program reads version " + std::to_string(major));
  }
}

}  // namespace rf
