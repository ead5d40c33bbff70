// ScheduleTerms: any schedule of a Desc's ops and any instant of it, as terms.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"
#include "verify/smt/solver/script.hpp"

namespace detent::verify::smt {

/// A schedule is a start and an end per op, start < end, and end_a <= start_b for every edge; `now` is any instant.
/// Each state of an op at the instant is also a boolean: what follows from states alone then needs no arithmetic.
/// All of it is asserted under `condition`, where one is given: from edges that close a cycle everything would follow.
class ScheduleTerms {
 public:
  /// @param condition  null: always
  ScheduleTerms(Script& script, const detent_desc& desc, const Term* condition);

  void add_op(OpId op);
  /// After all ops. @param successors  of the op, in range
  void add_edges(OpId op, std::span<const std::uint32_t> successors);

  [[nodiscard]] Term started(OpId op) const { return started_[op]; }
  [[nodiscard]] Term ended(OpId op) const { return ended_[op]; }
  [[nodiscard]] Term active(OpId op) { return script_.all_of({started_[op], script_.negate(ended_[op])}); }
  [[nodiscard]] const std::vector<Term>& start() const { return start_; }
  [[nodiscard]] Term end(OpId op) const { return end_[op]; }
  [[nodiscard]] Term now() const { return now_; }

 private:
  void require(Term term, std::string comment = "");

  Script& script_;
  const detent_desc& desc_;
  bool has_condition_;
  Term condition_{};
  Term now_{};
  std::vector<Term> start_, end_, started_, ended_;
};

}  // namespace detent::verify::smt
