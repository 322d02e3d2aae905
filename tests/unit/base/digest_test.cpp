#include "base/digest.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <vector>

#include "base/error.h"
#include "base/random_stream.h"
#include "scratch_folder.h"

namespace rf::testing {
namespace {

// FIPS 180-4 examples, and lengths around the padding's edges (values from coreutils' sha256sum).
TEST(Sha256, KnownDigests) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  EXPECT_EQ(sha256(std::string(55, 'b')), "eb2c86e932179f4ba13fe8715a26124b77d6bad290b9b4c1cc140cf633300c19");
  EXPECT_EQ(sha256(std::string(56, 'b')), "a5fc6e203a4c2b657d0d153885932414b2ffc6a93f0f8bf8b3183315e5a7212c");
  EXPECT_EQ(sha256(std::string(57, 'b')), "2dd0a6d14520f410e18bd2f443f0ff2e7389dfaf9242bb9257730fc190e8085d");
  EXPECT_EQ(sha256(std::string(63, 'b')), "94e419fabac7f930810f9636354042f8c1426d2f834d4ab65c93dc1e69326b13");
  EXPECT_EQ(sha256(std::string(64, 'b')), "a0fab1377f49a759b57f63318262ebe89fabfc990e8e93ceac2984561482b9d4");
  EXPECT_EQ(sha256(std::string(65, 'b')), "74b128f30cf83de43ddf4aafc40c7b50a7443d3c73a89a7cfca17e15e43d51ab");
  EXPECT_EQ(sha256(std::string(119, 'b')),
            "68297a9eb141ce16bbc0847da1c0c48e2858704feaa13993bde29f87a198a6e1");
  EXPECT_EQ(sha256(std::string(120, 'b')),
            "392add47fbaa8197a874ebe770a947a26dd6f2becce5f64688cc4d18c9da93bd");
  EXPECT_EQ(sha256(std::string(128, 'b')),
            "70ae1c5307f5250d5cb9e40742ba9613fcdf9b8d9eb6dd393330443b2d5effbd");
  EXPECT_EQ(sha256(std::string("a\0b", 3)),
            "59b271ae1bbcb1d31d41929817f4b16fb439eb4f31520b5ad1d5ce98920a7138");
}

TEST(Sha256, PiecesGiveTheSameAsTheWhole) {
  std::string bytes;
  RandomStream stream(5);
  for (int i = 0; i < 1000; ++i) bytes += char(stream.below(256));
  for (std::size_t piece : {1u, 3u, 55u, 63u, 64u, 65u, 128u, 999u}) {
    Sha256 digest;
    for (std::size_t i = 0; i < bytes.size(); i += piece)
      digest.update(std::string_view(bytes).substr(i, piece));
    EXPECT_EQ(digest.hex(), sha256(bytes)) << piece;
  }
}

TEST(Sha256, OfFiles) {
  const ScratchFolder scratch;
  const auto path = scratch / "bytes";
  std::ofstream(path, std::ios::binary) << std::string(200'000, 'x') << std::string(1, '\0');
  EXPECT_EQ(sha256_file(path), sha256(std::string(200'000, 'x') + std::string(1, '\0')));
  EXPECT_THROW(sha256_file(scratch / "missing"), Error);
  try {
    sha256_file(scratch / "missing");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kInputMissing);
    EXPECT_NE(std::string(error.what()).find("missing"), std::string::npos);
  }
}

TEST(Digest64, IsFnv1aThenMixed) {
  const auto of = [](std::string_view text) { return digest64(std::span<const char>(text)); };
  EXPECT_EQ(of(""), mix64(0xcbf29ce484222325ULL));
  EXPECT_EQ(of("a"), mix64(0xaf63dc4c8601ec8cULL));
  EXPECT_EQ(of("foobar"), mix64(0x85944171f73967e8ULL));
  EXPECT_NE(of("ab"), of("ba"));
  const std::vector<std::int32_t> values = {1, 256};
  EXPECT_EQ(digest64(std::span<const std::int32_t>(values)), of(std::string_view("\1\0\0\0\0\1\0\0", 8)))
      << "little-endian bytes";
}

TEST(Hex64, SixteenDigits) {
  EXPECT_EQ(hex64(0), "0000000000000000");
  EXPECT_EQ(hex64(0xfedcba9876543210ULL), "fedcba9876543210");
}

}  // namespace
}  // namespace rf::testing
