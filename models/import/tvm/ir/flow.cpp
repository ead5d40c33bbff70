// Dominators as Cooper, Harvey and Kennedy 2001, forwards and backwards; value numbers by hashing of operators.
#include "models/import/tvm/ir/flow.hpp"

#include <algorithm>
#include <set>

namespace detent::models::tvm {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;
using Lists = std::vector<std::vector<std::uint32_t>>;

Lists reversed(const Lists& successors) {
  Lists result(successors.size());
  for (std::uint32_t from = 0; from < successors.size(); ++from) {
    for (const std::uint32_t to : successors[from]) result[to].push_back(from);
  }
  return result;
}

std::vector<std::uint32_t> post_order(const Lists& successors, std::uint32_t root) {
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(successors.size(), false);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack{{root, 0}};
  seen[root] = true;
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    if (next == successors[block].size()) {
      order.push_back(block);
      stack.pop_back();
      continue;
    }
    const std::uint32_t successor = successors[block][next++];
    if (seen[successor]) continue;
    seen[successor] = true;
    stack.emplace_back(successor, 0);
  }
  return order;
}

/// Of every block; kNone where the root does not lead to it; of the root: itself.
std::vector<std::uint32_t> immediate_dominators(const Lists& successors, std::uint32_t root) {
  const Lists predecessors = reversed(successors);
  const std::vector<std::uint32_t> order = post_order(successors, root);
  std::vector<std::uint32_t> rank(successors.size(), kNone);
  for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  std::vector<std::uint32_t> result(successors.size(), kNone);
  result[root] = root;
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (rank[a] < rank[b]) a = result[a];
      while (rank[b] < rank[a]) b = result[b];
    }
    return a;
  };
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (std::size_t i = order.size() - 1; i-- > 0;) {
      std::uint32_t now = kNone;
      for (const std::uint32_t p : predecessors[order[i]]) {
        if (result[p] != kNone) now = now == kNone ? p : meet(p, now);
      }
      is_changed = is_changed || now != result[order[i]];
      result[order[i]] = now;
    }
  }
  return result;
}

/// Does equal text with equal operands make an equal value?
bool is_pure(const IrNode& node) {
  const bool is_operator = node.kind == IrKind::kArithmetic || node.kind == IrKind::kSubtract ||
                           node.kind == IrKind::kAddress || node.kind == IrKind::kPointerToNumber ||
                           node.kind == IrKind::kNumberToPointer;
  return is_operator && node.code != 0;
}

}  // namespace

IrFlow::IrFlow(const IrFunction& function) : function_(function) {
  Lists successors;
  for (const IrBlock& block : function.blocks) successors.push_back(block.successors);
  dominators_ = immediate_dominators(successors, 0);
  const auto exit = static_cast<std::uint32_t>(successors.size());
  for (auto& list : successors) {
    if (list.empty()) list.push_back(exit);
  }
  successors.emplace_back();
  post_dominators_ = immediate_dominators(reversed(successors), exit);
  number_values();
}

void IrFlow::number_values() {
  block_of_.assign(function_.nodes.size(), kNone);
  position_.assign(function_.nodes.size(), 0);
  number_.resize(function_.nodes.size());
  for (std::uint32_t i = 0; i < number_.size(); ++i) number_[i] = i;
  using Expression = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::vector<std::uint32_t>>;
  std::map<Expression, std::uint32_t> known;
  for (std::uint32_t block = 0; block < function_.blocks.size(); ++block) {
    std::uint32_t position = 0;
    for (const std::uint32_t id : function_.blocks[block].nodes) {
      const IrNode& node = function_.nodes[id];
      block_of_[id] = block;
      position_[id] = position++;
      if (is_pure(node)) {
        std::vector<std::uint32_t> operands;
        for (const std::uint32_t operand : node.operands) operands.push_back(number_[operand]);
        number_[id] = known.try_emplace({node.code, node.type, node.element, std::move(operands)}, id).first->second;
      }
      if (node.kind == IrKind::kLoad || node.kind == IrKind::kStore) accesses_[key_of(id)].push_back(id);
      if (node.kind == IrKind::kCopy || node.kind == IrKind::kFill) fills_[number_[node.operands[0]]].push_back(id);
    }
  }
}

IrFlow::AccessKey IrFlow::key_of(std::uint32_t access) const {
  const IrNode& node = function_.nodes[access];
  return {node.kind, number_[node.operands[node.kind == IrKind::kLoad ? 0 : 1]], node.type};
}

bool IrFlow::dominates(std::uint32_t node, std::uint32_t other) const {
  std::uint32_t block = block_of_[other];
  if (block_of_[node] == block) return position_[node] < position_[other];
  while (block != dominators_[block]) {
    block = dominators_[block];
    if (block == block_of_[node]) return true;
  }
  return false;
}

IrRegion IrFlow::region(std::uint32_t branch_block) const {
  IrRegion region;
  const std::uint32_t end = post_dominators_[branch_block];
  if (end == kNone || end >= function_.blocks.size()) return region;
  region.end = end;
  std::set<std::uint32_t> done, open;
  std::vector<std::pair<std::uint32_t, std::size_t>> stack;
  const auto enter = [&](std::uint32_t block) {
    if (block == end || done.contains(block)) return true;
    if (block == branch_block || !open.insert(block).second) return false;  // a way that comes back
    stack.emplace_back(block, 0);
    return true;
  };
  for (const std::uint32_t first : function_.blocks[branch_block].successors) {
    if (!enter(first)) return region;
    while (!stack.empty()) {
      const std::uint32_t block = stack.back().first;
      const auto& next = function_.blocks[block].successors;
      if (next.empty()) return region;  // a way that ends
      if (stack.back().second == next.size()) {
        done.insert(block);
        open.erase(block);
        stack.pop_back();
      } else if (!enter(next[stack.back().second++])) {
        return region;
      }
    }
  }
  region.is_closed = true;
  region.blocks.assign(done.begin(), done.end());
  return region;
}

bool IrFlow::is_preceded(std::uint32_t access) const {
  const std::vector<std::uint32_t>& equal = accesses_.at(key_of(access));
  return std::any_of(equal.begin(), equal.end(), [&](std::uint32_t other) { return dominates(other, access); });
}

bool IrFlow::is_on_every_way(std::uint32_t access, std::uint32_t branch_block, const IrRegion& region) const {
  std::set<std::uint32_t> seen;
  for (const std::uint32_t other : accesses_.at(key_of(access))) seen.insert(block_of_[other]);
  std::vector<std::uint32_t> pending = function_.blocks[branch_block].successors;
  while (!pending.empty()) {
    const std::uint32_t block = pending.back();
    pending.pop_back();
    if (block == region.end) return false;
    if (!seen.insert(block).second) continue;
    const auto& next = function_.blocks[block].successors;
    pending.insert(pending.end(), next.begin(), next.end());
  }
  return true;
}

bool IrFlow::is_set_before(std::uint32_t load, std::uint32_t local) const {
  const auto [kind, address, type] = key_of(load);
  const auto stores = accesses_.find({IrKind::kStore, address, type});
  const auto is_before = [&](std::uint32_t other) {
    const std::uint32_t value = function_.nodes[other].operands[0];
    const bool sets = function_.nodes[value].kind != IrKind::kUndefined && !function_.nodes[other].is_never_set;
    return sets && dominates(other, load);
  };
  if (stores != accesses_.end() && std::any_of(stores->second.begin(), stores->second.end(), is_before)) return true;
  return is_filled_before(load, local);
}

bool IrFlow::is_filled_before(std::uint32_t node, std::uint32_t local) const {
  const std::uint64_t size = function_.nodes[local].value;
  const auto fills = fills_.find(number_[local]);
  if (size == 0 || fills == fills_.end()) return false;
  return std::any_of(fills->second.begin(), fills->second.end(), [&](std::uint32_t fill) {
    const IrNode& count = function_.nodes[function_.nodes[fill].operands[2]];
    const IrNode* from = &function_.nodes[function_.nodes[fill].operands[1]];
    while (from->kind == IrKind::kAddress) from = &function_.nodes[from->operands[0]];
    const bool sets = from->kind != IrKind::kUndefined && !from->is_never_set && !function_.nodes[fill].is_never_set;
    return sets && count.kind == IrKind::kNumber && count.value == size && dominates(fill, node);
  });
}

}  // namespace detent::models::tvm
