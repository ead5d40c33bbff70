// AccessBits: the bitmaps that the recorder of an instrumented module writes -> sets of positions.
#pragma once

#include <cstdint>

#include "base/byte_ranges.hpp"
#include "harness/access/probed_memory.hpp"

namespace detent::harness {

/// One bit per byte of a block for reads, writes and early reads, and one byte per 64 words of them that says whether
/// any of their bits may be set (see probe_recorder.c). All clear at first.
class AccessBits {
 public:
  struct Sets {
    ByteRanges reads, writes, early;
  };

  explicit AccessBits(std::uint64_t block_bytes);
  [[nodiscard]] std::uint64_t* reads() const { return reads_.as<std::uint64_t>(); }
  [[nodiscard]] std::uint64_t* writes() const { return writes_.as<std::uint64_t>(); }
  [[nodiscard]] std::uint64_t* early() const { return early_.as<std::uint64_t>(); }
  [[nodiscard]] std::uint8_t* dirty() const { return dirty_.as<std::uint8_t>(); }

  /// What has been recorded since the last call. Clears the bitmaps.
  [[nodiscard]] Sets take();

 private:
  std::uint64_t chunk_count_;
  ZeroPages reads_, writes_, early_, dirty_;
};

}  // namespace detent::harness
