// Handovers of the options -> pairs of items that may share, where the order of the ops allows it.
#include <algorithm>

#include "models/core/dag.hpp"
#include "models/plan/internal.hpp"

namespace detent::models::planner {
namespace {

/// Which ops come before one op, and which after.
class Around {
 public:
  Around(const Model& model, PlanOrder order)
      : order_(order), next_(model.ops.size()), previous_(model.ops.size()), position_(model.ops.size()) {
    for (const Edge& edge : model.edges) {
      next_[edge.from].push_back(edge.to);
      previous_[edge.to].push_back(edge.from);
    }
    std::size_t position = 0;
    for (const OpId op : topological_order(model)) position_[op] = position++;
  }

  void look_at(OpId op) {
    op_ = op;
    if (order_ == PlanOrder::kSerial) return;
    before_ = reached(previous_);
    after_ = reached(next_);
  }
  [[nodiscard]] bool is_before(OpId op) const {
    return order_ == PlanOrder::kSerial ? position_[op] < position_[op_] : before_[op];
  }
  [[nodiscard]] bool is_after(OpId op) const {
    return order_ == PlanOrder::kSerial ? position_[op_] < position_[op] : after_[op];
  }

 private:
  [[nodiscard]] std::vector<bool> reached(const std::vector<std::vector<std::uint32_t>>& lists) const {
    std::vector<bool> seen(lists.size(), false);
    std::vector<std::uint32_t> stack = lists[op_];
    while (!stack.empty()) {
      const OpId op = stack.back();
      stack.pop_back();
      if (seen[op]) continue;
      seen[op] = true;
      stack.insert(stack.end(), lists[op].begin(), lists[op].end());
    }
    return seen;
  }

  PlanOrder order_;
  std::vector<std::vector<std::uint32_t>> next_, previous_;
  std::vector<std::size_t> position_;
  std::uint32_t op_ = kNone;
  std::vector<bool> before_, after_;
};

std::int64_t rounded_down(std::int64_t bytes, std::int64_t align) {
  return bytes == Handover::kAnywhere ? bytes : bytes - ((bytes % align) + align) % align;
}

bool holds(const std::vector<std::uint32_t>& tensors, TensorId tensor) {
  return std::find(tensors.begin(), tensors.end(), tensor) != tensors.end();
}

bool is_read_and_written(const Op& op, const Handover& handover) {
  return holds(op.inputs, handover.from) && !holds(op.outputs, handover.from) && !holds(op.scratch, handover.from) &&
         holds(op.outputs, handover.to) && !holds(op.inputs, handover.to) && !holds(op.scratch, handover.to);
}

}  // namespace

std::vector<Sharing> sharings(const Model& model, const std::vector<Item>& items, const PlanOptions& options) {
  std::vector<Sharing> result;
  if (options.handovers.empty()) return result;
  std::vector<std::uint32_t> item_of(model.tensors.size(), kNone);
  for (std::uint32_t item = 0; item < items.size(); ++item) item_of[items[item].tensor] = item;
  Around around(model, options.order);
  for (const Handover& handover : options.handovers) {
    const std::uint32_t from = item_of[handover.from], to = item_of[handover.to];
    if (from == kNone || to == kNone || !is_read_and_written(model.ops[handover.op], handover)) continue;
    around.look_at(handover.op);
    const auto ends = [&](std::uint32_t user) { return user == handover.op || around.is_before(user); };
    const auto begins = [&](std::uint32_t user) { return user == handover.op || around.is_after(user); };
    const bool is_last = items[from].users.size() > 1 && std::ranges::all_of(items[from].users, ends);
    const bool is_first = std::ranges::all_of(items[to].users, begins);
    const std::int64_t most = rounded_down(handover.most_displacement_bytes, options.align_bytes);
    const bool can_share = most > -static_cast<std::int64_t>(items[to].rounded_bytes);
    if (is_last && is_first && can_share) result.push_back({handover.op, from, to, most});
  }
  return result;
}

}  // namespace detent::models::planner
