// Rows in topological order hand what precedes them on to their successors.
#include "verify/graph/predecessors.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace detent::verify {

PrecededBlock::PrecededBlock(const Order& order, std::uint32_t width) : order_(order), words_(width / 64) {
  DETENT_ASSERT(width > 0);
  DETENT_ASSERT(width % 64 == 0);
  bits_.resize(std::size_t{order.op_count()} * words_);
}

void PrecededBlock::compute(std::uint32_t first) {
  DETENT_ASSERT(first < order_.op_count());
  const std::uint32_t end = std::min(first + words_ * 64, order_.op_count());
  std::fill(bits_.begin() + static_cast<std::ptrdiff_t>(std::size_t{first} * words_), bits_.end(), Word{0});
  for (std::uint32_t p = first; p < order_.op_count(); ++p) {
    const Word* const from = row(p);
    for (const std::uint32_t q : order_.successors(p)) {
      Word* const to = bits_.data() + std::size_t{q} * words_;
      for (std::uint32_t w = 0; w < words_; ++w) to[w] |= from[w];
      if (p < end) to[(p - first) / 64] |= Word{1} << ((p - first) % 64);
    }
  }
}

}  // namespace detent::verify
