// Violations of value flow as they are found, before their bytes and schedules are known.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "verify/flow/violation.hpp"

namespace detent::verify {

/// A violation before its bytes and its schedule are known.
struct Found {
  std::uint32_t reader, name, in_the_way;  ///< op ids, index into the names
  std::uint32_t writer;
  std::uint32_t want;  ///< DETENT_NONE: kUndecided
  FlowFault fault;
  bool always;

  [[nodiscard]] auto key() const { return std::tuple(reader, name, in_the_way); }
};

/// Counts all, and keeps the first by (reader, name, in_the_way) of a stream that may be billions long.
class FoundList {
 public:
  explicit FoundList(std::uint64_t max_listed);

  /// Those of this reader may be among the first.
  [[nodiscard]] bool wants(std::uint32_t reader) const { return reader <= last_reader_; }
  void count(std::uint64_t all, std::uint64_t always);
  /// Without counting it.
  void keep(const Found& found);
  /// Count it, and keep it where it is wanted.
  void add(const Found& found);

  [[nodiscard]] std::uint64_t all() const { return all_; }
  [[nodiscard]] std::uint64_t always() const { return always_; }
  /// The first ones, each once. Nothing is added any more.
  const std::vector<Found>& finish();
  /// After finish: all that were kept are there.
  [[nodiscard]] bool is_whole() const { return is_whole_; }

 private:
  void prune();

  std::uint64_t max_listed_, all_ = 0, always_ = 0;
  std::uint32_t last_reader_ = DETENT_NONE;
  bool is_whole_ = true;
  std::vector<Found> kept_;
};

}  // namespace detent::verify
