// ByteHistory: who wrote each byte last, and who has read it since.
#pragma once

#include <cstdint>
#include <vector>

#include <detent/desc.h>

#include "verify/static/range_map.hpp"

namespace detent::verify {

/// Told of reads and writes in some serial order, it names those before that an access must not overtake.
class ByteHistory {
 public:
  /// Appends the last writer of each byte, each once or more often.
  void read(std::uint64_t begin, std::uint64_t end, std::uint32_t position, std::vector<std::uint32_t>& before);
  /// Appends those who have read each byte since it was written, or else its last writer.
  void write(std::uint64_t begin, std::uint64_t end, std::uint32_t position, std::vector<std::uint32_t>& before);

 private:
  static constexpr std::size_t kFewReaders = std::size_t{1} << 20;
  struct Reader {
    std::uint32_t position;
    std::uint32_t before;  ///< index into readers_; DETENT_NONE: none
  };
  struct Use {
    std::uint32_t writer = DETENT_NONE;  ///< DETENT_NONE: none yet
    std::uint32_t reader = DETENT_NONE;  ///< the last one since, as an index into readers_
  };
  using Range = RangeMap<Use>::Range;

  void note_reader(Use& use, std::uint32_t position);
  void forget_old_readers();

  RangeMap<Use> uses_;
  std::vector<Reader> readers_;  ///< a range that was cut in two shares them; those that no range has stay for a while
  std::size_t most_readers_ = kFewReaders;  ///< before the others are looked for
};

}  // namespace detent::verify
