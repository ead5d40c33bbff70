/* Fingerprint: bytes -> 32 bytes that tell them apart from others. No cryptography: whoever wants to can make two
 * inputs of one fingerprint. Each step is a bijection of the state for a given word, so two inputs of equal length that
 * differ within one aligned word of 8 bytes alone never share one. */
#ifndef DETENT_RUNTIME_BASE_FINGERPRINT_H_
#define DETENT_RUNTIME_BASE_FINGERPRINT_H_

#include "runtime/base/freestanding.h"

namespace detent {

class Fingerprint {
 public:
  void add(std::uint64_t word);
  /// The bytes alone, not their number: add that where it is not fixed. The last word is filled up with zeros.
  void add_bytes(const void *bytes, std::uint64_t count);
  /// Its characters and the 0 behind them.
  void add_text(const char *text);
  /// @param bytes  [32]
  void get(std::uint8_t *bytes) const;

 private:
  static constexpr std::uint32_t kLanes = 4;
  std::uint64_t lanes_[kLanes] = {0x243f6a8885a308d3U, 0x13198a2e03707344U, 0xa4093822299f31d0U, 0x082efa98ec4e6c89U};
};

}  // namespace detent

#endif
