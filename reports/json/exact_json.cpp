// ExactCase -> JSON.
#include "reports/json/exact_json.hpp"

namespace detent::reports {

Json exact_json(const ExactCase& exact) {
  const bool is_known = exact.why_not.empty();
  Json out = {{"policy", exact.policy},
              {"max_states", exact.max_states},
              {"states", exact.states},
              {"worst_ps", is_known ? Json(exact.worst_ps) : Json(nullptr)},
              {"why_not", exact.why_not}};
  if (!is_known) return out;
  out["best_ps"] = exact.best_ps;
  out["assumptions"] = exact.assumptions;
  out["witness"] = exact.witness;
  out["best_witness"] = exact.best_witness;
  if (!exact.fault.empty()) out["fault"] = exact.fault;
  return out;
}

}  // namespace detent::reports
