// AccessBits: runs of ones in 64-bit words -> intervals.
#include "harness/access/bits.hpp"

#include <bit>
#include <cstring>

namespace detent::harness {
namespace {

constexpr std::uint64_t kWordsPerChunk = 64;
constexpr std::uint64_t kBytesPerChunk = kWordsPerChunk * 64;

void append(ByteRange range, ByteRanges& to) {
  if (!to.empty() && to.back().end == range.begin) {
    to.back().end = range.end;
  } else {
    to.push_back(range);
  }
}

/// The ones of a word whose lowest bit stands for position `base`.
void append_ones(std::uint64_t word, std::uint64_t base, ByteRanges& to) {
  while (word != 0) {
    const auto first = static_cast<unsigned>(std::countr_zero(word));
    const auto count = static_cast<unsigned>(std::countr_one(word >> first));
    append({base + first, base + first + count}, to);
    word = first + count == 64 ? 0 : word >> (first + count) << (first + count);
  }
}

void take_chunk(std::uint64_t* words, std::uint64_t chunk, ByteRanges& to) {
  std::uint64_t* const first = words + chunk * kWordsPerChunk;
  for (std::uint64_t i = 0; i < kWordsPerChunk; ++i) append_ones(first[i], chunk * kBytesPerChunk + i * 64, to);
  std::memset(first, 0, kWordsPerChunk * sizeof *first);
}

}  // namespace

AccessBits::AccessBits(std::uint64_t block_bytes)
    : chunk_count_((block_bytes + kBytesPerChunk - 1) / kBytesPerChunk),
      reads_(chunk_count_ * kWordsPerChunk * sizeof(std::uint64_t)),
      writes_(chunk_count_ * kWordsPerChunk * sizeof(std::uint64_t)),
      early_(chunk_count_ * kWordsPerChunk * sizeof(std::uint64_t)),
      dirty_(chunk_count_) {}

AccessBits::Sets AccessBits::take() {
  Sets sets;
  for (std::uint64_t chunk = 0; chunk < chunk_count_; ++chunk) {
    if (dirty()[chunk] == 0) continue;
    dirty()[chunk] = 0;
    take_chunk(reads(), chunk, sets.reads);
    take_chunk(writes(), chunk, sets.writes);
    take_chunk(early(), chunk, sets.early);
  }
  return sets;
}

}  // namespace detent::harness
