// Bounds of verify, parts of times of sim -> rows that add up to the lowest bound.
#include "app/bound/budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "app/bound/list_bound.hpp"
#include "app/simulate/jitter_text.hpp"
#include "app/simulate/time_grounds.hpp"
#include "base/counted.hpp"
#include "base/units.hpp"
#include "reports/text/text.hpp"
#include "reports/view/desc_view.hpp"
#include "verify/timing/list_times.hpp"

namespace detent::app {
namespace {

using verify::kUnknownPs;

/// A budget of verify, and whose overheads are in its times.
struct Divided {
  verify::Budget budget;
  const sim::Interference* others = nullptr;
};

/// Of the problem with the lower sum, as upper_bound takes it.
std::optional<Divided> lower_of(const PlatformProblems& problems, std::optional<verify::Budget> by_op,
                                std::optional<verify::Budget> by_total) {
  if (!by_op && !by_total) return std::nullopt;
  const bool is_total = !by_op || (by_total && verify::sum_ps(*by_total) < verify::sum_ps(*by_op));
  if (is_total) return Divided{std::move(*by_total), &problems.others_by_total};
  return Divided{std::move(*by_op), &problems.others_by_op};
}

std::optional<Divided> divide(const std::string& method, const BoundCase& bounded, const PlatformProblems& problems,
                              const std::optional<ExactBudget>& exact) {
  if (method == "exact") {
    if (!exact) return std::nullopt;
    return Divided{exact->budget, &problems.others_by_op};
  }
  if (method == "lists") {
    const auto lists = carried_lists(bounded.loaded->desc(), bounded.loaded->given_workers);
    return lower_of(problems, verify::path_budget(verify::with_lists(problems.by_op, lists)),
                    verify::path_budget(verify::with_lists(problems.by_total, lists)));
  }
  return lower_of(problems, verify::bound_budget(problems.by_op, method),
                  verify::bound_budget(problems.by_total, method));
}

std::uint64_t bound_of_case(const std::string& method, const BoundCase& bounded, const PlatformProblems& problems,
                            const sim::Platform& platform) {
  if (method == "lists") {
    return list_bound(carried_lists(bounded.loaded->desc(), bounded.loaded->given_workers), problems, platform)
        .bound.bound_ps;
  }
  return upper_bound(find_upper_bound(method), problems, platform, bounded.spec).bound_ps;
}

/// Takes at most `most` from what is left.
std::uint64_t take(std::uint64_t& left, std::uint64_t most) {
  const std::uint64_t taken = std::min(left, most);
  left -= taken;
  return taken;
}

/// Rows of one case.
class Table {
 public:
  Table(const detent_desc& desc, const sim::Platform& platform, const PlatformProblems& problems)
      : desc_(desc), platform_(platform), problems_(problems), is_entry_(desc.op_count, true) {
    for (const std::uint32_t target : problems.bare.targets) is_entry_[target] = false;
  }

  void fill(const Divided& divided, BoundBudget& made) const {
    for (const sim::InterferenceChannel& channel : divided.others->channels) made.channels.push_back(channel.client);
    add_ops(divided, made);
    add(run_row(divided), made);
    const std::uint64_t without_ps = verify::sum_ps(divided.budget);
    const std::vector<std::uint64_t> loads = sim::loads_one_by_one_ps(platform_, without_ps);
    for (std::size_t i = 0; i < loads.size(); ++i) {
      BudgetRow row = empty_row("load", platform_.loads[i].name, *divided.others);
      row.loads_ps = loads[i];
      add(std::move(row), made);
    }
  }

 private:
  /// The largest as rows, the others as one.
  void add_ops(const Divided& divided, BoundBudget& made) const {
    const auto sum_of_op = [&](OpId op) {
      const verify::OpCharge& charge = divided.budget.ops[op];
      return charge.path_ps + charge.others_ps + charge.role_ps;
    };
    std::vector<OpId> ops(desc_.op_count);
    std::iota(ops.begin(), ops.end(), OpId{0});
    std::ranges::stable_sort(ops, std::ranges::greater(), sum_of_op);
    const std::size_t rows = std::min(ops.size(), kMostRows);
    std::ranges::sort(ops.begin(), ops.begin() + static_cast<std::ptrdiff_t>(rows));
    for (std::size_t i = 0; i < rows; ++i) add(op_row(ops[i], divided), made);
    BudgetRow rest = empty_row("rest", fmt::format("{} more", ops.size() - rows), *divided.others);
    for (std::size_t i = rows; i < ops.size(); ++i) add_times(op_row(ops[i], divided), rest);
    add(std::move(rest), made);
  }

  static void add(BudgetRow row, BoundBudget& made) {
    if (row.sum_ps() != 0) made.rows.push_back(std::move(row));
  }

  static BudgetRow empty_row(std::string kind, std::string name, const sim::Interference& others) {
    BudgetRow row{.kind = std::move(kind), .name = std::move(name)};
    row.interference_ps.assign(others.channels.size(), 0);
    return row;
  }

  [[nodiscard]] BudgetRow op_row(OpId op, const Divided& divided) const {
    const bool is_delay = (desc_.ops[op].flags & DETENT_OP_DELAY) != 0;
    BudgetRow row = empty_row(!is_delay       ? "op"
                              : is_entry_[op] ? "release"
                                              : "transfer",
                              reports::op_name(&desc_, op), *divided.others);
    row.op = op;
    const verify::OpCharge& charge = divided.budget.ops[op];
    std::uint64_t left = charge.path_ps;
    (is_delay ? row.delay_ps : row.own_ps) = take(left, problems_.bare.ops[op].worst_ps);
    for (std::size_t i = 0; i < row.interference_ps.size(); ++i) {
      row.interference_ps[i] = take(left, divided.others->channels[i].per_op_ps[op]);
    }
    row.overhead_ps = left + charge.role_ps;
    row.others_ps = charge.others_ps;
    return row;
  }

  [[nodiscard]] BudgetRow run_row(const Divided& divided) const {
    BudgetRow row = empty_row("run", "begin and end", *divided.others);
    std::uint64_t left = divided.budget.fixed_ps;
    for (std::size_t i = 0; i < row.interference_ps.size(); ++i) {
      row.interference_ps[i] = take(left, divided.others->channels[i].per_run_ps);
    }
    row.overhead_ps = left;
    return row;
  }

  const detent_desc& desc_;
  const sim::Platform& platform_;
  const PlatformProblems& problems_;
  std::vector<bool> is_entry_;
};

/// What a schedule abstraction counts of each op is not known.
bool is_counted(const verify::Bound& bound) {
  return bound.is_upper && bound.bound_ps != kUnknownPs && bound.name != "sag";
}

std::string cell(std::uint64_t time_ps) { return time_ps == 0 ? "-" : format_time(time_ps); }

/// @param sum  of the row, as text
std::string row_line(const BudgetRow& row, const std::string& sum) {
  const std::string name = row.op ? fmt::format("{} {}", *row.op, row.name) : row.name;
  return fmt::format("{:<17} {:>9} {:>9} {:>12} {:>9} {:>9}{}", reports::short_name(name, 16),
                     cell(row.own_ps + row.delay_ps), cell(row.overhead_ps), cell(row.interference_sum_ps()),
                     cell(row.others_ps + row.loads_ps), sum, row.time.name.empty() ? "" : "  " + row.time.name);
}

}  // namespace

const verify::Bound* lowest_bound(const ModelBounds& found) {
  const verify::Bound* lowest = nullptr;
  for (const verify::Bound& bound : found.bounds) {
    if (!is_counted(bound)) continue;
    if (lowest == nullptr || bound.bound_ps < lowest->bound_ps) lowest = &bound;
  }
  return lowest;
}

std::vector<std::string> counted_methods(const ModelBounds& found) {
  std::vector<std::string> methods;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(methods, name) == methods.end()) methods.push_back(name);
  };
  for (const verify::Bound& bound : found.bounds) {
    if (!is_counted(bound)) continue;
    const bool is_exact = bound.name == "exact" || bound.name == "smt";
    if (!is_exact) {
      add(bound.name);
    } else if (found.exact && found.exact->is_complete) {
      add("exact");
    } else if (bound.name == "exact") {
      for (const char* in_its_place : {"serial", "graham", "typed", "he2022"}) add(in_its_place);
    }
  }
  return methods;
}

std::string fault_of_sum(const BoundBudget& budget) {
  const std::uint64_t sum_ps = sum_of(budget).sum_ps();
  if (sum_ps == budget.bound_ps) return "";
  return fmt::format("the budget of {} adds up to {} ps, and the bound is {} ps: a fault of Detent, please report it; ",
                     budget.method, sum_ps, budget.bound_ps);
}

std::optional<BoundBudget> analytic_budget(const std::string& bound, const detent_desc& desc,
                                           const PlatformProblems& problems, const sim::Platform& platform) {
  const std::optional<Divided> divided =
      lower_of(problems, verify::bound_budget(problems.by_op, bound), verify::bound_budget(problems.by_total, bound));
  if (!divided) return std::nullopt;
  BoundBudget made{.method = bound, .outcomes = "", .bound_ps = 0};
  Table(desc, platform, problems).fill(*divided, made);
  made.bound_ps = sum_of(made).sum_ps();
  return made;
}

std::optional<BoundBudget> lowest_budget(const BoundedCases& bounded) {
  const verify::Bound* lowest = lowest_bound(bounded.found);
  if (lowest == nullptr) return std::nullopt;
  for (const std::string& method : counted_methods(bounded.found)) {
    for (const BoundCase& one : bounded.cases) {
      const bool is_exact = method == "exact";
      if (is_exact && (!bounded.found.exact_budget || bounded.found.exact_budget->outcomes != one.loaded->outcomes)) {
        continue;
      }
      const PlatformProblems problems = timing_problems(one.loaded->desc(), bounded.platform, one.spec);
      const std::uint64_t bound_ps =
          is_exact ? bounded.found.exact_budget->bound_ps : bound_of_case(method, one, problems, bounded.platform);
      if (bound_ps != lowest->bound_ps) continue;
      const std::optional<Divided> divided = divide(method, one, problems, bounded.found.exact_budget);
      if (!divided) return std::nullopt;
      BoundBudget made{.method = method, .outcomes = one.loaded->outcomes, .bound_ps = bound_ps};
      const reports::TimeGrounds times =
          time_grounds(*one.loaded, bounded.platform, jitter_name(one.spec.jitter), one.loaded->model.name);
      Table(one.loaded->desc(), bounded.platform, problems).fill(*divided, made);
      for (BudgetRow& row : made.rows) {
        if (!row.op) continue;
        row.time = times.classes[times.class_of[*row.op]];
      }
      made.fault = fault_of_sum(made);
      return made;
    }
  }
  return std::nullopt;
}

Lines budget_lines(const BoundBudget& budget) {
  constexpr std::size_t kShown = 12;
  std::vector<BudgetRow> rows = budget.rows;
  std::ranges::stable_sort(rows, std::ranges::greater(), &BudgetRow::sum_ps);
  Lines lines{fmt::format("budget of {}, {}{}", budget.method, format_time_up(budget.bound_ps),
                          budget.outcomes.empty() ? "" : " where " + budget.outcomes),
              fmt::format("{:<17} {:>9} {:>9} {:>12} {:>9} {:>9}  {}", "op", "own time", "overhead", "interference",
                          "waiting", "sum", "time is")};
  for (std::size_t i = 0; i < std::min(kShown, rows.size()); ++i)
    lines.push_back(row_line(rows[i], cell(rows[i].sum_ps())));
  if (rows.size() > kShown) {
    BudgetRow rest{.kind = "rest", .name = fmt::format("{} more", rows.size() - kShown)};
    for (std::size_t i = kShown; i < rows.size(); ++i) add_times(rows[i], rest);
    lines.push_back(row_line(rest, cell(rest.sum_ps())));
  }
  const BudgetRow sum = sum_of(budget);
  lines.push_back(row_line(sum, format_time_up(sum.sum_ps())));
  std::string clients;
  for (std::size_t i = 0; i < budget.channels.size(); ++i) {
    if (sum.interference_ps[i] == 0) continue;
    clients +=
        fmt::format("{}{} {}", clients.empty() ? "" : ", ", budget.channels[i], format_time(sum.interference_ps[i]));
  }
  if (!clients.empty()) lines.push_back("interference by client: " + clients);
  return lines;
}

}  // namespace detent::app
