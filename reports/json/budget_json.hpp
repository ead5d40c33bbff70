// What a bound counts and what moves it -> JSON, as `detent.bound/1` and `detent.check/1` have it.
#pragma once

#include <optional>

#include "reports/data/bound_budget.hpp"
#include "reports/text/text.hpp"

namespace detent::reports {

/// `budget`; null where there is none.
Json budget_json(const std::optional<BoundBudget>& budget);
/// `sensitivity` and `measure_first`.
void add_sensitivity(const Sensitivity& sensitivity, Json& answer);

}  // namespace detent::reports
