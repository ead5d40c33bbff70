// Units: what conversions between clocks, rates and simulated time share.
#pragma once

#include <cstdint>
#include <string>

namespace detent {

inline constexpr double kPicosecondsPerSecond = 1e12;

/// "15.9 ms", "1.27 us", "380 ps": three significant digits with a unit that people read.
std::string format_time(std::uint64_t time_ps);
/// The same for bounds: what is printed is never less.
std::string format_time_up(std::uint64_t time_ps);
/// The smallest value of so many significant decimal digits that is not below `value`; `value` itself near 2^64.
std::uint64_t round_up(std::uint64_t value, std::uint32_t digits);
/// "8.4 MiB", "512 B".
std::string format_bytes(std::uint64_t bytes);

}  // namespace detent
