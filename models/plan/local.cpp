// Very many tensors -> offsets in linear time: a tensor takes over the slot of one that died nearby.
#include <algorithm>
#include <limits>

#include "models/core/dag.hpp"
#include "models/plan/internal.hpp"

namespace detent::models::planner {
namespace {

constexpr std::size_t kFewestNearbyOps = 64;  // how far back from an op to look for dead tensors: as far as all may
constexpr std::size_t kMostNearbyOps = 4096;
constexpr std::size_t kNearbyOpsInAll = std::size_t{1} << 23;
constexpr std::size_t kMaxPredecessors = 64;  // of one op that are looked at

// Slots are handed from item to item; each hand-over needs all users of the old item to precede the op that starts the
// new one, and all other users of the new one to follow that op. Hand-overs chain, so the rule holds along the chain.
class SlotPlanner {
 public:
  SlotPlanner(const Model& model, const std::vector<Item>& items)
      : items_(items),
        nearby_ops_(std::clamp(kNearbyOpsInAll / (model.ops.size() + 1), kFewestNearbyOps, kMostNearbyOps)),
        slot_of_(items.size(), kNone) {
    order_ = topological_order(model);
    predecessors_.resize(model.ops.size());
    successors_ = successor_lists(model);
    for (const Edge& edge : model.edges) predecessors_[edge.to].push_back(edge.from);
    for (auto& list : successors_) std::sort(list.begin(), list.end());
    touched_.resize(model.ops.size());
    for (std::uint32_t item = 0; item < items.size(); ++item) {
      for (const std::uint32_t user : items[item].users) touched_[user].push_back(item);
    }
    mark_.assign(model.ops.size(), kNone);
  }

  Layout run() {
    for (const OpId op : order_) {
      for (const std::uint32_t item : touched_[op]) {
        if (slot_of_[item] == kNone) slot_of_[item] = starts(op, item) ? take_over(op, item) : new_slot(item);
      }
    }
    for (std::uint32_t item = 0; item < items_.size(); ++item) {
      if (slot_of_[item] == kNone) slot_of_[item] = new_slot(item);
    }
    return lay_out();
  }

 private:
  struct Slot {
    std::uint32_t owner;
    std::uint64_t size_bytes;
  };

  // All other users directly follow `op`.
  [[nodiscard]] bool starts(OpId op, std::uint32_t item) const {
    return std::all_of(items_[item].users.begin(), items_[item].users.end(), [&](std::uint32_t user) {
      return user == op || std::binary_search(successors_[op].begin(), successors_[op].end(), user);
    });
  }

  std::uint32_t new_slot(std::uint32_t item) {
    slots_.push_back({item, items_[item].rounded_bytes});
    return static_cast<std::uint32_t>(slots_.size() - 1);
  }

  // Marks up to nearby_ops_ strict ancestors of op, nearest first.
  std::vector<std::uint32_t> ancestors(OpId op) {
    std::vector<std::uint32_t> found;
    const auto visit = [&](std::uint32_t at) {
      const std::size_t count = std::min(kMaxPredecessors, predecessors_[at].size());
      for (std::size_t i = 0; i < count && found.size() < nearby_ops_; ++i) {
        const std::uint32_t from = predecessors_[at][i];
        if (mark_[from] == op) continue;
        mark_[from] = op;
        found.push_back(from);
      }
    };
    visit(op);
    for (std::size_t next = 0; next < found.size() && found.size() < nearby_ops_; ++next) visit(found[next]);
    return found;
  }

  // Bytes lost by putting the item into the slot; growing a slot costs as much as a new one.
  static std::uint64_t waste(const Slot& slot, std::uint64_t size_bytes) {
    return slot.size_bytes >= size_bytes ? slot.size_bytes - size_bytes : (size_bytes - slot.size_bytes) * 2;
  }

  std::uint32_t take_over(OpId op, std::uint32_t item) {
    const std::uint64_t size = items_[item].rounded_bytes;
    std::uint32_t best = kNone;
    for (const std::uint32_t ancestor : ancestors(op)) {
      for (const std::uint32_t old : touched_[ancestor]) {
        const std::uint32_t slot = slot_of_[old];
        const bool free = slot != kNone && slots_[slot].owner == old && old != item && dead(old, op);
        if (free && (best == kNone || waste(slots_[slot], size) < waste(slots_[best], size))) best = slot;
      }
    }
    if (best == kNone) return new_slot(item);
    slots_[best].owner = item;
    slots_[best].size_bytes = std::max(slots_[best].size_bytes, size);
    return best;
  }

  [[nodiscard]] bool dead(std::uint32_t item, OpId op) const {
    const auto& users = items_[item].users;
    return users.size() <= nearby_ops_ &&
           std::all_of(users.begin(), users.end(), [&](std::uint32_t user) { return mark_[user] == op; });
  }

  Layout lay_out() const {
    std::vector<std::uint64_t> begin;
    Layout layout{0, std::vector<std::uint64_t>(items_.size())};
    for (const Slot& slot : slots_) {
      begin.push_back(layout.height_bytes);
      layout.height_bytes += slot.size_bytes;
    }
    for (std::size_t item = 0; item < items_.size(); ++item) layout.offsets[item] = begin[slot_of_[item]];
    return layout;
  }

  const std::vector<Item>& items_;
  const std::size_t nearby_ops_;
  std::vector<std::uint32_t> order_;
  std::vector<std::vector<std::uint32_t>> predecessors_;
  std::vector<std::vector<std::uint32_t>> successors_;
  std::vector<std::vector<std::uint32_t>> touched_;  // items by op
  std::vector<std::uint32_t> mark_;                  // op whose ancestor this is
  std::vector<std::uint32_t> slot_of_;
  std::vector<Slot> slots_;
};

}  // namespace

Layout place_locally(const Model& model, const std::vector<Item>& items) { return SlotPlanner(model, items).run(); }

}  // namespace detent::models::planner
