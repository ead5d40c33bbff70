#include "app/bound/abstract_bound.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/bound/exact_bound.hpp"

namespace detent::app {
namespace {

AbstractBound does_not_apply(const std::string& why) {
  AbstractBound made;
  made.bound = {.name = "sag",
                .bound_ps = verify::kUnknownPs,
                .is_upper = true,
                .exact = false,
                .assumptions = "does not apply: " + why};
  return made;
}

std::vector<verify::Response> narrowed(const std::vector<verify::Response>& found,
                                       std::vector<verify::Response> analytic) {
  for (verify::Response& response : analytic) {
    response.min_ps = std::max(response.min_ps, found[response.op].min_ps);
    response.max_ps = std::min(response.max_ps, found[response.op].max_ps);
  }
  return analytic;
}

}  // namespace

AbstractBound abstract_bound(const detent_desc& desc, const PlatformProblems& problems, const sim::Platform& platform,
                             const BoundSpec& spec, const AbstractQuestion& question,
                             const std::vector<verify::Response>& analytic) {
  verify::ReadyOrder order = ready_order(desc, question.policy);
  if (const std::string why = outside_definition(problems, platform, spec); !why.empty()) return does_not_apply(why);
  const verify::AbstractTimes found = verify::abstract_times(
      problems.by_op, {.order = std::move(order), .max_states = question.max_states, .width = question.width});
  if (!found.applies) return does_not_apply(found.reason);
  AbstractBound made;
  made.bound = {
      .name = "sag",
      .bound_ps = found.worst_ps,
      .is_upper = true,
      .exact = false,
      .assumptions = fmt::format(
          "policy {}, completions one at a time in any order, each op takes any time in its range{}", question.policy,
          found.is_complete ? "" : "; " + found.reason + ": from there on by the analytic bounds")};
  made.summary = {found.is_complete, found.best_ps, found.states};
  made.responses = narrowed(found.responses, analytic);
  return made;
}

AbstractBound no_abstract_bound() {
  return does_not_apply(
      "there are too many combinations of outcomes to look at each; say how decisions come out with --outcome");
}

}  // namespace detent::app
