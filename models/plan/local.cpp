// Very many tensors -> offsets in linear time: a tensor takes over the slot of one that died nearby.
#include <algorithm>
#include <span>

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
        order_(topological_order(model)),
        predecessors_(model.ops.size(),
                      [&](const auto& put) {
                        for (const Edge& edge : model.edges) put(edge.to, edge.from);
                      }),
        successors_(successor_lists(model)),
        touched_(items_by_op(items, model.ops.size())),
        mark_(model.ops.size(), kNone),
        slot_of_(items.size(), kNone),
        is_owner_(items.size(), false) {
    for (std::size_t op = 0; op < successors_.size(); ++op) std::ranges::sort(successors_[op]);
    for (const Item& item : items) last_user_.push_back(item.users.empty() ? kNone : item.users.back());
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
    const std::span<const std::uint32_t> next = successors_[op];
    return std::ranges::all_of(items_[item].users, [&](std::uint32_t user) {
      return user == op || std::binary_search(next.begin(), next.end(), user);
    });
  }

  std::uint32_t new_slot(std::uint32_t item) {
    slots_.push_back({item, items_[item].rounded_bytes});
    is_owner_[item] = true;
    return static_cast<std::uint32_t>(slots_.size() - 1);
  }

  // Marks up to nearby_ops_ strict ancestors of op, nearest first.
  void find_ancestors(OpId op) {
    ancestors_.clear();
    const auto visit = [&](std::uint32_t at) {
      const std::span<const std::uint32_t> before = predecessors_[at];
      for (const std::uint32_t from : before.first(std::min(kMaxPredecessors, before.size()))) {
        if (ancestors_.size() >= nearby_ops_) return;
        if (mark_[from] == op) continue;
        mark_[from] = op;
        ancestors_.push_back(from);
      }
    };
    visit(op);
    for (std::size_t next = 0; next < ancestors_.size() && ancestors_.size() < nearby_ops_; ++next) {
      visit(ancestors_[next]);
    }
  }

  // Bytes lost by putting the item into the slot; growing a slot costs as much as a new one.
  static std::uint64_t waste(const Slot& slot, std::uint64_t size_bytes) {
    return slot.size_bytes >= size_bytes ? slot.size_bytes - size_bytes : (size_bytes - slot.size_bytes) * 2;
  }

  // The slot of a dead item nearby with the least waste, the nearest of them; none: kNone.
  std::uint32_t best_slot(OpId op, std::uint32_t item) const {
    const std::uint64_t size = items_[item].rounded_bytes;
    std::uint32_t best = kNone;
    for (const std::uint32_t ancestor : ancestors_) {
      for (const std::uint32_t old : touched_[ancestor]) {
        if (!is_owner_[old] || old == item || !dead(old, op)) continue;
        const std::uint32_t slot = slot_of_[old];
        if (best != kNone && waste(slots_[slot], size) >= waste(slots_[best], size)) continue;
        best = slot;
        if (slots_[best].size_bytes == size) return best;
      }
    }
    return best;
  }

  std::uint32_t take_over(OpId op, std::uint32_t item) {
    const std::uint64_t size = items_[item].rounded_bytes;
    find_ancestors(op);
    const std::uint32_t best = best_slot(op, item);
    if (best == kNone) return new_slot(item);
    is_owner_[slots_[best].owner] = false;
    is_owner_[item] = true;
    slots_[best].owner = item;
    slots_[best].size_bytes = std::max(slots_[best].size_bytes, size);
    return best;
  }

  // All users are among the marked ancestors of `op`. The last one is looked at first: most often it is not.
  [[nodiscard]] bool dead(std::uint32_t item, OpId op) const {
    if (mark_[last_user_[item]] != op) return false;
    const auto& users = items_[item].users;
    return users.size() <= nearby_ops_ &&
           std::ranges::all_of(users, [&](std::uint32_t user) { return mark_[user] == op; });
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
  const std::vector<std::uint32_t> order_;
  const Rows<std::uint32_t> predecessors_;
  Rows<std::uint32_t> successors_;
  const Rows<std::uint32_t> touched_;     // items by op
  std::vector<std::uint32_t> mark_;       // op whose ancestor this is
  std::vector<std::uint32_t> ancestors_;  // of one op
  std::vector<std::uint32_t> slot_of_;
  std::vector<bool> is_owner_;            // by item: of its slot, the last so far
  std::vector<std::uint32_t> last_user_;  // by item
  std::vector<Slot> slots_;
};

}  // namespace

Layout place_locally(const Model& model, const std::vector<Item>& items) { return SlotPlanner(model, items).run(); }

}  // namespace detent::models::planner
