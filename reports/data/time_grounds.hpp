// TimeGrounds: what the times of ops rest on. No answer about time is firmer than the weakest of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace detent::reports {

/// Ops that have their times from one source.
struct TimeGround {
  std::string source;          ///< "given", "measured", "modelled" or "assumed"
  bool is_assumed = false;     ///< by default: no time, no measurement, no model of what executes it
  std::uint64_t ops = 0;       ///< how many
  std::uint64_t worst_ps = 0;  ///< sum of their worst times
  std::string why{};           ///< "the file has them"; of assumed ones what is missing
};

/// What one op's time is, in the finest words.
struct TimeClass {
  std::string name;    ///< as source; of measured times "measured here", "measured on target" or "vendor's profile", if
                       ///< the cost table says so
  std::string reason;  ///< the number, table or model that it is from

  bool operator==(const TimeClass&) const = default;
};

struct TimeGrounds {
  std::vector<TimeGround> grounds{};       ///< firmest first, without those that no op has
  std::vector<std::uint64_t> worst_ps{};   ///< by op; empty: not known
  std::vector<std::string> sources{};      ///< by op: "given"; empty: not known
  std::vector<TimeClass> classes{};        ///< that ops have
  std::vector<std::uint32_t> class_of{};   ///< by op, of classes; empty: not known
  std::string jitter{};                    ///< how simulated runs draw times, as --jitter has it
  bool draws_worst_only = false;           ///< every op of every run takes its worst time
  std::vector<std::string> unused_rows{};  ///< of the cost table: ops that are not on a core it was measured on
  std::string unused_why{};                ///< empty: all rows are used
  std::string remedy{};                    ///< how assumed times become measured ones; empty: nothing is assumed
  std::string assumed_failures{};          ///< of runs that bounds are of: "at most 1 op fails"; empty: any may

  /// None known, or the weakest is an assumption.
  [[nodiscard]] bool are_assumed() const { return grounds.empty() || grounds.back().is_assumed; }
};

}  // namespace detent::reports
