#include "store/tensor_file.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/files.h"
#include "store/h5.h"
#include "store/sealed_bytes.h"
#include "unit/store/expect_error.h"
#include "unit/store/full_disk.h"
#include "unit/store/temp_folder.h"

namespace rf {
namespace {

TensorFile sample() {
  TensorFile file;
  file.kind = kTrainingFiletype;
  file.tensors["weight"] = {{2, 3}, {1, -2, 3.5f, 0, 1e-30f, -0.f}};
  file.tensors["adam.m.weight"] = {{6}, {0, 0, 0, 0, 0, NAN}};
  file.tensors["none"] = {{0, 4}, {}};
  file.attributes["step"] = std::int64_t(1) << 40;
  file.attributes["learning_rate"] = 1e-3;
  file.attributes["schedule"] = std::string("kl_adaptive");
  return file;
}

TEST(TensorFile, GivesBackWhatWasWritten) {
  const TempFolder folder;
  const TensorFile written = sample();
  const std::string digest = write_tensor_file(folder / "t.h5", written);
  const TensorFile read = read_tensor_file(folder / "t.h5", kTrainingFiletype);
  EXPECT_EQ(read.digest, digest);
  EXPECT_EQ(digest.size(), 64u);
  EXPECT_EQ(read.attributes, written.attributes);
  ASSERT_EQ(read.tensors.size(), 3u);
  EXPECT_EQ(read.tensor("weight"), written.tensor("weight"));
  EXPECT_EQ(read.tensor("none"), written.tensor("none"));
  EXPECT_TRUE(std::isnan(read.tensor("adam.m.weight").values[5]));
  EXPECT_EQ(read.integer("step"), std::int64_t(1) << 40);
  EXPECT_EQ(read.real("learning_rate"), 1e-3);
  EXPECT_EQ(read.text("schedule"), "kl_adaptive");
  expect_error(ExitCode::kBadData, {"t.h5", "momentum"}, [&] { read.real("momentum"); });
  expect_error(ExitCode::kBadData, {"t.h5", "step", "not a float"}, [&] { read.real("step"); });
  expect_error(ExitCode::kBadData, {"t.h5", "no tensor bias"}, [&] { read.tensor("bias"); });
}

TEST(TensorFile, DigestTellsContentsApart) {
  const TempFolder folder;
  const std::string digest = write_tensor_file(folder / "a.h5", sample());
  EXPECT_EQ(write_tensor_file(folder / "b.h5", sample()), digest);
  TensorFile other = sample();
  other.tensors["weight"].shape = {3, 2};
  EXPECT_NE(write_tensor_file(folder / "b.h5", other), digest);
  other = sample();
  other.attributes["step"] = std::int64_t(7);
  EXPECT_NE(write_tensor_file(folder / "b.h5", other), digest);
}

TEST(TensorFile, RefusesAnotherKindVersionAndDamage) {
  const TempFolder folder;
  write_tensor_file(folder / "t.h5", sample());
  expect_error(ExitCode::kBadData, {"t.h5", "rankfile-network", "rankfile-training"},
               [&] { read_tensor_file(folder / "t.h5", kNetworkFiletype); });
  std::string bytes = read_file(folder / "t.h5");
  const std::size_t at = bytes.find("kl_adaptive");
  ASSERT_NE(at, std::string::npos);
  bytes[at] = 'K';
  write_file_atomically(folder / "hurt.h5", bytes);
  expect_error(ExitCode::kBadData, {"hurt.h5", "damaged", "seal"},
               [&] { read_tensor_file(folder / "hurt.h5", kTrainingFiletype); });
  bytes.resize(bytes.rfind("rankfile-seal:"));
  bytes += seal_line(bytes);  // somebody sealed it again, but the content is not what was written
  write_file_atomically(folder / "hurt.h5", bytes);
  expect_error(ExitCode::kBadData, {"hurt.h5", "damaged", "digest"},
               [&] { read_tensor_file(folder / "hurt.h5", kTrainingFiletype); });
  H5File later = H5File::create(folder / "later.h5");
  later.set_attribute("filetype", std::string(kTrainingFiletype));
  later.set_attribute("schema_version", std::vector<std::int64_t>{2, 0});
  later.seal();
  expect_error(ExitCode::kBadData, {"later.h5", "version 2", "version 1"},
               [&] { read_tensor_file(folder / "later.h5", kTrainingFiletype); });
}

TEST(TensorFile, RefusesNamesAndShapesThatCannotBeStored) {
  const TempFolder folder;
  const auto refused = [&](const std::string& word, auto change) {
    TensorFile file = sample();
    change(file);
    expect_error(ExitCode::kInternal, {word}, [&] { write_tensor_file(folder / "t.h5", file); });
  };
  refused("a/b", [](TensorFile& f) { f.tensors["a/b"] = {{1}, {1}}; });
  refused("digest", [](TensorFile& f) { f.attributes["digest"] = 1.0; });
  refused("shape", [](TensorFile& f) { f.tensors["x"] = {{2}, {1}}; });
  refused("no dimension", [](TensorFile& f) { f.tensors["x"] = {{}, {1}}; });
  EXPECT_TRUE(folder.names().empty());
}

TEST(TensorFile, FullDiskLeavesTheOldFile) {
  const TempFolder folder;
  const std::string digest = write_tensor_file(folder / "t.h5", sample());
  TensorFile other = sample();
  other.tensors["large"] = {{100000}, std::vector<float>(100000, 1.f)};
  {
    const FullDisk full(50000);
    expect_error(ExitCode::kCannotWrite, {"t.h5"}, [&] { write_tensor_file(folder / "t.h5", other); });
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"t.h5"});
  EXPECT_EQ(read_tensor_file(folder / "t.h5", kTrainingFiletype).digest, digest);
}

}  // namespace
}  // namespace rf
