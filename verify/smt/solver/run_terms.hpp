// RunTerms: "this op runs" as terms over one outcome per decision.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"
#include "base/value_tables.hpp"
#include "verify/smt/solver/script.hpp"

namespace detent::verify::smt {

/// An op runs where its own guards hold, and those of the ops that take its decisions, and so on.
class RunTerms {
 public:
  /// @param tables  null: every op runs; else outlives this
  /// @throws std::invalid_argument  a guard names a decision that does not exist
  RunTerms(Script& script, const detent_desc& desc, const ValueTables* tables);

  /// @param op  DETENT_NONE: the application, which always does
  [[nodiscard]] Term runs(std::uint32_t op) const { return op < terms_.size() ? terms_[op] : always_; }

  /// @param decision  one of the tables
  [[nodiscard]] Term came_out(std::uint32_t decision, std::uint32_t outcome) {
    return script_.equal(outcomes_[decision], script_.number(outcome));
  }

 private:
  void add(const ValueTables& tables, OpId op);

  Script& script_;
  Term always_;
  std::vector<Term> outcomes_;  ///< by decision: an integer
  std::vector<Term> terms_;     ///< by op
};

}  // namespace detent::verify::smt
