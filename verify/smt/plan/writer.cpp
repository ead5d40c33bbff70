#include "verify/smt/plan/writer.hpp"

#include <utility>

namespace detent::verify::smt {

void PlanWriter::add_fault(const std::string& text, Term when, std::vector<std::uint32_t> ops) {
  Script& script = query_.script;
  const Term holds = script.boolean("fault_" + std::to_string(query_.faults.size()));
  script.require(script.implies(holds, when), text);
  query_.faults.push_back({holds, text, std::move(ops)});
}

}  // namespace detent::verify::smt
