// Units: what conversions between clocks, rates and simulated time share.
#pragma once

namespace detent {

inline constexpr double kPicosecondsPerSecond = 1e12;

}  // namespace detent
