// What the lowest upper bound counts, and which times move it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "reports/data/time_grounds.hpp"

namespace detent::reports {

/// Times in ps; they add up to what the row adds to the bound.
struct BudgetRow {
  std::string kind{};  ///< "op", "transfer", "release", "rest" (of the ops), "run" (begin and end), "load"
  std::optional<OpId> op{};
  std::string name{};
  std::uint64_t own_ps = 0;                      ///< the op's time on its core
  std::uint64_t overhead_ps = 0;                 ///< the runtime's steps
  std::vector<std::uint64_t> interference_ps{};  ///< by channel: what its clients add
  std::uint64_t delay_ps = 0;                    ///< a transfer or a release that the path waits for
  std::uint64_t others_ps = 0;                   ///< waiting for the op though the path does not need it
  std::uint64_t loads_ps = 0;                    ///< the cores belong to the load
  TimeClass time{};                              ///< of the op

  [[nodiscard]] std::uint64_t interference_sum_ps() const;
  [[nodiscard]] std::uint64_t sum_ps() const;
};

struct BoundBudget {
  std::string method;    ///< of the lowest upper bound but sag's; of equal ones the first
  std::string outcomes;  ///< of the case that it is of; empty: the model has no guards
  std::uint64_t bound_ps = 0;
  std::vector<std::string> channels{};
  std::vector<BudgetRow> rows{};  ///< those that add something, by op, then run and loads
  std::string fault{};            ///< "", or that rows do not add up to the bound: a fault of Detent
};
/// All rows as one.
BudgetRow sum_of(const BoundBudget& budget);
/// Adds the times of `row`, which has the same channels.
void add_times(const BudgetRow& row, BudgetRow& sum);

/// Ops whose times one guess decides (a kernel on a class of cores), or one op that has a time of its own.
struct TimeGroup {
  std::vector<OpId> ops{};
  std::string name{};  ///< of the kernel, or of the op
  std::string core{};  ///< class of cores
  TimeClass time{};
  bool is_guess = false;       ///< assumed or modelled
  std::uint64_t worst_ps = 0;  ///< sum of their worst times
  /// By how much the lowest bound grows where all of them take kLongerPercent longer: it is computed again. None: a
  /// limit ended it. Never negative: an upper bound for longer times holds for the shorter ones too, so where a theorem
  /// gives less for them (he2022 may), the bound does not move.
  std::optional<std::uint64_t> moves_ps{};
};
inline constexpr std::uint64_t kLongerPercent = 10;

struct Sensitivity {
  std::vector<TimeGroup>
      groups{};         ///< what to measure first stands first: guesses before other times, then by moves_ps
  std::size_t all = 0;  ///< groups that there are; more than were computed: those with the longest times were
  std::string limit{};  ///< what ended it; empty: nothing did
};

}  // namespace detent::reports
