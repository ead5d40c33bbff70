// PlanWriter: adds to a PlanQuery step by step, within a budget.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/smt/plan/formula.hpp"
#include "verify/smt/solver/budget.hpp"

namespace detent::verify::smt {

class PlanWriter {
 public:
  /// Both must outlive it.
  PlanWriter(PlanQuery& query, const Budget& budget) : query_(query), budget_(budget) {}

  /// Until a limit is reached: one step per term. False: it was, and query.stopped says where.
  template <typename Add>
  bool for_each(const char* what, std::uint32_t count, Add add) {
    for (std::uint32_t id = 0; id < count; ++id) {
      query_.stopped = stopped_building(budget_, query_.script, what, id, count);
      if (!query_.stopped.empty()) return false;
      add(id);
    }
    return true;
  }

  /// A law may be broken only as `when` says.
  void add_fault(const std::string& text, Term when, std::vector<std::uint32_t> ops = {});
  [[nodiscard]] Term same(std::uint64_t a, std::uint64_t b) {
    return query_.script.equal(query_.script.number(a), query_.script.number(b));
  }

 private:
  PlanQuery& query_;
  const Budget& budget_;
};

}  // namespace detent::verify::smt
