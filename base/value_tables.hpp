// ValueTables: what reads of bare byte ranges want, and under which outcome of which decision an op runs; beside a
// Desc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/desc.h>

namespace detent {

/// A condition under which an op runs: this decision had this outcome.
struct Guard {
  std::uint32_t decision = 0;
  std::uint32_t outcome = 0;
  bool operator==(const Guard&) const = default;
};

/// A choice that one op takes in a run, with one of its outcomes.
struct Decision {
  std::string name;
  std::uint32_t op = DETENT_NONE;     ///< that takes it; DETENT_NONE: it is taken before the run
  std::vector<std::string> outcomes;  ///< by number, all that guards name; one alone has an unnamed second one
  /// The tensor that holds how it came out, an outcome's number: a run takes the decision. DETENT_NONE: nothing in
  /// memory says, and it is given for a run.
  std::uint32_t tensor = DETENT_NONE;
  bool operator==(const Decision&) const = default;
};

/// Typed tensors of a Desc are their own values. Bare byte ranges (DETENT_TENSOR_RANGE) name none, unless a table says
/// so; guards are of ops of any kind. Tables may be shorter than the Desc's: what is missing has no values, no guards.
struct ValueTables {
  std::vector<std::string> names;                           ///< of values
  std::vector<std::vector<std::uint32_t>> tensor_values{};  ///< by tensor: a write makes all, a read wants one of them
  std::vector<Decision> decisions{};
  std::vector<std::vector<Guard>> guards{};  ///< by op: all must hold, no two of one decision
  /// By value, of a run with given outcomes: the op that would write it but does not run, so that its reads find other
  /// bytes; DETENT_NONE: no such op.
  std::vector<std::uint32_t> absent_writers{};

  [[nodiscard]] bool names_values() const { return !names.empty(); }
  [[nodiscard]] bool has_guards() const { return !decisions.empty(); }
};

}  // namespace detent
