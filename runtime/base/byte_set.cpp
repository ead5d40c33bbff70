// Byte sets: intersection of two sequences of equally spaced blocks by counting residues.
#include "runtime/base/byte_set.h"

namespace detent {
namespace {

/// Sum over i in [0, n) of floor((a*i + b) / m), modulo 2^64, by Euclid's steps: O(log m).
/// Needs n < 2^33 and a*n + b < 2^64 after a and b have been reduced by m; extents below 2^41 bytes keep that.
std::uint64_t floor_sum(std::uint64_t n, std::uint64_t m, std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  while (n > 0 && m > 0) {
    const std::uint64_t pairs = n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
    sum += pairs * (a / m) + n * (b / m);
    a %= m;
    b %= m;
    const std::uint64_t top = a * n + b;
    if (top < m) break;
    n = top / m;
    b = top % m;
    const std::uint64_t old_m = m;
    m = a;
    a = old_m;
  }
  return sum;
}

/// Is there an i in [0, n) with (start + step*i) mod period <= limit? limit < period.
bool some_residue_at_most(std::uint64_t n, std::uint64_t start, std::uint64_t step, std::uint64_t period,
                          std::uint64_t limit) {
  // x mod p <= limit  <=>  floor((x + p) / p) - floor((x + p - limit - 1) / p) == 1: count such i.
  const std::uint64_t all = floor_sum(n, period, step, start + period);
  const std::uint64_t above = floor_sum(n, period, step, start + period - limit - 1);
  return all != above;
}

/// Blocks of `a` that begin at or after `from` and before `until`, as the index of the first and a count.
struct BlockRange {
  std::uint64_t first;
  std::uint64_t count;
};

BlockRange blocks_beginning_in(const detent_tensor &a, std::uint64_t from, std::uint64_t until) {
  const auto before = [&a](std::uint64_t position) -> std::uint64_t {
    if (position <= a.offset_bytes) return 0;
    if (a.block_count == 1) return 1;
    const std::uint64_t blocks = (position - a.offset_bytes + a.stride_bytes - 1) / a.stride_bytes;
    return blocks < a.block_count ? blocks : a.block_count;
  };
  const std::uint64_t first = before(from);
  return {first, before(until) - first};
}

/// Does some block of `a` begin on a byte of `b`?
bool some_block_begins_on(const detent_tensor &a, const detent_tensor &b) {
  const BlockRange range = blocks_beginning_in(a, b.offset_bytes, end_of(b));
  if (range.count == 0) return false;
  if (b.block_count == 1) return true;
  const std::uint64_t step = a.block_count == 1 ? 0 : a.stride_bytes;
  const std::uint64_t start = a.offset_bytes + range.first * step - b.offset_bytes;
  return some_residue_at_most(range.count, start, step, b.stride_bytes, b.block_bytes - 1);
}

}  // namespace

bool bytes_intersect(const detent_tensor &a, const detent_tensor &b) {
  if (a.region != b.region || !extents_intersect(a, b)) return false;
  if (a.block_count == 1 && b.block_count == 1) return true;
  // Two blocks share a byte exactly when one of them begins on a byte of the other.
  return some_block_begins_on(a, b) || some_block_begins_on(b, a);
}

}  // namespace detent
