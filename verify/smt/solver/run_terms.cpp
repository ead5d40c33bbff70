// Guards -> equations over outcomes.
#include "verify/smt/solver/run_terms.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

#include "verify/verdict/names.hpp"

namespace detent::verify::smt {

RunTerms::RunTerms(Script& script, const detent_desc& desc, const ValueTables* tables)
    : script_(script), always_(script.all_of({})), terms_(desc.op_count, always_) {
  if (tables == nullptr) return;
  for (std::size_t d = 0; d < tables->decisions.size(); ++d) {
    const Term outcome = script_.integer("outcome_" + std::to_string(d));
    const std::uint64_t count = std::max<std::uint64_t>(2, tables->decisions[d].outcomes.size());
    script_.require(
        script_.all_of({script_.at_most(script_.number(0), outcome), script_.less(outcome, script_.number(count))}),
        "outcome of " + tables->decisions[d].name);
    outcomes_.push_back(outcome);
  }
  for (OpId op = 0; op < desc.op_count && op < tables->guards.size(); ++op) {
    if (!tables->guards[op].empty()) add(*tables, op);
  }
}

void RunTerms::add(const ValueTables& tables, OpId op) {
  std::vector<Term> all;
  std::set<std::uint32_t> seen = {op};
  std::vector<std::uint32_t> waiting = {op};
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    for (const Guard& guard : tables.guards[waiting[i]]) {
      if (guard.decision >= outcomes_.size()) {
        throw std::invalid_argument("op " + std::to_string(op) + ": a guard names a decision that does not exist");
      }
      all.push_back(script_.equal(outcomes_[guard.decision], script_.number(guard.outcome)));
      const std::uint32_t decider = tables.decisions[guard.decision].op;
      if (decider < tables.guards.size() && seen.insert(decider).second) waiting.push_back(decider);
    }
  }
  terms_[op] = script_.all_of(all);
}

}  // namespace detent::verify::smt
