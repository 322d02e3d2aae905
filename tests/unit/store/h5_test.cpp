#include "store/h5.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <numeric>

#include "base/files.h"
#include "unit/store/expect_error.h"
#include "unit/store/full_disk.h"
#include "unit/store/temp_folder.h"

namespace rf {
namespace {

using Path = std::filesystem::path;

H5Seal write_sample(const Path& path, H5Storage storage = {}) {
  H5File file = H5File::create(path);
  file.set_attribute("filetype", std::string("sample"));
  file.set_attribute("schema_version", std::vector<std::int64_t>{1, 3});
  file.set_attribute("count", std::int64_t(-7));
  file.set_attribute("seed", ~std::uint64_t(0));
  file.set_attribute("rate", 0.1);
  file.set_attribute("empty", std::string());
  file.set_attribute("name", std::string("Größe 7x9"));
  file.make_group("g");
  std::vector<std::int32_t> squares(3000);
  for (std::size_t i = 0; i < squares.size(); ++i) squares[i] = std::int32_t(i * i);
  file.write<std::int32_t>("g/squares", {1000, 3}, squares, storage);
  file.write<float>("g/nothing", {0, 5}, {}, storage);
  file.write<std::uint8_t>("g/narrow", {4, 0}, {}, storage);
  file.write<std::uint64_t>("g/large", {2}, std::vector<std::uint64_t>{1, ~std::uint64_t(0)}, storage);
  file.write_texts("g/words", std::vector<std::string>{"line", "", "full board"}, storage);
  return file.seal();
}

std::string all_of(const H5File& file) {
  std::string text = file.text("name") + file.text("empty") + std::to_string(file.integer("count")) +
                     std::to_string(file.natural("seed")) + std::to_string(file.real("rate"));
  for (std::int32_t v : file.dataset("g/squares").read_all<std::int32_t>()) text += " " + std::to_string(v);
  for (std::uint64_t v : file.dataset("g/large").read_all<std::uint64_t>()) text += " " + std::to_string(v);
  for (const std::string& word : file.dataset("g/words").read_texts()) text += " '" + word + "'";
  return text;
}

std::size_t open_files() {
  return std::size_t(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

TEST(H5File, GivesBackWhatWasWritten) {
  const TempFolder folder;
  const H5Seal seal = write_sample(folder / "a.h5");
  const H5File file = H5File::open(folder / "a.h5");
  file.verify_digest();
  EXPECT_EQ(file.text("digest"), seal.digest);
  EXPECT_EQ(seal.bytes, std::int64_t(std::filesystem::file_size(folder / "a.h5")));
  EXPECT_EQ(file.text("name"), "Größe 7x9");
  EXPECT_EQ(file.text("empty"), "");
  EXPECT_EQ(file.integer("count"), -7);
  EXPECT_EQ(file.natural("seed"), ~std::uint64_t(0));
  EXPECT_EQ(file.real("rate"), 0.1);
  EXPECT_EQ(file.integers("schema_version"), (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(file.names("g"), (std::vector<std::string>{"large", "narrow", "nothing", "squares", "words"}));
  std::vector<std::int32_t> rows(6);
  file.dataset("g/squares").read(10, 2, std::span<std::int32_t>(rows));
  EXPECT_EQ(rows, (std::vector<std::int32_t>{900, 961, 1024, 1089, 1156, 1225}));
  EXPECT_EQ(file.dataset("g/nothing").dims(), (H5Dims{0, 5}));
  EXPECT_TRUE(file.dataset("g/narrow").read_all<std::uint8_t>().empty());
  EXPECT_EQ(file.dataset("g/large").read_all<std::uint64_t>().back(), ~std::uint64_t(0));
  EXPECT_EQ(file.dataset("g/words").read_texts(), (std::vector<std::string>{"line", "", "full board"}));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.h5"});
}

TEST(H5File, HasTheEarliestSuperblock) {
  const TempFolder folder;
  write_sample(folder / "a.h5", {10, 4});
  EXPECT_EQ(read_file(folder / "a.h5").substr(0, 9), std::string("\x89HDF\r\n\x1a\n\0", 9));
}

TEST(H5File, DigestIsOfTheContentNotOfItsStorage) {
  const TempFolder folder;
  const std::string digest = write_sample(folder / "a.h5").digest;
  EXPECT_EQ(write_sample(folder / "b.h5", {7, 9}).digest, digest);
  H5File::open(folder / "b.h5").verify_digest();
  write_sample(folder / "c.h5");
  EXPECT_EQ(read_file(folder / "a.h5"), read_file(folder / "c.h5")) << "equal content, equal file";
}

TEST(H5File, DigestCoversEachAttributeAndDataset) {
  const TempFolder folder;
  const auto digest = [&](double rate, std::int32_t value, H5Dims dims, const std::string& set) {
    H5File file = H5File::create(folder / "x.h5");
    file.set_attribute("rate", rate);
    file.write<std::int32_t>(set, dims, std::vector<std::int32_t>{1, value}, {});
    return file.seal().digest;
  };
  const std::string first = digest(0.5, 2, {2}, "v");
  EXPECT_EQ(digest(0.5, 2, {2}, "v"), first);
  EXPECT_NE(digest(0.25, 2, {2}, "v"), first);
  EXPECT_NE(digest(0.5, 3, {2}, "v"), first);
  EXPECT_NE(digest(0.5, 2, {1, 2}, "v"), first);
  EXPECT_NE(digest(0.5, 2, {2}, "w"), first);
}

TEST(H5File, RefusesWhatIsNoFileOfOursAndNeverHangs) {
  const TempFolder folder;
  const auto refused = [](const Path& path, ExitCode code, const std::string& why) {
    expect_error(code, {path.string(), why}, [&] { H5File::open(path); });
  };
  refused(folder / "none.h5", ExitCode::kInputMissing, "No such file");
  std::filesystem::create_directory(folder / "folder.h5");
  refused(folder / "folder.h5", ExitCode::kBadData, "folder");
  ASSERT_EQ(::mkfifo((folder / "fifo.h5").c_str(), 0600), 0);
  refused(folder / "fifo.h5", ExitCode::kBadData, "not a regular file");
  refused("/dev/null", ExitCode::kBadData, "not a regular file");
  std::ofstream(folder / "text.h5") << "a text file of more than eight bytes\n";
  refused(folder / "text.h5", ExitCode::kBadData, "not an HDF5 file");
  std::ofstream(folder / "empty.h5").close();
  refused(folder / "empty.h5", ExitCode::kBadData, "empty");
}

TEST(H5File, RefusesEveryCut) {
  const TempFolder folder;
  write_sample(folder / "a.h5");
  const std::string whole = read_file(folder / "a.h5");
  const Path cut = folder / "cut.h5";
  for (std::size_t size = 1; size < whole.size(); size += size + 100 < whole.size() ? 97 : 1) {
    std::filesystem::remove(cut);
    std::ofstream(cut, std::ios::binary) << whole.substr(0, size);
    expect_error(ExitCode::kBadData, {cut.string()}, [&] { H5File::open(cut); });
  }
}

TEST(H5File, NoFlippedByteGivesOtherContent) {
  const TempFolder folder;
  write_sample(folder / "a.h5", {100, 1});
  const std::string whole = read_file(folder / "a.h5");
  const std::string content = all_of(H5File::open(folder / "a.h5"));
  const Path hurt = folder / "hurt.h5";
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); at += 5) {
    std::string bytes = whole;
    bytes[at] = char(bytes[at] ^ (1 << (at % 8)));
    std::filesystem::remove(hurt);  // writing over it would wait for the disk
    std::ofstream(hurt, std::ios::binary) << bytes;
    try {
      const H5File file = H5File::open(hurt);
      file.verify_digest();
      EXPECT_EQ(all_of(file), content) << "byte " << at;
    } catch (const Error& error) {
      EXPECT_EQ(int(error.code()), int(ExitCode::kBadData)) << error.what();
      EXPECT_NE(std::string(error.what()).find(hurt.string()), std::string::npos) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

TEST(H5File, NeedsNoLock) {
  const TempFolder folder;
  const Path path = folder / "a.h5";
  write_sample(path);
  ::unsetenv("HDF5_USE_FILE_LOCKING");
  const int fd = ::open(path.c_str(), O_RDONLY);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  EXPECT_NO_THROW(H5File::open(path).verify_digest());
  ::close(fd);
}

// HDF5 reads the variable when it starts, so another process of this program does the reading.
TEST(H5File, TheVariableDecidesAboutLocks) {
  if (const char* locked = ::getenv("RF_TEST_LOCKED_FILE")) {
    if (std::string(::getenv("HDF5_USE_FILE_LOCKING")) == "TRUE") {
      expect_error(ExitCode::kTryAgain,
                   {locked, "another process holds a lock", "HDF5_USE_FILE_LOCKING=FALSE"},
                   [&] { H5File::open(locked); });
    } else {
      H5File::open(locked).verify_digest();
    }
    return;
  }
  const TempFolder folder;
  const Path path = folder / "a.h5";
  write_sample(path);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  const std::string again = "RF_TEST_LOCKED_FILE='" + path.string() + "' '" +
                            std::filesystem::read_symlink("/proc/self/exe").string() +
                            "' --gtest_filter=H5File.TheVariableDecidesAboutLocks > /dev/null";
  EXPECT_EQ(std::system(("HDF5_USE_FILE_LOCKING=FALSE " + again).c_str()), 0);
  EXPECT_EQ(std::system(("HDF5_USE_FILE_LOCKING=TRUE " + again).c_str()), 0);
  ::close(fd);
}

TEST(H5File, KeepsNoFileOpen) {
  const TempFolder folder;
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  const rlimit low{64, before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &low);
  std::ofstream(folder / "text.h5") << "no HDF5 at all";
  write_sample(folder / "cut.h5");
  std::filesystem::resize_file(folder / "cut.h5", 1000);
  const std::size_t at_first = open_files();
  for (int i = 0; i < 500; ++i) {
    write_sample(folder / "a.h5");  // over the file that was just read
    H5File file = H5File::open(folder / "a.h5");
    const H5Dataset longer_lived = file.dataset("g/squares");
    const H5File other = std::move(file);
    EXPECT_EQ(other.dataset("g/squares").rows(), 1000);
    for (const char* bad : {"text.h5", "cut.h5", "none.h5"}) EXPECT_THROW(H5File::open(folder / bad), Error);
    EXPECT_THROW(other.dataset("g/none"), Error);
  }
  EXPECT_EQ(open_files(), at_first);
  ::setrlimit(RLIMIT_NOFILE, &before);
}

TEST(H5File, FullDiskLeavesTheOldFileAndNothingElse) {
  const TempFolder folder;
  const Path path = folder / "a.h5";
  write_sample(path);
  const std::string old = read_file(path);
  for (const rlim_t bytes : {0, 100, 5000}) {
    const FullDisk full(bytes);
    expect_error(ExitCode::kCannotWrite, {path.string()}, [&] { write_sample(path, {10, 0}); });
    expect_error(ExitCode::kCannotWrite, {"new.h5"}, [&] { write_sample(folder / "new.h5"); });
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.h5"});
  EXPECT_EQ(read_file(path), old);
  expect_error(ExitCode::kCannotWrite, {"nowhere"}, [&] { write_sample(folder / "nowhere/a.h5"); });
}

TEST(H5File, RefusesAnotherKindAndVersionByName) {
  const TempFolder folder;
  write_sample(folder / "a.h5");
  const H5File file = H5File::open(folder / "a.h5");
  EXPECT_NO_THROW(file.expect_kind("sample", 1));
  expect_error(ExitCode::kBadData, {"a.h5", "is not a other file", "sample"},
               [&] { file.expect_kind("other", 1); });
  expect_error(ExitCode::kBadData, {"a.h5", "schema version 1", "reads version 2"},
               [&] { file.expect_kind("sample", 2); });
  expect_error(ExitCode::kBadData, {"a.h5", "no attribute height"}, [&] { file.integer("height"); });
  expect_error(ExitCode::kBadData, {"a.h5", "name", "not an integer"}, [&] { file.integer("name"); });
  expect_error(ExitCode::kBadData, {"g/squares", "i32", "f32"},
               [&] { file.dataset("g/squares").read_all<float>(); });
}

TEST(H5Dataset, ReadsAcrossChunksThatAreLargerThanTheCache) {
  const TempFolder folder;
  std::vector<std::int64_t> numbers(400000);
  std::iota(numbers.begin(), numbers.end(), 0);
  {
    H5File file = H5File::create(folder / "a.h5");
    file.write<std::int64_t>("n", {std::int64_t(numbers.size())}, numbers, {150000, 4});
    file.seal();
  }
  const H5File file = H5File::open(folder / "a.h5");
  const H5Dataset set = file.dataset("n");
  for (std::int64_t first = 0; first + 1000 <= set.rows(); first += 1000) {
    std::vector<std::int64_t> some(1000);
    set.read(first, 1000, std::span<std::int64_t>(some));
    ASSERT_EQ(some.front(), first);
    ASSERT_EQ(some.back(), first + 999);
  }
  std::vector<std::int64_t> beyond(2);
  EXPECT_THROW(set.read(set.rows() - 1, 2, std::span<std::int64_t>(beyond)), Error);
}

}  // namespace
}  // namespace rf
