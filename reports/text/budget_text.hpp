// What a bound counts and what moves it, in words.
#pragma once

#include <string>

#include "reports/data/bound_budget.hpp"

namespace detent::reports {

/// "own time 30 ms, overhead 20 us, interference 1 ms, waiting 3 ms": the parts that are there. Of
/// picoseconds, rounded to the nearest, so that only the exact times add up.
std::string parts_text(const BudgetRow& sum);
/// "conv2d on npu (12 ops): assumed, why; 10 % longer makes the bound 1.2 ms longer".
/// @param group  moves_ps is known
std::string moves_text(const TimeGroup& group);

}  // namespace detent::reports
