// Numbers as people type them -> whole picoseconds, bytes and counts; exact, without floating point.
//
// A number is decimal digits, a fraction and an exponent as needed ("5", "1.5", "1.3e9"), and a unit behind it with or
// without a blank. It must come out whole and below 2^64: "0.5ps" and "1e30" are none.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace detent {

/// "5ms", "250us", "250µs", "1.5s", "900ps", "20ns"; without a unit picoseconds.
std::optional<std::uint64_t> read_time_ps(std::string_view text);
/// "65536", "64KiB", "1.5MiB", "2GiB"; "64kB", "2MB" and "1GB" are powers of 1000; without a unit bytes.
std::optional<std::uint64_t> read_bytes(std::string_view text);
/// "200", "1e6", "1.3e9".
std::optional<std::uint64_t> read_count(std::string_view text);

/// What messages and help say may stand there.
inline constexpr const char* kTimeForm = "a time such as 5ms, 250us, 1.5s or 900ps (bare numbers are picoseconds)";
inline constexpr const char* kBytesForm = "a size such as 64KiB, 1.5MiB or 65536 (bare numbers are bytes)";

}  // namespace detent
