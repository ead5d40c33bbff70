// The order in which an operand's words are fetched: element of the operand matrix -> position in its fetch stream.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.hpp"
#include "sim/npu/shape.hpp"

namespace detent::sim::npu {

/// Half-open range of positions of a fetch stream.
struct StreamRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// An operand matrix of `rows` x `lane_count` elements, cut into folds of `lanes` lanes that are stacked on each other.
///
/// A skewed stream reads the stack along its anti-diagonals (lane x of row t belongs to diagonal t + x, lower lanes
/// first), as the skewed array asks for it; a row-major one reads row by row. Lanes beyond lane_count are padding and
/// are not part of the stream.
class Stream {
 public:
  Stream(bool is_skewed, std::uint64_t rows, std::uint64_t lane_count, std::uint64_t lanes);

  [[nodiscard]] bool is_skewed() const { return is_skewed_; }
  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] std::uint64_t lanes() const { return lanes_; }
  [[nodiscard]] std::uint64_t size() const { return rows_ * lane_count_; }
  /// Lanes of fold `fold` that are no padding.
  [[nodiscard]] std::uint64_t width(std::uint64_t fold) const;
  /// Position of row `row` of lane `lane` (< lane_count).
  [[nodiscard]] std::uint64_t position(std::uint64_t row, std::uint64_t lane) const;

 private:
  [[nodiscard]] std::uint64_t skewed_position(std::uint64_t diagonal, std::uint64_t lane) const;

  bool is_skewed_;
  std::uint64_t rows_, lane_count_, lanes_;
  std::uint64_t folds_, last_width_;
};

/// Number of pairs (i < height, c < width) with i + c < limit: how much of a skewed block has passed by line `limit`.
std::uint64_t skewed_count(std::uint64_t limit, std::uint64_t width, std::uint64_t height);

/// Which pixel an element of the im2col matrix is, and where else the same pixel stands.
class PixelMap {
 public:
  explicit PixelMap(const Conv& conv);

  /// Whether element (m, k) lies inside the input. A last window that reaches over the edge has elements that do not.
  [[nodiscard]] bool is_inside(std::uint64_t m, std::uint64_t k) const;
  /// Whether some element lies outside.
  [[nodiscard]] bool has_outside() const;
  /// Whether windows overlap, so that pixels stand in the matrix more than once.
  [[nodiscard]] bool has_twins() const;
  /// Call visit(m, k) for every element that is the pixel of (m, k), itself included, until it returns true.
  template <typename Visit>
  bool any_twin(std::uint64_t m, std::uint64_t k, Visit visit) const;

 private:
  struct Axis {
    std::uint64_t first, last;  ///< output coordinates whose window covers the pixel
  };
  static Axis covering(std::uint64_t pixel, std::uint64_t filter, std::uint64_t stride, std::uint64_t outputs);

  Conv conv_;
  std::uint64_t out_h_, out_w_;
};

template <typename Visit>
bool PixelMap::any_twin(std::uint64_t m, std::uint64_t k, Visit visit) const {
  const std::uint64_t row_words = conv_.filter_w * conv_.channels;
  const std::uint64_t channel = k % conv_.channels;
  const std::uint64_t y = m / out_w_ * conv_.stride_h + k / row_words;
  const std::uint64_t x = m % out_w_ * conv_.stride_w + k % row_words / conv_.channels;
  const Axis rows = covering(y, conv_.filter_h, conv_.stride_h, out_h_);
  const Axis cols = covering(x, conv_.filter_w, conv_.stride_w, out_w_);
  for (std::uint64_t oy = rows.first; oy <= rows.last; ++oy)
    for (std::uint64_t ox = cols.first; ox <= cols.last; ++ox) {
      const std::uint64_t window = (y - oy * conv_.stride_h) * row_words + (x - ox * conv_.stride_w) * conv_.channels;
      if (visit(oy * out_w_ + ox, window + channel)) return true;
    }
  return false;
}

/// Counts of the elements inside the input before a position of a stream that was laid out as if all were.
class InsideRank {
 public:
  InsideRank() = default;
  explicit InsideRank(std::uint64_t size) : words_((size + 63) / 64 + 1), before_(words_.size()) {}
  void set(std::uint64_t position) { words_[position / 64] |= std::uint64_t{1} << position % 64; }
  /// Call once after the last set().
  void finish();
  [[nodiscard]] bool test(std::uint64_t position) const { return (words_[position / 64] >> position % 64 & 1) != 0; }
  [[nodiscard]] std::uint64_t rank(std::uint64_t position) const;

 private:
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> before_;
};

}  // namespace detent::sim::npu
