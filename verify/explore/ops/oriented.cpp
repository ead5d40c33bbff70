// Desc and decisions -> Desc with edges.
#include "verify/explore/ops/oriented.hpp"

#include <algorithm>
#include <utility>

#include "base/ids.hpp"

namespace detent::verify::explore {
namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

std::vector<Edge> all_edges(const detent_desc& desc, std::span<const Constraint> more) {
  std::vector<Edge> edges;
  edges.reserve(desc.successor_count + more.size());
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_slice& slice = desc.ops[op].successors;
    for (std::uint32_t k = 0; k < slice.count; ++k) edges.emplace_back(op, desc.successors[slice.first + k]);
  }
  for (const Constraint& c : more) edges.emplace_back(c.first, c.then);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

}  // namespace

OrientedDesc::OrientedDesc(const detent_desc& desc, std::span<const Constraint> edges)
    : ops_(desc.ops, desc.ops + desc.op_count), tensors_(desc.tensors, desc.tensors + desc.tensor_count), desc_(desc) {
  for (detent_tensor& tensor : tensors_) tensor.live_begin = tensor.live_end = DETENT_NONE;
  for (detent_op& op : ops_) {
    op.entry_count = 0;
    op.successors = {};
  }
  for (const auto& [from, to] : all_edges(desc, edges)) {
    detent_slice& slice = ops_[from].successors;
    if (slice.count == 0) slice.first = static_cast<std::uint32_t>(successors_.size());
    ++slice.count;
    ++ops_[to].entry_count;
    successors_.push_back(to);
  }
  desc_.ops = ops_.data();
  desc_.tensors = tensors_.data();
  desc_.successors = successors_.data();
  desc_.successor_count = static_cast<std::uint32_t>(successors_.size());
  desc_.schedules = nullptr;
  desc_.schedule_count = 0;
}

std::vector<Constraint> decisions_of(const OpSpace& space, const std::vector<std::uint32_t>& schedule) {
  std::vector<std::uint32_t> place(schedule.size());
  for (std::uint32_t i = 0; i < schedule.size(); ++i) place[schedule[i]] = i;
  std::vector<Constraint> decisions;
  for (const auto* pairs : {&space.pairs(), &space.ignored_pairs()}) {
    for (const OpPair& pair : *pairs) {
      if (pair.kind == PairKind::kMutexOnly) continue;
      const bool in_order = place[pair.op_a] < place[pair.op_b];
      decisions.push_back(in_order ? Constraint{pair.op_a, pair.op_b} : Constraint{pair.op_b, pair.op_a});
    }
  }
  return decisions;
}

std::vector<Constraint> open_decisions(const OpSpace& space, const std::vector<std::uint32_t>& schedule,
                                       std::span<const Constraint> constraints, const std::vector<std::uint32_t>& ops) {
  std::vector<bool> counts(space.desc().op_count, false);
  for (const OpId op : ops) counts[op] = true;
  std::vector<Constraint> decisions = decisions_of(space, schedule);
  std::erase_if(decisions, [&](const Constraint& c) { return !counts[c.first] || !counts[c.then]; });
  const OrientedDesc settled(space.desc(), constraints);
  const Order order(settled.desc());
  std::vector<Edge> pairs;
  pairs.reserve(decisions.size());
  for (const Constraint& c : decisions) pairs.emplace_back(c.first, c.then);
  const std::vector<Relation> relations = relate_pairs(order, pairs);
  std::vector<Constraint> open;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    if (relations[i] == Relation::kUnordered) open.push_back(decisions[i]);
  }
  return open;
}

}  // namespace detent::verify::explore
