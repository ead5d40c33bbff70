// Edges through pseudo-ops -> edges between ops -> positions.
#include "verify/repair/program_order.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace detent::verify {
namespace {

bool is_pseudo(const detent_desc& desc, OpId op) { return (desc.ops[op].flags & DETENT_OP_DELAY) != 0; }

/// Between ops of which none is a pseudo-op; each once.
std::vector<OpEdge> contracted_edges(const detent_desc& desc) {
  std::vector<OpEdge> edges;
  std::vector<std::uint32_t> seen(desc.op_count, DETENT_NONE);  // pseudo-ops: by whom last
  std::vector<std::uint32_t> open;
  for (OpId op = 0; op < desc.op_count; ++op) {
    if (is_pseudo(desc, op)) continue;
    for (open.assign(1, op); !open.empty();) {
      const detent_slice& slice = desc.ops[open.back()].successors;
      open.pop_back();
      for (std::uint32_t k = 0; k < slice.count; ++k) {
        const std::uint32_t to = desc.successors[slice.first + k];
        if (!is_pseudo(desc, to)) {
          edges.push_back({op, to});
        } else if (std::exchange(seen[to], op) != op) {
          open.push_back(to);
        }
      }
    }
  }
  std::ranges::sort(edges);
  const auto repeated = std::ranges::unique(edges);
  edges.erase(repeated.begin(), repeated.end());
  return edges;
}

}  // namespace

std::optional<ProgramOrder> ProgramOrder::make(const detent_desc& desc, const std::vector<OpEdge>& first) {
  const std::vector<OpEdge> own = contracted_edges(desc);
  std::vector<OpEdge> all = own;
  all.insert(all.end(), first.begin(), first.end());
  std::ranges::sort(all);
  std::vector<std::uint32_t> waiting(desc.op_count, 0);
  for (const OpEdge& edge : all) ++waiting[edge.to];
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  std::size_t real_count = 0;
  for (OpId op = 0; op < desc.op_count; ++op) {
    if (is_pseudo(desc, op)) continue;
    ++real_count;
    if (waiting[op] == 0) ready.push(op);
  }
  ProgramOrder order;
  order.position_of_.assign(desc.op_count, DETENT_NONE);
  while (!ready.empty()) {
    const OpId op = ready.top();
    ready.pop();
    order.position_of_[op] = order.op_count();
    order.op_at_.push_back(op);
    for (auto edge = std::ranges::lower_bound(all, OpEdge{op, 0}); edge != all.end() && edge->from == op; ++edge) {
      if (--waiting[edge->to] == 0) ready.push(edge->to);
    }
  }
  if (order.op_at_.size() < real_count) return std::nullopt;
  for (const OpEdge& edge : own) order.arcs_.push_back({order.position_of_[edge.from], order.position_of_[edge.to]});
  return order;
}

}  // namespace detent::verify
