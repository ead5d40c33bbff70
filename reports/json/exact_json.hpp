// ExactCase -> JSON.
#pragma once

#include "reports/data/exact_case.hpp"
#include "reports/text/text.hpp"

namespace detent::reports {

/// {policy, max_states, states, worst_ps (null: not known), why_not} and, where it is known, {best_ps, assumptions,
/// witness, best_witness, fault?}.
Json exact_json(const ExactCase& exact);

}  // namespace detent::reports
