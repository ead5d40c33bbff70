#include "base/units.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace detent {

std::string format_time(std::uint64_t time_ps) {
  static constexpr std::array<std::pair<double, const char*>, 4> kUnits = {
      {{1e12, "s"}, {1e9, "ms"}, {1e6, "us"}, {1e3, "ns"}}};
  const auto value = static_cast<double>(time_ps);
  for (const auto& [scale, unit] : kUnits) {
    if (value < scale) continue;
    const double scaled = value / scale;
    const int decimals = scaled < 10 ? 2 : scaled < 100 ? 1 : 0;
    return fmt::format("{:.{}f} {}", scaled, decimals, unit);
  }
  return fmt::format("{} ps", time_ps);
}

std::string format_bytes(std::uint64_t bytes) {
  static constexpr std::array<std::pair<double, const char*>, 3> kUnits = {
      {{1024.0 * 1024 * 1024, "GiB"}, {1024.0 * 1024, "MiB"}, {1024.0, "KiB"}}};
  const auto value = static_cast<double>(bytes);
  for (const auto& [scale, unit] : kUnits) {
    if (value >= scale) return fmt::format("{:.1f} {}", value / scale, unit);
  }
  return fmt::format("{} B", bytes);
}

}  // namespace detent
