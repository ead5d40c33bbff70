// SHA-256 (FIPS 180-4): the hash by which others recognise a file. For keys of our own, xxHash is faster.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace detent {

/// Bytes that come in parts.
class Sha256 {
 public:
  void add(std::string_view bytes);
  /// 64 lower-case hex digits of all bytes so far; more may follow.
  [[nodiscard]] std::string hex() const;

 private:
  void take_block(const unsigned char* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667U, 0xbb67ae85U, 0x3c6ef372U, 0xa54ff53aU,
                                      0x510e527fU, 0x9b05688cU, 0x1f83d9abU, 0x5be0cd19U};
  std::array<unsigned char, 64> rest_{};  ///< what does not fill a block
  std::uint64_t total_bytes_ = 0;         ///< below 2^61
};

/// Of one text.
std::string sha256_of(std::string_view bytes);

/// 64 digits from 0-9a-f?
bool is_sha256(std::string_view text);

}  // namespace detent
