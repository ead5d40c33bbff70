// MemoryFront: plans between the smallest and the fastest, as their picture shows them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace detent::reports {

/// Whether another plan takes no more bytes and no longer.
enum class Standing : std::uint8_t {
  kOn,         ///< none does
  kOnByBound,  ///< none is known to, but times are bounds
  kOff,        ///< one does
  kOffByBound  ///< one does no longer than this one's bound: this one's worst case may be lower
};

struct FrontPlan {
  std::uint64_t bytes = 0;
  std::optional<std::uint64_t> time_ps{};  ///< no run is longer; none: no bound applies
  bool is_exact = false;                   ///< a run is as long
  std::string method{};                    ///< that time_ps is from
  std::uint64_t edges = 0;                 ///< that the plan adds
  Standing standing = Standing::kOn;
  std::uint64_t dominated_by = 0;  ///< of kOff and kOffByBound: index of the plan
};

struct MemoryFront {
  std::string model{}, platform{}, policy{}, version{};
  std::uint64_t lower_bound_bytes = 0, unshared_bytes = 0;
  std::vector<FrontPlan> plans{};  ///< ascending by bytes
  std::string why_not_exact{};     ///< of the first plan whose time is a bound; empty: all are exact
};

/// One self-contained page with the picture, the table and the words; no network, no dates. Names are text in it.
std::string front_html(const MemoryFront& front);

/// "yes", "by bound", "no: plan 2", "unknown: plan 2".
std::string standing_text(const FrontPlan& plan);

}  // namespace detent::reports
