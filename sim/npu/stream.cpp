// Positions in closed form: sums over lanes of how far each one's column of the stack has been read.
#include "sim/npu/stream.hpp"

#include <algorithm>
#include <bit>

#include "sim/npu/checked.hpp"

namespace detent::sim::npu {

std::uint64_t skewed_count(std::uint64_t limit, std::uint64_t width, std::uint64_t height) {
  // Lane c has passed min(height, limit - c) elements, for c < limit: `full` lanes all of them, the next ones a ramp.
  const std::uint64_t full = limit >= height ? std::min(limit - height + 1, width) : 0;
  const std::uint64_t ramp_end = std::min(limit, width);
  if (ramp_end <= full) return full * height;
  const std::uint64_t count = ramp_end - full;
  const std::uint64_t first = limit - full;
  const std::uint64_t last = limit - (ramp_end - 1);
  return full * height + (first + last) * count / 2;
}

namespace {

/// Lanes below `lane` that have an element on `diagonal`, for `width` lanes of `height` elements.
std::uint64_t lanes_on_diagonal(std::uint64_t diagonal, std::uint64_t lane, std::uint64_t width, std::uint64_t height) {
  const std::uint64_t first = diagonal >= height ? diagonal - height + 1 : 0;
  const std::uint64_t last = std::min({lane, width, diagonal + 1});
  return last > first ? last - first : 0;
}

}  // namespace

Stream::Stream(bool is_skewed, std::uint64_t rows, std::uint64_t lane_count, std::uint64_t lanes)
    : is_skewed_(is_skewed),
      rows_(rows),
      lane_count_(lane_count),
      lanes_(lanes),
      folds_(divide_up(lane_count, lanes)),
      last_width_(lane_count - (folds_ - 1) * lanes) {
  checked_product(checked_product(checked_product(rows, folds_) + lanes, lanes), 4);  // sums below stay exact
}

std::uint64_t Stream::width(std::uint64_t fold) const { return fold + 1 == folds_ ? last_width_ : lanes_; }

std::uint64_t Stream::position(std::uint64_t row, std::uint64_t lane) const {
  const std::uint64_t fold = lane / lanes_;
  const std::uint64_t local = lane % lanes_;
  if (is_skewed_) return skewed_position(fold * rows_ + row + local, local);
  return fold * rows_ * lanes_ + row * width(fold) + local;
}

std::uint64_t Stream::skewed_position(std::uint64_t diagonal, std::uint64_t lane) const {
  // The first last_width_ lanes reach through all folds, the others end one fold earlier.
  const std::uint64_t high = folds_ * rows_;
  std::uint64_t position =
      skewed_count(diagonal, last_width_, high) + lanes_on_diagonal(diagonal, lane, last_width_, high);
  const std::uint64_t low = high - rows_;
  const std::uint64_t rest = lanes_ - last_width_;
  if (rest == 0 || low == 0 || diagonal < last_width_) return position;
  position += skewed_count(diagonal - last_width_, rest, low);
  if (lane > last_width_) position += lanes_on_diagonal(diagonal - last_width_, lane - last_width_, rest, low);
  return position;
}

PixelMap::PixelMap(const Conv& conv) : conv_(conv), out_h_(conv.out_h()), out_w_(conv.out_w()) {}

bool PixelMap::is_inside(std::uint64_t m, std::uint64_t k) const {
  const std::uint64_t row_words = conv_.filter_w * conv_.channels;
  return m / out_w_ * conv_.stride_h + k / row_words < conv_.in_h &&
         m % out_w_ * conv_.stride_w + k % row_words / conv_.channels < conv_.in_w;
}

bool PixelMap::has_outside() const {
  return (out_h_ - 1) * conv_.stride_h + conv_.filter_h > conv_.in_h ||
         (out_w_ - 1) * conv_.stride_w + conv_.filter_w > conv_.in_w;
}

bool PixelMap::has_twins() const {
  return (conv_.filter_h > conv_.stride_h && out_h_ > 1) || (conv_.filter_w > conv_.stride_w && out_w_ > 1);
}

PixelMap::Axis PixelMap::covering(std::uint64_t pixel, std::uint64_t filter, std::uint64_t stride,
                                  std::uint64_t outputs) {
  const std::uint64_t first = pixel >= filter ? (pixel - filter) / stride + 1 : 0;
  return {first, std::min(pixel / stride, outputs - 1)};
}

void InsideRank::finish() {
  std::uint64_t count = 0;
  for (std::size_t word = 0; word < words_.size(); ++word) {
    before_[word] = count;
    count += static_cast<std::uint64_t>(std::popcount(words_[word]));
  }
}

std::uint64_t InsideRank::rank(std::uint64_t position) const {
  const std::uint64_t below = (std::uint64_t{1} << position % 64) - 1;
  return before_[position / 64] + static_cast<std::uint64_t>(std::popcount(words_[position / 64] & below));
}

}  // namespace detent::sim::npu
