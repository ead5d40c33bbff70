#include "verify/smt/solver/inquiry.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/counted.hpp"

namespace detent::verify::smt {

std::optional<bool> Inquiry::ask(std::span<const Term> assumptions) {
  switch (solver_.check(assumptions)) {
    case Answer::kSat:
      return true;
    case Answer::kUnsat:
      return false;
    case Answer::kUnknown:
      break;
  }
  reason_ = solver_.reason();
  return std::nullopt;
}

bool Inquiry::has_schedule(std::initializer_list<Term> assumptions) {
  const std::optional<bool> is_possible = ask(assumptions);
  if (is_possible && !*is_possible) reason_ = "there is no schedule: the edges close a cycle";
  return is_possible.value_or(false);
}

bool Inquiry::stop(std::string reason) {
  reason_ = std::move(reason);
  return false;
}

void Inquiry::forbid(std::initializer_list<Term> terms) {
  std::vector<Term> ways;
  for (const Term term : terms) ways.push_back(script_.negate(term));
  script_.require(script_.any_of(ways));
}

std::vector<std::uint32_t> Inquiry::schedule(const std::vector<Term>& start) const {
  std::vector<std::uint64_t> at;
  for (const Term term : start) at.push_back(solver_.value(term));
  std::vector<std::uint32_t> ops(at.size());
  std::iota(ops.begin(), ops.end(), 0U);
  std::ranges::stable_sort(ops, {}, [&](std::uint32_t op) { return at[op]; });
  return ops;
}

std::string proof_head(const ProofCost& cost) {
  return Solver::version() + ", " + counted(cost.questions, "question") + ": ";
}

}  // namespace detent::verify::smt
