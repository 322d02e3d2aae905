// SHA-256 (FIPS 180-4) of bytes and files, and a fast 64-bit digest for sets of games.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace rf {

class Sha256 {
 public:
  Sha256();
  void update(const void* bytes, std::size_t size);
  void update(std::string_view text) { update(text.data(), text.size()); }
  // 64 lower-case hexadecimal digits. The object is spent afterwards.
  std::string hex();

 private:
  void block(const std::uint8_t* p);
  std::array<std::uint32_t, 8> h_;
  std::array<std::uint8_t, 64> pending_;
  std::uint64_t total_bytes_ = 0;
};

std::string sha256(std::string_view bytes);
// Throws Error(kInputMissing) when the file cannot be read.
std::string sha256_file(const std::filesystem::path& path);

// FNV-1a followed by a mix: equal bytes, equal digest, on every machine.
std::uint64_t digest64(std::span<const std::byte> bytes);
template <class T>
std::uint64_t digest64(std::span<const T> values) {
  return digest64(std::as_bytes(values));
}
std::string hex64(std::uint64_t value);  // 16 digits

}  // namespace rf
