// One access: narrow the loops by the conditions, write divided loop variables in digits, then group and add up.
#include "models/import/tvm/footprint/sets/access_set.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "models/import/tvm/footprint/sets/enumerate.hpp"
#include "models/import/tvm/footprint/terms/term_logic.hpp"
#include "models/import/tvm/footprint/terms/term_replace.hpp"

namespace detent::models::tvm::footprint {
namespace {

constexpr std::uint64_t kMostIntervals = 1U << 19U;
constexpr std::int64_t kMostDataValues = std::int64_t{1} << 24U;
constexpr std::int64_t kFarthestByte = std::int64_t{1} << 50U;
constexpr std::int64_t kFewPoints = 64;  ///< always enumerated
constexpr int kMostRounds = 8;

}  // namespace

SetBuilder::SetBuilder(Terms& terms, std::uint64_t max_points)
    : terms_(terms),
      max_points_(max_points),
      steps_left_(max_points < std::numeric_limits<std::uint64_t>::max() / 2 ? 2 * max_points : max_points),
      intervals_left_(6 * kMostIntervals) {}

Range SetBuilder::domain(const Work& work, VarId variable) const {
  const auto found = work.domains.find(variable);
  return found != work.domains.end() ? found->second : terms_.variable(variable).domain;
}

Range SetBuilder::summand_range(const Work& work, const Summand& summand) const {
  const Node& node = terms_.node(summand.first);
  const Range range = node.op == Op::kVariable ? domain(work, static_cast<VarId>(node.value)) : node.range;
  return mul(range, {summand.second, summand.second});
}

void SetBuilder::flatten(NodeId guard, std::set<NodeId>& seen, std::vector<NodeId>& into) const {
  if (!seen.insert(guard).second) return;
  const Node& node = terms_.node(guard);
  if (node.op == Op::kLogicAnd) {
    flatten(node.args[0], seen, into);
    flatten(node.args[1], seen, into);
    return;
  }
  const bool negates_or = node.op == Op::kSum && node.value == 1 && node.args.size() == 1 && node.coefs[0] == -1 &&
                          terms_.node(node.args[0]).op == Op::kLogicOr;
  if (!negates_or) {
    into.push_back(guard);
    return;
  }
  const std::vector<NodeId> parts = terms_.node(node.args[0]).args;
  for (const NodeId part : parts) flatten(logic_not(terms_, part), seen, into);
}

void SetBuilder::limit(Work& work, VarId variable, const Range& to) const {
  Range range = domain(work, variable);
  range.lo = std::max(range.lo, to.lo);
  range.hi = std::min(range.hi, to.hi);
  if (range.lo > range.hi) work.empty = true;
  work.domains[variable] = range;
}

/// Limits that `guard` sets to each of its variables. True: the limits say all that the guard says.
bool SetBuilder::narrow_by(Work& work, NodeId guard) const {
  if (terms_.is_constant(guard)) {
    work.empty = work.empty || terms_.offset_of(guard) == 0;
    return true;
  }
  const Node& node = terms_.node(guard);
  if (node.op != Op::kGe0 && node.op != Op::kEq0) return false;
  const std::vector<Summand> summands = terms_.summands(node.args[0]);
  const std::int64_t offset = terms_.offset_of(node.args[0]);
  for (std::size_t i = 0; i < summands.size(); ++i) {
    const Node& atom = terms_.node(summands[i].first);
    if (atom.op != Op::kVariable) continue;
    Range rest = {offset, offset};
    for (std::size_t j = 0; j < summands.size(); ++j) {
      if (j != i) rest = add(rest, summand_range(work, summands[j]));
    }
    // coef * v >= -rest.hi, and for an equation also coef * v <= -rest.lo
    const std::int64_t coef = summands[i].second;
    const std::int64_t size = std::abs(coef);
    Range to = {-footprint::floor_div(rest.hi, size), kFar};
    if (node.op == Op::kEq0) to.hi = footprint::floor_div(-rest.lo, size);
    if (coef < 0) to = {-to.hi, -to.lo};
    limit(work, static_cast<VarId>(atom.value), to);
  }
  return summands.size() == 1 && terms_.node(summands[0].first).op == Op::kVariable;
}

void SetBuilder::narrow(Work& work) const {
  for (int round = 0; round < kMostRounds && !work.empty; ++round) {
    const std::map<VarId, Range> before = work.domains;
    std::erase_if(work.guards, [&](NodeId guard) {
      const bool says_all = narrow_by(work, guard);
      if (says_all && terms_.node(guard).data) work.exact = false;  // nobody knows whether it holds
      return says_all;
    });
    if (work.domains == before) return;
  }
}

void SetBuilder::collect_moduli(NodeId id, std::set<NodeId>& seen, Moduli& moduli) const {
  if (!seen.insert(id).second) return;
  const Node& node = terms_.node(id);
  for (const NodeId arg : node.args) {
    if (!terms_.node(arg).vars.empty()) collect_moduli(arg, seen, moduli);
  }
  if (node.op != Op::kFloorDiv && node.op != Op::kFloorMod) return;
  for (const auto& [atom, coef] : terms_.summands(node.args[0])) {
    const Node& inner = terms_.node(atom);
    if (inner.op != Op::kVariable || inner.data) continue;
    moduli[static_cast<VarId>(inner.value)].push_back(node.value / std::gcd(coef, node.value));
  }
}

/// v / 34 and v % 34 disappear when v is written 34 * q + r. True: something was rewritten.
bool SetBuilder::split_into_digits(Work& work) {
  Moduli moduli;
  std::set<NodeId> seen;
  collect_moduli(work.offset, seen, moduli);
  for (const NodeId guard : work.guards) collect_moduli(guard, seen, moduli);
  std::map<VarId, NodeId> replacement;
  for (auto& [variable, candidates] : moduli) {
    const Range range = domain(work, variable);
    std::sort(candidates.begin(), candidates.end());
    std::vector<std::int64_t> chain;
    for (const std::int64_t modulus : candidates) {
      const std::int64_t last = chain.empty() ? 1 : chain.back();
      const bool fits =
          modulus > last && modulus % last == 0 && modulus < count_of(range) && count_of(range) % modulus == 0;
      if (fits) chain.push_back(modulus);
    }
    if (!chain.empty()) replacement.emplace(variable, terms_.digits(variable, range, chain));
  }
  if (replacement.empty()) return false;
  std::map<NodeId, NodeId> memo;
  work.offset = substitute(terms_, work.offset, replacement, memo);
  std::vector<NodeId> guards;
  seen.clear();
  for (const NodeId guard : work.guards) flatten(substitute(terms_, guard, replacement, memo), seen, guards);
  work.guards = std::move(guards);
  return true;
}

/// Conditions on values in memory have set what limits they can.
void SetBuilder::drop_data_guards(Work& work) const {
  const std::size_t before = work.guards.size();
  std::erase_if(work.guards, [&](NodeId guard) { return terms_.node(guard).data; });
  if (work.guards.size() != before) work.exact = false;
}

bool SetBuilder::is_unbounded(const Work& work) const {
  Range range = {terms_.offset_of(work.offset), terms_.offset_of(work.offset)};
  for (const Summand& summand : terms_.summands(work.offset)) {
    range = add(range, summand_range(work, summand));
    const Node& atom = terms_.node(summand.first);
    if (atom.op != Op::kVariable || !atom.data) continue;
    if (count_of(domain(work, static_cast<VarId>(atom.value))) > kMostDataValues) return true;
  }
  return range.lo < -kFarthestByte || range.hi > kFarthestByte;
}

std::vector<SetBuilder::Group> SetBuilder::groups_of(const Work& work) const {
  std::map<VarId, VarId> parent;
  const auto root = [&](VarId variable) {
    while (parent.at(variable) != variable) variable = parent.at(variable);
    return variable;
  };
  const auto join = [&](NodeId id) {
    const std::vector<VarId>& vars = terms_.node(id).vars;
    for (const VarId variable : vars) parent.emplace(variable, variable);
    for (const VarId variable : vars) parent[root(variable)] = root(vars[0]);
  };
  const std::vector<Summand> summands = terms_.summands(work.offset);
  for (const auto& [atom, coef] : summands) join(atom);
  for (const NodeId guard : work.guards) join(guard);
  std::map<VarId, Group> groups;
  for (const auto& [variable, up] : parent) groups[root(variable)].vars.push_back(variable);
  for (const Summand& summand : summands) {
    if (!terms_.node(summand.first).vars.empty()) {
      groups[root(terms_.node(summand.first).vars[0])].summands.push_back(summand);
    }
  }
  for (const NodeId guard : work.guards) groups[root(terms_.node(guard).vars[0])].guards.push_back(guard);
  std::vector<Group> result;
  for (auto& [variable, group] : groups) result.push_back(std::move(group));
  return result;
}

void SetBuilder::add_span(Work& work, const Group& group, Summands& into) const {
  work.exact = false;
  Range range = {0, 0};
  std::int64_t factor = 0;
  for (const Summand& summand : group.summands) {
    range = add(range, summand_range(work, summand));
    factor = std::gcd(factor, summand.second);
  }
  into.offset += range.lo;
  if (factor != 0) into.add_progression(factor, (range.hi - range.lo) / factor + 1);
}

bool SetBuilder::add_group(Work& work, const Group& group, Summands& into) {
  const bool is_progression =
      group.guards.empty() && group.vars.size() == 1 && terms_.node(group.summands[0].first).op == Op::kVariable;
  if (is_progression && group.summands.size() == 1) {
    const Range range = domain(work, group.vars[0]);
    into.offset += group.summands[0].second * range.lo;
    into.add_progression(group.summands[0].second, count_of(range));
    return true;
  }
  Enumeration what = {group.vars, {}, group.summands, group.guards};
  std::stable_sort(what.vars.begin(), what.vars.end(),
                   [&](VarId a, VarId b) { return count_of(domain(work, a)) < count_of(domain(work, b)); });
  std::int64_t points = 1;
  for (const VarId variable : what.vars) {
    what.domains.push_back(domain(work, variable));
    points = saturating_mul(points, count_of(what.domains.back()));
  }
  const std::uint64_t steps =
      static_cast<std::uint64_t>(saturating_mul(points, static_cast<std::int64_t>(steps_of(terms_, what))));
  const bool is_small = points <= kFewPoints;
  if (!is_small && (static_cast<std::uint64_t>(points) > max_points_ || steps > steps_left_)) {
    add_span(work, group, into);
    return true;
  }
  steps_left_ -= std::min(steps_left_, steps);
  std::vector<std::int64_t> values = enumerate(terms_, what);
  if (values.empty()) return false;
  into.add_points(std::move(values));
  return true;
}

TouchedBytes SetBuilder::build_relative(const AccessShape& access) {
  Work work;
  work.offset = access.offset;
  std::set<NodeId> seen;
  for (const NodeId guard : access.guards) flatten(guard, seen, work.guards);
  narrow(work);
  for (int round = 0; round < kMostRounds && !work.empty && split_into_digits(work); ++round) narrow(work);
  if (work.empty) return {};
  drop_data_guards(work);
  if (is_unbounded(work)) return {{}, false, true};
  if (terms_.node(work.offset).data) work.exact = false;
  Summands summands;
  summands.offset = terms_.offset_of(work.offset);
  for (const Group& group : groups_of(work)) {
    if (!add_group(work, group, summands)) return {};
  }
  const std::uint64_t most = std::clamp<std::uint64_t>(intervals_left_ / 2, 64, kMostIntervals);
  SumResult sum = sum_set(summands, access.width, most);
  const std::uint64_t used = sum.exact ? sum.bytes.intervals().size() : most / 2;
  intervals_left_ -= std::min(intervals_left_, used);
  return {std::move(sum.bytes), work.exact && sum.exact, false};
}

TouchedBytes SetBuilder::build(const AccessShape& access) {
  const std::int64_t offset = terms_.offset_of(access.offset);
  AccessShape relative = access;
  relative.offset = terms_.add(access.offset, terms_.constant(-offset));
  auto found = known_.find(relative);
  if (found == known_.end()) found = known_.emplace(relative, build_relative(relative)).first;
  TouchedBytes result = found->second;
  if (std::abs(offset) > kFarthestByte) return {{}, false, true};
  result.bytes = result.bytes.shifted(offset);
  return result;
}

}  // namespace detent::models::tvm::footprint
