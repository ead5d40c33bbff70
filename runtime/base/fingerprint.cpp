#include "runtime/base/fingerprint.h"

namespace detent {
namespace {

/// Odd, so that a product with one of them is a bijection of 64-bit words: fractional digits of pi.
constexpr std::uint64_t kFactors[] = {0x452821e638d01377U, 0xbe5466cf34e90c6dU, 0xc0ac29b7c97c50ddU,
                                      0x3f84d5b5b5470917U};

}  // namespace

void Fingerprint::add(std::uint64_t word) {
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const std::uint64_t product = (lanes_[i] ^ word) * kFactors[i];
    lanes_[i] = product ^ product >> 32;
  }
}

void Fingerprint::add_bytes(const void *bytes, std::uint64_t count) {
  const auto *from = static_cast<const std::uint8_t *>(bytes);
  while (count != 0) {
    std::uint64_t word = 0;
    const std::uint64_t taken = count < sizeof word ? count : sizeof word;
    memcpy(&word, from, static_cast<std::size_t>(taken));
    add(word);
    from += taken;
    count -= taken;
  }
}

void Fingerprint::add_text(const char *text) {
  for (; *text != '\0'; ++text) add(static_cast<std::uint8_t>(*text));
  add(0);
}

void Fingerprint::get(std::uint8_t *bytes) const { memcpy(bytes, lanes_, sizeof lanes_); }

}  // namespace detent
