// Terms as rows of a table.
#include "verify/smt/solver/script.hpp"

namespace detent::verify::smt {

Term Script::add(const Node& node) {
  nodes_.push_back(node);
  return {static_cast<std::uint32_t>(nodes_.size() - 1)};
}

Term Script::variable(TermKind kind, std::string name) {
  names_.push_back(std::move(name));
  return add({kind, 0, 0, names_.size() - 1});
}

Term Script::make(TermKind kind, std::span<const Term> children) {
  const auto first = static_cast<std::uint32_t>(children_.size());
  children_.insert(children_.end(), children.begin(), children.end());
  return add({kind, first, static_cast<std::uint32_t>(children.size()), 0});
}

void Script::require(Term term, std::string comment) { assertions_.push_back({term, std::move(comment)}); }

std::string stopped_building(const Budget& budget, const Script& script, const char* what, std::uint32_t done,
                             std::uint32_t count) {
  const bool is_spent = budget.is_spent(script.nodes().size());
  if (!is_spent && !budget.is_late()) return "";
  return (is_spent ? budget.step_limit() : budget.time_limit()) + " while the formula was built (" + what + " " +
         std::to_string(done) + " of " + std::to_string(count) + ")";
}

}  // namespace detent::verify::smt
