// ByteHistory: who wrote each byte last, and who has read it since.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <detent/desc.h>

namespace detent::verify {

/// Told of reads and writes in some serial order, it names those before that an access must not overtake.
class ByteHistory {
 public:
  /// Appends the last writer of each byte, each once or more often.
  void read(std::uint64_t begin, std::uint64_t end, std::uint32_t position, std::vector<std::uint32_t>& before);
  /// Appends those who have read each byte since it was written, or else its last writer.
  void write(std::uint64_t begin, std::uint64_t end, std::uint32_t position, std::vector<std::uint32_t>& before);
  /// Did `writer` write each byte last? DETENT_NONE: nobody did.
  [[nodiscard]] bool is_last_writer(std::uint64_t begin, std::uint64_t end, std::uint32_t writer) const;

 private:
  struct Segment {
    std::uint64_t end;
    std::uint32_t writer = DETENT_NONE;    ///< DETENT_NONE: none yet
    std::vector<std::uint32_t> readers{};  ///< since
  };
  using Segments = std::map<std::uint64_t, Segment>;  ///< by first byte; they do not overlap

  Segments::iterator begin_at(std::uint64_t begin);
  Segments::iterator split(Segments::iterator segment, std::uint64_t at);

  Segments segments_;
};

}  // namespace detent::verify
