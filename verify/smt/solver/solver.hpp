// Solver: Z3 over a Script, behind a wall so that its headers stay in one file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "verify/smt/solver/budget.hpp"
#include "verify/smt/solver/script.hpp"

namespace detent::verify::smt {

enum class Answer : std::uint8_t { kUnsat, kSat, kUnknown };

/// Holds the assertions of a Script and answers questions about them. The Script may grow between questions; assertions
/// made since the last one are taken over. Same Script, same questions: same answers and models, unless the clock ends
/// one.
class Solver {
 public:
  /// Both outlive the solver.
  Solver(const Script& script, const Budget& budget);
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// Can all assertions and `assumptions` (boolean variables or their negations) hold at once?
  Answer check(std::span<const Term> assumptions = {});
  /// Of the model that the last kSat stands for.
  [[nodiscard]] bool is_true(Term boolean) const;
  [[nodiscard]] std::uint64_t value(Term integer) const;

  /// Why the last answer was kUnknown: "time limit of 5.00 s", "time limit of 5.00 s while Z3 took over term 100 of
  /// 2000", "limit of 1000 solver steps", or Z3's own words.
  [[nodiscard]] const std::string& reason() const;
  /// Terms of the Script and Z3's own.
  [[nodiscard]] std::uint64_t steps_used() const;
  [[nodiscard]] std::uint64_t questions() const;
  /// "Z3 4.8.12"
  static std::string version();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace detent::verify::smt
