// Deadline: a time by which every run must have ended, and the figures that judge it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace detent::reports {

/// What periodic runs want of the cores of one class.
struct ClassUse {
  std::string core_class{};
  std::uint32_t cores = 0;
  double utilisation = 0;      ///< work at worst times over the period, of all its cores: above 1 is too much
  bool is_overloaded = false;  ///< in exact arithmetic: where all ops take their worst times, runs fall behind for ever
};

struct Deadline {
  std::uint64_t deadline_ps = 0;             ///< after the release of a run
  std::string source{};                      ///< who demands it: "--deadline", or the file
  std::optional<std::uint64_t> period_ps{};  ///< between two releases; none: only one run is asked about
  std::vector<ClassUse> uses{};              ///< of a period; empty where none is demanded or decisions choose ops
  std::optional<std::uint64_t> bound_ps{};   ///< the lowest upper bound; none: none is known
  std::string method{};                      ///< which bound that is
  std::optional<std::uint64_t> longest_seen_ps{};  ///< of simulated runs; none: no run ended
  std::optional<std::int64_t> margin_ps{};  ///< from the bound or run that decides to the deadline; below 0: violated
  std::string condition{};                  ///< what the verdict is about
  bool are_times_assumed = false;
};

}  // namespace detent::reports
