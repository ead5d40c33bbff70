// A static memory allocation problem: buffers with a lifetime and a size, in MiniMalloc's CSV. Bits in docs/FORMATS.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace detent::models::packing {

/// Buffers of one problem.
inline constexpr std::size_t kMaxBuffers = 20'000;
/// Bytes of a problem file.
inline constexpr std::uint64_t kMaxProblemBytes = std::uint64_t{1} << 26U;
/// Bytes of all buffers together, so that no sum of sizes and alignments wraps.
inline constexpr std::uint64_t kMaxTotalBytes = std::uint64_t{1} << 60U;
/// Largest alignment.
inline constexpr std::uint64_t kMaxAlignBytes = std::uint64_t{1} << 30U;

struct Buffer {
  std::string id{};
  std::int64_t lower = 0, upper = 0;  ///< it lives from lower on and no longer at upper
  std::uint64_t size_bytes = 0;
  std::uint64_t align_bytes = 1;  ///< of its offset; a power of two
};

struct MemoryProblem {
  std::vector<Buffer> buffers{};
  std::vector<std::string> unused_columns{};  ///< of the file, understood but without effect: hint, offset
};

/// Read id, lower, upper and size of a buffer a line, columns by the names in the heading; alignment where given. A
/// cell under `gaps` must be empty.
/// @param file  named in errors
/// @throws InputError  no heading, a column that is unknown, missing or doubled, a cell that is no number in range, an
///                     id twice, lower not below upper, size 0, a limit; line and remedy
MemoryProblem parse_memory_problem(std::string_view text, const std::string& file);

/// Bytes that live at one time, at most: no placement is lower. Where all that live then have an alignment in common,
/// each but the uppermost counts up to a multiple of it. O(lives: buffers times moments).
std::uint64_t lower_bound_bytes(const std::vector<Buffer>& buffers);

}  // namespace detent::models::packing
