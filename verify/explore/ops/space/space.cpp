// Desc -> open pairs and their dependence graph.
#include "verify/explore/ops/space/space.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace detent::verify::explore {
namespace {

/// One entry per pair; the first race of it is kept.
void append_pairs(const RaceList& list, PairKind kind, std::vector<OpPair>& to) {
  for (const Race& race : list.listed) {
    const bool again = !to.empty() && to.back().op_a == race.op_a && to.back().op_b == race.op_b;
    if (!again) to.push_back({race.op_a, race.op_b, kind, race});
  }
}

/// The report with no order declared irrelevant: commuting pairs show as order-dependent.
RaceReport find_races_without_groups(const detent_desc& desc, const RaceOptions& options) {
  std::vector<detent_op> ops(desc.ops, desc.ops + desc.op_count);
  for (detent_op& op : ops) op.commute_group = DETENT_NONE;
  detent_desc ungrouped = desc;
  ungrouped.ops = ops.data();
  return find_races(ungrouped, options);
}

bool has_groups(const detent_desc& desc) {
  return std::any_of(desc.ops, desc.ops + desc.op_count,
                     [](const detent_op& op) { return op.commute_group != DETENT_NONE; });
}

bool by_ops(const OpPair& x, const OpPair& y) { return x.op_a != y.op_a ? x.op_a < y.op_a : x.op_b < y.op_b; }
bool same_ops(const OpPair& x, const OpPair& y) { return x.op_a == y.op_a && x.op_b == y.op_b; }

/// Pairs of different ops that share a mutex; at most `most` of them.
std::vector<OpPair> pairs_by_mutex(const detent_desc& desc, std::uint64_t most) {
  std::vector<std::vector<std::uint32_t>> users(desc.mutex_count);
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_slice& slice = desc.ops[op].mutexes;
    for (std::uint32_t k = 0; k < slice.count; ++k) users[desc.mutex_refs[slice.first + k]].push_back(op);
  }
  std::vector<OpPair> pairs;
  for (const std::vector<std::uint32_t>& ops : users) {
    for (std::size_t j = 0; j < ops.size(); ++j) {
      for (std::size_t i = 0; i < j && pairs.size() <= most; ++i) {
        pairs.push_back({ops[i], ops[j], PairKind::kMutexOnly, {}});
      }
    }
  }
  std::sort(pairs.begin(), pairs.end(), by_ops);
  pairs.erase(std::unique(pairs.begin(), pairs.end(), same_ops), pairs.end());
  return pairs;
}

/// after.set(i, j) for all i < j of `positions` that the closure orders.
void fill_order(const Order& order, const std::vector<std::uint32_t>& positions, DependenceGraph& graph) {
  ReachBlock block(order, block_width(order.op_count()));
  const std::uint32_t width = block.words() * 64;
  std::size_t j = 0;
  while (j < positions.size()) {
    block.compute(positions[j] / width * width);
    const std::uint32_t end = block.first() + block.column_count();
    for (; j < positions.size() && positions[j] < end; ++j) {
      for (std::uint32_t i = 0; i < j; ++i) {
        if (!block.precedes(positions[i], positions[j] - block.first())) continue;
        graph.after.set(i, static_cast<std::uint32_t>(j));
        graph.before.set(static_cast<std::uint32_t>(j), i);
      }
    }
  }
}

}  // namespace

OpSpace::OpSpace(const detent_desc& desc, const SpaceOptions& options) : desc_(desc), order_(desc) {
  report_ = find_races(desc, {.max_listed = options.max_pairs});
  collect_pairs(options);
  if (options.mutex_orders) collect_mutex_pairs(options);
  index_predecessors();
  make_graph();
}

void OpSpace::collect_pairs(const SpaceOptions& options) {
  append_pairs(report_.races, PairKind::kRace, pairs_);
  append_pairs(report_.order_dependent, PairKind::kOrderDependent, pairs_);
  complete_ = report_.races.count == report_.races.listed.size() &&
              report_.order_dependent.count == report_.order_dependent.listed.size();
  std::sort(pairs_.begin(), pairs_.end(), by_ops);
  if (!has_groups(desc_)) return;
  const RaceReport all = find_races_without_groups(desc_, {.max_listed = options.max_pairs});
  std::vector<OpPair> dependent;
  append_pairs(all.order_dependent, PairKind::kCommuting, dependent);
  std::set_difference(dependent.begin(), dependent.end(), pairs_.begin(), pairs_.end(), std::back_inserter(ignored_),
                      by_ops);
  if (!options.commuting_orders) return;
  complete_ = complete_ && all.order_dependent.count == all.order_dependent.listed.size();
  pairs_.insert(pairs_.end(), ignored_.begin(), ignored_.end());
  ignored_.clear();
  std::sort(pairs_.begin(), pairs_.end(), by_ops);
}

void OpSpace::collect_mutex_pairs(const SpaceOptions& options) {
  std::vector<OpPair> candidates = pairs_by_mutex(desc_, options.max_pairs);
  complete_ = complete_ && candidates.size() <= options.max_pairs;
  std::vector<EventPair> ids;
  ids.reserve(candidates.size());
  for (const OpPair& pair : candidates) ids.emplace_back(pair.op_a, pair.op_b);
  const std::vector<Relation> relations = relate_pairs(order_, ids);
  const std::size_t known = pairs_.size();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto end = pairs_.begin() + static_cast<std::ptrdiff_t>(known);
    const bool listed = std::binary_search(pairs_.begin(), end, candidates[i], by_ops);
    if (relations[i] == Relation::kUnordered && !listed) pairs_.push_back(candidates[i]);
  }
  std::sort(pairs_.begin(), pairs_.end(), by_ops);
}

void OpSpace::index_predecessors() {
  const std::uint32_t count = order_.op_count();
  first_source_.assign(std::size_t{count} + 1, 0);
  for (std::uint32_t p = 0; p < count; ++p) {
    for (const std::uint32_t q : order_.successors(p)) ++first_source_[q + 1];
  }
  for (std::uint32_t p = 0; p < count; ++p) first_source_[p + 1] += first_source_[p];
  sources_.resize(first_source_[count]);
  std::vector<std::uint32_t> next(first_source_.begin(), first_source_.end() - 1);
  for (std::uint32_t p = 0; p < count; ++p) {
    for (const std::uint32_t q : order_.successors(p)) sources_[next[q]++] = p;
  }
}

void OpSpace::make_graph() {
  std::vector<std::uint32_t> positions;
  for (const OpPair& pair : pairs_) {
    positions.push_back(order_.position_of(pair.op_a));
    positions.push_back(order_.position_of(pair.op_b));
  }
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  if (positions.size() > kMaxOpenOps) {
    complete_ = false;
    return;
  }
  const auto size = static_cast<std::uint32_t>(positions.size());
  graph_ = {BitMatrix(size), BitMatrix(size), BitMatrix(size)};
  fill_order(order_, positions, graph_);
  std::vector<std::uint32_t> event_of(order_.op_count(), DETENT_NONE);
  for (std::uint32_t i = 0; i < size; ++i) {
    open_ops_.push_back(order_.op_at(positions[i]));
    event_of[open_ops_.back()] = i;
  }
  for (const OpPair& pair : pairs_) {
    graph_.conflict.set(event_of[pair.op_a], event_of[pair.op_b]);
    graph_.conflict.set(event_of[pair.op_b], event_of[pair.op_a]);
  }
}

BitMatrix close_order(const Order& order) {
  BitMatrix after(order.op_count());
  for (std::uint32_t p = order.op_count(); p-- > 0;) {
    for (const std::uint32_t q : order.successors(p)) {
      after.set(p, q);
      for (std::uint32_t w = 0; w < after.words(); ++w) after.row(p)[w] |= after.row(q)[w];
    }
  }
  return after;
}

std::vector<std::uint32_t> order_under(const OpSpace& space, std::span<const Constraint> constraints) {
  const Order& order = space.order();
  const std::uint32_t count = order.op_count();
  std::vector<std::uint32_t> waiting(count, 0);
  for (std::uint32_t p = 0; p < count; ++p) waiting[p] = static_cast<std::uint32_t>(space.predecessors(p).size());
  for (const Constraint& c : constraints) ++waiting[order.position_of(c.then)];
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;  // op ids
  const auto release = [&](Position position) {
    if (--waiting[position] == 0) ready.push(order.op_at(position));
  };
  for (std::uint32_t p = 0; p < count; ++p) {
    if (waiting[p] == 0) ready.push(order.op_at(p));
  }
  std::vector<std::uint32_t> schedule;
  while (!ready.empty()) {
    const OpId op = ready.top();
    ready.pop();
    schedule.push_back(op);
    for (const std::uint32_t q : order.successors(order.position_of(op))) release(q);
    for (const Constraint& c : constraints) {
      if (c.first == op) release(order.position_of(c.then));
    }
  }
  if (schedule.size() < count) schedule.clear();
  return schedule;
}

}  // namespace detent::verify::explore
