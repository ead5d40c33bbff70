// Sums of what a bound counts.
#include "reports/data/bound_budget.hpp"

#include <numeric>

namespace detent::reports {

std::uint64_t BudgetRow::interference_sum_ps() const {
  return std::accumulate(interference_ps.begin(), interference_ps.end(), std::uint64_t{0});
}

std::uint64_t BudgetRow::sum_ps() const {
  return own_ps + overhead_ps + interference_sum_ps() + delay_ps + others_ps + loads_ps;
}

void add_times(const BudgetRow& row, BudgetRow& sum) {
  sum.own_ps += row.own_ps;
  sum.overhead_ps += row.overhead_ps;
  sum.interference_ps.resize(row.interference_ps.size(), 0);
  for (std::size_t i = 0; i < row.interference_ps.size(); ++i) sum.interference_ps[i] += row.interference_ps[i];
  sum.delay_ps += row.delay_ps;
  sum.others_ps += row.others_ps;
  sum.loads_ps += row.loads_ps;
}

BudgetRow sum_of(const BoundBudget& budget) {
  BudgetRow sum{.kind = "sum", .name = "sum"};
  sum.interference_ps.assign(budget.channels.size(), 0);
  for (const BudgetRow& row : budget.rows) add_times(row, sum);
  return sum;
}

}  // namespace detent::reports
