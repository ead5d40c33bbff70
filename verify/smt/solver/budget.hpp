// Budget: what a proof may take, polled while its formula is built, while Z3 takes it over and between questions.
#pragma once

#include <cstdint>
#include <string>

namespace detent::verify::smt {

/// Of a steady clock of this host.
double steady_seconds();

/// How long a proof may take, from its first term to its last question.
struct Limits {
  double seconds = 60;       ///< wall clock; 0: none
  std::uint64_t steps = 0;   ///< terms of the formula and Z3's own steps ("rlimit"), the same on every machine; 0: none
  double spent_seconds = 0;  ///< by earlier proofs under the same limit
  std::uint64_t spent_steps = 0;
  double (*clock)() = steady_seconds;  ///< seconds since any instant
};

/// Limits counted from the moment when it is made.
class Budget {
 public:
  explicit Budget(const Limits& limits) : limits_(limits), begin_(limits.clock()) {}
  /// Without limits.
  static Budget unlimited() { return Budget({.seconds = 0}); }

  /// Since it was made.
  [[nodiscard]] double seconds() const { return limits_.clock() - begin_; }

  [[nodiscard]] bool is_late() const { return limits_.seconds > 0 && left_seconds() <= 0; }
  /// @param steps  taken since it was made
  [[nodiscard]] bool is_spent(std::uint64_t steps) const { return limits_.steps > 0 && left_steps(steps) == 0; }

  [[nodiscard]] bool has_time_limit() const { return limits_.seconds > 0; }
  [[nodiscard]] bool has_step_limit() const { return limits_.steps > 0; }
  /// With a time limit; below 0 when it has passed.
  [[nodiscard]] double left_seconds() const { return limits_.seconds - limits_.spent_seconds - seconds(); }
  /// With a step limit.
  [[nodiscard]] std::uint64_t left_steps(std::uint64_t steps) const;

  /// "time limit of 3.00 s"
  [[nodiscard]] std::string time_limit() const;
  /// "limit of 1000 solver steps"
  [[nodiscard]] std::string step_limit() const;

 private:
  Limits limits_;
  double begin_;
};

}  // namespace detent::verify::smt
