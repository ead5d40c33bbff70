// Inquiry: the questions of one proof, asked of one solver within one budget, and what came of them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "verify/smt/solver/budget.hpp"
#include "verify/smt/solver/script.hpp"
#include "verify/smt/solver/solver.hpp"

namespace detent::verify::smt {

/// What a proof cost.
struct ProofCost {
  std::uint64_t questions = 0;
  std::uint64_t steps = 0;  ///< of the solver
  double seconds = 0;       ///< wall clock of this host
};

class Inquiry {
 public:
  /// Both outlive it. @param stopped  why the formula is not whole; empty: it is
  Inquiry(Script& script, const Budget& budget, const std::string& stopped)
      : script_(script), budget_(budget), solver_(script, budget), reason_(stopped) {}

  /// The formula is whole.
  [[nodiscard]] bool can_ask() const { return reason_.empty(); }
  /// Can these hold at once? none: not decided, and the reason is kept.
  std::optional<bool> ask(std::span<const Term> assumptions);
  std::optional<bool> ask(std::initializer_list<Term> assumptions) {
    return ask(std::span<const Term>{assumptions.begin(), assumptions.size()});
  }
  /// Asks until the answer is no; `take` reads each model and forbids it.
  /// @return  false: not decided, or `take` has returned false
  template <typename Take>
  bool ask_until_no(std::initializer_list<Term> assumptions, const Take& take) {
    for (;;) {
      const std::optional<bool> is_possible = ask(assumptions);
      if (!is_possible) return false;
      if (!*is_possible) return true;
      if (!take()) return false;
    }
  }
  /// From edges that close a cycle everything would follow. @param assumptions  with which the formula speaks of one
  bool has_schedule(std::initializer_list<Term> assumptions = {});
  /// Keeps the reason. @return  false
  bool stop(std::string reason);

  /// From now on they do not hold all at once.
  void forbid(std::initializer_list<Term> terms);

  /// Of the last model.
  [[nodiscard]] bool is_true(Term boolean) const { return solver_.is_true(boolean); }
  [[nodiscard]] std::uint64_t value(Term integer) const { return solver_.value(integer); }
  /// Ops by their start; those that start at one instant by id.
  [[nodiscard]] std::vector<std::uint32_t> schedule(const std::vector<Term>& start) const;

  /// Whether all was asked, why not, and what it cost.
  template <typename Proof>
  void finish(bool complete, Proof& proof) const {
    proof.complete = complete;
    proof.reason = reason_;
    proof.cost = {solver_.questions(), solver_.steps_used(), budget_.seconds()};
  }

 private:
  Script& script_;
  const Budget& budget_;
  Solver solver_;
  std::string reason_;
};

/// "Z3 4.8.12, 7 questions: ": what the summary of each verdict begins with.
std::string proof_head(const ProofCost& cost);

/// What follows findings: ", and no others", or what stopped the search.
template <typename Proof>
std::string proof_tail(const Proof& proof) {
  return proof.complete ? ", and no others" : "; stopped by the " + proof.reason;
}

}  // namespace detent::verify::smt
