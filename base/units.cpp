#include "base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace detent {

std::string format_time(std::uint64_t time_ps) {
  static constexpr std::array<std::pair<double, const char*>, 4> kUnits = {
      {{1e3, "ns"}, {1e6, "\xC2\xB5s"}, {1e9, "ms"}, {1e12, "s"}}};
  if (time_ps < 1000) return fmt::format("{} ps", time_ps);
  const auto value = static_cast<double>(time_ps);
  // What rounds up to four digits gets fewer decimals, or the next unit.
  const auto unit = std::find_if(kUnits.begin(), kUnits.end() - 1,
                                 [&](const auto& candidate) { return value / candidate.first < 999.5; });
  const double scaled = value / unit->first;
  const int decimals = scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", scaled, decimals, unit->second);
}

std::uint64_t round_up(std::uint64_t value, std::uint32_t digits) {
  std::uint64_t step = 1;
  for (std::size_t length = std::to_string(value).size(); length > digits; --length) step *= 10;
  const std::uint64_t rest = value % step;
  return rest == 0 || value > UINT64_MAX - step ? value : value - rest + step;
}

std::string format_time_up(std::uint64_t time_ps) { return format_time(round_up(time_ps, 3)); }

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
