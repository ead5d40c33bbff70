// A count and its noun as people read them: "1 pair", "2 pairs".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace detent {

/// @param noun  its singular, whose plural ends in -s: "pair", "racing pair"
inline std::string counted(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace detent
