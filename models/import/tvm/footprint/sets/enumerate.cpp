// The terms become straight-line code, sorted by the innermost variable it needs, so that inner loops run only what
// changes. Values are collected in a bit map where their span allows.
#include "models/import/tvm/footprint/sets/enumerate.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace detent::models::tvm::footprint {
namespace {

constexpr std::int64_t kMostBits = std::int64_t{1} << 27U;

class Collector {
 public:
  Collector(const Terms& terms, const Enumeration& what) {
    Range range = {0, 0};
    std::int64_t factor = 0;
    for (const auto& [term, coef] : what.summands) {
      range = add(range, mul(terms.node(term).range, {coef, coef}));
      factor = std::gcd(factor, coef);
    }
    step_ = std::max<std::int64_t>(factor, 1);
    lowest_ = range.lo;
    const std::int64_t places = count_of(range) / step_ + 1;
    if (places <= kMostBits) bits_.assign(static_cast<std::size_t>(places / 64 + 1), 0);
  }

  void take(std::int64_t value) {
    if (bits_.empty()) {
      if (loose_.empty() || loose_.back() != value) loose_.push_back(value);
      return;
    }
    const auto place = static_cast<std::uint64_t>((value - lowest_) / step_);
    if (place / 64 < bits_.size()) bits_[place / 64] |= std::uint64_t{1} << (place % 64);
  }

  std::vector<std::int64_t> values() {
    std::sort(loose_.begin(), loose_.end());
    loose_.erase(std::unique(loose_.begin(), loose_.end()), loose_.end());
    for (std::size_t word = 0; word < bits_.size(); ++word) {
      for (std::uint64_t rest = bits_[word]; rest != 0; rest &= rest - 1) {
        const auto place = static_cast<std::int64_t>(word * 64) + __builtin_ctzll(rest);
        loose_.push_back(lowest_ + place * step_);
      }
    }
    return std::move(loose_);
  }

 private:
  std::int64_t lowest_ = 0;
  std::int64_t step_ = 1;
  std::vector<std::uint64_t> bits_;
  std::vector<std::int64_t> loose_;
};

class Enumerator {
 public:
  Enumerator(const Terms& terms, const Enumeration& what) : terms_(terms), what_(what), collector_(terms, what) {
    levels_.resize(what.vars.size());
    for (std::size_t i = 0; i < what.vars.size(); ++i) {
      slots_.emplace_back();
      level_of_variable_[what.vars[i]] = i;
    }
    for (const NodeId guard : what.guards) {
      const std::uint32_t slot = place(guard);
      levels_[level_of(guard)].guards.push_back(slot);
    }
    for (const auto& [term, coef] : what.summands) weights_.emplace_back(place(term), coef);
  }

  std::vector<std::int64_t> run() {
    visit(0);
    return collector_.values();
  }

 private:
  struct Step {
    const Node* node;
    std::vector<std::uint32_t> args;
    std::uint32_t slot;
  };
  struct Level {
    std::vector<Step> steps;
    std::vector<std::uint32_t> guards;
  };

  [[nodiscard]] std::size_t level_of(NodeId id) const {
    std::size_t level = 0;
    for (const VarId variable : terms_.node(id).vars) level = std::max(level, level_of_variable_.at(variable));
    return level;
  }

  std::uint32_t place(NodeId id) {
    const Node& node = terms_.node(id);
    if (node.op == Op::kVariable) {
      return static_cast<std::uint32_t>(level_of_variable_.at(static_cast<VarId>(node.value)));
    }
    const auto found = places_.find(id);
    if (found != places_.end()) return found->second;
    Step step = {&node, {}, 0};
    for (const NodeId arg : node.args) step.args.push_back(place(arg));
    step.slot = static_cast<std::uint32_t>(slots_.size());
    slots_.emplace_back();
    const std::uint32_t slot = step.slot;
    places_.emplace(id, slot);
    if (node.vars.empty()) {
      slots_[slot] = evaluate(node, slots_, step.args);
    } else {
      levels_[level_of(id)].steps.push_back(std::move(step));
    }
    return slot;
  }

  /// True: nothing more can be learnt.
  bool visit(std::size_t depth) {
    const Level& level = levels_[depth];
    for (std::int64_t value = what_.domains[depth].lo; value <= what_.domains[depth].hi; ++value) {
      slots_[depth].integer = value;
      for (const Step& step : level.steps) slots_[step.slot] = evaluate(*step.node, slots_, step.args);
      const bool holds = std::all_of(level.guards.begin(), level.guards.end(),
                                     [this](std::uint32_t slot) { return slots_[slot].integer != 0; });
      if (!holds) continue;
      if (depth + 1 < levels_.size()) {
        if (visit(depth + 1)) return true;
        continue;
      }
      collector_.take(total());
      if (weights_.empty()) return true;
    }
    return false;
  }

  [[nodiscard]] std::int64_t total() const {
    std::int64_t sum = 0;
    for (const auto& [slot, coef] : weights_) sum += slots_[slot].integer * coef;
    return sum;
  }

  const Terms& terms_;
  const Enumeration& what_;
  Collector collector_;
  std::map<VarId, std::size_t> level_of_variable_;
  std::map<NodeId, std::uint32_t> places_;
  std::vector<Slot> slots_;
  std::vector<Level> levels_;
  std::vector<std::pair<std::uint32_t, std::int64_t>> weights_;
};

}  // namespace

std::uint64_t steps_of(const Terms& terms, const Enumeration& what) {
  std::set<NodeId> seen;
  std::vector<NodeId> open = what.guards;
  for (const Summand& summand : what.summands) open.push_back(summand.first);
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (!seen.insert(id).second) continue;
    open.insert(open.end(), terms.node(id).args.begin(), terms.node(id).args.end());
  }
  return seen.size();
}

std::vector<std::int64_t> enumerate(const Terms& terms, const Enumeration& what) {
  return Enumerator(terms, what).run();
}

}  // namespace detent::models::tvm::footprint
