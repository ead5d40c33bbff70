// Ops and edges -> terms over starts, ends and one instant.
#include "verify/smt/solver/schedule_terms.hpp"

#include <utility>

#include "verify/verdict/names.hpp"

namespace detent::verify::smt {

ScheduleTerms::ScheduleTerms(Script& script, const detent_desc& desc, const Term* condition)
    : script_(script), desc_(desc), has_condition_(condition != nullptr), now_(script.integer("now")) {
  if (condition != nullptr) condition_ = *condition;
}

void ScheduleTerms::require(Term term, std::string comment) {
  script_.require(has_condition_ ? script_.implies(condition_, term) : term, std::move(comment));
}

void ScheduleTerms::add_op(OpId op) {
  const std::string number = std::to_string(op);
  const Term start = script_.integer("start_" + number);
  const Term end = script_.integer("end_" + number);
  started_.push_back(script_.boolean("started_" + number));
  ended_.push_back(script_.boolean("ended_" + number));
  start_.push_back(start);
  end_.push_back(end);
  require(script_.all_of({script_.at_most(script_.number(0), start), script_.less(start, end)}), op_name(desc_, op));
  require(script_.equal(started_[op], script_.at_most(start, now_)));
  require(script_.equal(ended_[op], script_.at_most(end, now_)));
  require(script_.implies(ended_[op], started_[op]), "follows");
}

void ScheduleTerms::add_edges(OpId op, std::span<const std::uint32_t> successors) {
  for (const std::uint32_t successor : successors) {
    require(script_.at_most(end_[op], start_[successor]),
            op_name(desc_, op) + " precedes " + op_name(desc_, successor));
    require(script_.implies(started_[successor], ended_[op]), "follows");
  }
}

}  // namespace detent::verify::smt
