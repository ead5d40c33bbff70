// Deadline: a time by which every run must have ended, and the figures that judge it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace detent::reports {

struct Deadline {
  std::uint64_t deadline_ps = 0;                   ///< after the release of a run
  std::string source{};                            ///< who demands it: "--deadline", or the file
  std::optional<std::uint64_t> bound_ps{};         ///< the lowest upper bound; none: none is known
  std::string method{};                            ///< which bound that is
  std::optional<std::uint64_t> longest_seen_ps{};  ///< of simulated runs; none: no run ended
  std::optional<std::int64_t> margin_ps{};  ///< from the bound or run that decides to the deadline; below 0: violated
  std::string condition{};                  ///< what the verdict is about
  bool are_times_assumed = false;
};

}  // namespace detent::reports
