// ByteSet: a set of byte positions as sorted, disjoint, non-adjacent intervals.
#pragma once

#include <cstdint>
#include <vector>

namespace detent::models::tvm {

/// Bytes [begin, end); positions may be negative while an expression is being analysed.
struct ByteInterval {
  std::int64_t begin = 0, end = 0;
  bool operator==(const ByteInterval&) const = default;
};

class ByteSet {
 public:
  ByteSet() = default;
  explicit ByteSet(ByteInterval one);
  /// Any intervals, in any order, overlapping or not, empty ones ignored.
  static ByteSet of(std::vector<ByteInterval> intervals);

  [[nodiscard]] const std::vector<ByteInterval>& intervals() const { return intervals_; }
  [[nodiscard]] bool empty() const { return intervals_.empty(); }
  [[nodiscard]] std::uint64_t size_bytes() const;  ///< number of positions
  [[nodiscard]] ByteInterval hull() const;         ///< {0,0} when empty
  [[nodiscard]] ByteSet shifted(std::int64_t by) const;
  [[nodiscard]] bool intersects(const ByteSet& other) const;
  [[nodiscard]] ByteSet intersection(const ByteSet& other) const;
  [[nodiscard]] ByteSet difference(const ByteSet& other) const;
  void unite(const ByteSet& other);
  bool operator==(const ByteSet&) const = default;

 private:
  std::vector<ByteInterval> intervals_;
};

}  // namespace detent::models::tvm
