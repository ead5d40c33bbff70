// Solver: Z3 over a Script, behind a wall so that its headers stay in one file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "verify/smt/script.hpp"

namespace detent::verify::smt {

enum class Answer : std::uint8_t { kUnsat, kSat, kUnknown };

/// How long a proof may take, in all its questions together.
struct Limits {
  double seconds = 60;       ///< wall clock; 0: none
  std::uint64_t steps = 0;   ///< Z3's own ("rlimit"), the same on every machine; 0: none
  double spent_seconds = 0;  ///< by earlier proofs under the same limit
  std::uint64_t spent_steps = 0;
};

/// Holds the assertions of a Script and answers questions about them. The Script may grow between questions; assertions
/// made since the last one are taken over. Same Script, same questions: same answers and models, unless the clock ends
/// one.
class Solver {
 public:
  Solver(const Script& script, const Limits& limits);
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// Can all assertions and `assumptions` (boolean variables or their negations) hold at once?
  Answer check(std::span<const Term> assumptions = {});
  /// Of the model that the last kSat stands for.
  [[nodiscard]] bool is_true(Term boolean) const;
  [[nodiscard]] std::uint64_t value(Term integer) const;

  /// Why the last answer was kUnknown: "time limit of 5 s", "limit of 1000 solver steps", or Z3's own words.
  [[nodiscard]] const std::string& reason() const;
  [[nodiscard]] std::uint64_t steps_used() const;
  [[nodiscard]] std::uint64_t questions() const;
  /// "Z3 4.8.12"
  static std::string version();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace detent::verify::smt
