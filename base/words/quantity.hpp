// Numbers as people type them -> whole picoseconds, bytes and counts; exact, without floating point.
//
// A number is decimal digits, a fraction and an exponent as needed ("5", "1.5", "1.3e9"), and a unit behind it with or
// without a blank. It must come out whole and below 2^64: "0.5ps" and "1e30" are none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace detent {

/// "5ms", "250us", "250µs", "1.5s", "900ps", "20ns"; without a unit picoseconds.
std::optional<std::uint64_t> read_time_ps(std::string_view text);
/// "65536", "64KiB", "1.5MiB", "2GiB"; "64kB", "2MB" and "1GB" are powers of 1000; without a unit bytes.
std::optional<std::uint64_t> read_bytes(std::string_view text);
/// "200", "1e6", "1.3e9".
std::optional<std::uint64_t> read_count(std::string_view text);

/// What is wrong with a text that is none, and what may stand there: "must be a time such as 5ms, ...", "is not a whole
/// number of picoseconds; ...", "is above the most that ...".
std::string refuse_time(std::string_view text);
std::string refuse_bytes(std::string_view text);

}  // namespace detent
