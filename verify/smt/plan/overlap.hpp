// PlanOverlap: the law that two tensors that live at once share no byte (B42).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"
#include "verify/smt/plan/users.hpp"
#include "verify/smt/plan/writer.hpp"
#include "verify/smt/solver/byte_terms.hpp"
#include "verify/smt/solver/schedule_terms.hpp"

namespace detent::verify::smt {

/// Does it take part in the law? Weights, views and byte ranges do not.
bool is_resident(const detent_desc& desc, const detent_tensor& tensor);

class PlanOverlap {
 public:
  /// What the law is stated with; all must outlive it.
  struct Terms {
    PlanQuery& query;
    PlanWriter& writer;
    ByteTerms& bytes;
    ScheduleTerms& schedule;
    Term region;  ///< of the overlap
  };
  /// @param has_schedule  the schedule is stated; without it no tensor lives
  PlanOverlap(const detent_desc& desc, const Terms& terms, bool has_schedule);

  /// False: a limit was reached.
  bool add();

 private:
  Term lives(std::uint32_t id);
  Term is_before_run();
  Term is_after_run();
  std::vector<Term> held_mutexes(std::uint32_t id);
  void add_resident(std::uint32_t id);
  Term lies_in_value(std::uint32_t id);
  void add_meetings();
  Term is_outside();
  void allow_in_place(std::uint32_t id);
  void allow(OpId op, std::uint32_t from, std::uint32_t to);

  const detent_desc& desc_;
  PlanQuery& query_;
  Script& script_;
  PlanWriter& writer_;
  ByteTerms& bytes_;
  ScheduleTerms& schedule_;
  Term region_;
  bool has_schedule_;
  PlanUsers users_;
  std::optional<Term> before_run_, after_run_;
  std::map<std::uint32_t, Term> holder_;    ///< of mutexes
  std::vector<std::uint32_t> resident_of_;  ///< by tensor, or DETENT_NONE
};

}  // namespace detent::verify::smt
