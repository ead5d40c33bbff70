// AccessRecheck: does an op touch bytes that the recorder of an instrumented module did not see?
#pragma once

#include <cstdint>

#include <detent/backend.h>

#include "base/byte_ranges.hpp"
#include "harness/access/probed_memory.hpp"

namespace detent::harness {

/// Assembly, the compiler's built-ins for single instructions and functions that are marked `no_sanitize` touch memory
/// without a call of the recorder. So what was recorded is put to the test by running the op again: with every byte
/// that it was not seen to read replaced, it must leave the same bytes and return the same code, and a byte that it was
/// not seen to write must stay as it is. Regions and the 4 KiB on both sides of each are compared.
class AccessRecheck {
 public:
  /// @param memory  outlives this
  explicit AccessRecheck(const ProbedMemory& memory);

  /// Before the op's first run: keep what it starts from.
  void begin();
  /// After it: the bytes that are no longer what they were.
  [[nodiscard]] ByteRanges changed() const;
  /// Run `entity` again; the memory is as its first run left it, before and afterwards.
  /// @param code    what the first run returned
  /// @param early   positions that it was seen to read before it wrote them
  /// @param writes  positions that it was seen to write, and those that changed
  /// @return  the second run did what the first one did
  [[nodiscard]] bool agrees(const detent_entity& entity, std::int32_t code, const ByteRanges& early,
                            const ByteRanges& writes);

 private:
  void copy(const ByteRanges& ranges, const std::uint8_t* from, std::uint8_t* to) const;
  [[nodiscard]] bool same(const ByteRanges& ranges, const std::uint8_t* expected) const;

  const ProbedMemory& memory_;
  ByteRanges compared_;
  ZeroPages before_, after_, replaced_;
};

}  // namespace detent::harness
