// What the parts of the planner hand each other. Items are the workspace tensors, numbered from 0 in tensor order.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.hpp"
#include "base/lists/rows.hpp"
#include "models/plan/options.hpp"

namespace detent::models::planner {

struct Item {
  TensorId tensor = kNone;
  std::uint64_t size_bytes = 0;      ///< as the tensor says
  std::uint64_t rounded_bytes = 0;   ///< to the plan's alignment
  std::vector<std::uint32_t> users;  ///< ops that touch the tensor or a view of it; ascending, no duplicates
};

/// The workspace tensors of a model, with sizes rounded to `align`. Tensors that last have no users: their bytes are
/// their own.
std::vector<Item> workspace_items(const Model& model, std::uint32_t align);
/// By op: the items that it uses, ascending.
Rows<std::uint32_t> items_by_op(const std::vector<Item>& items, std::size_t op_count);
/// The alignment that every offset of a plan gets: `wanted`, or more where a tensor needs more.
std::uint32_t largest_alignment(const Model& model, std::uint32_t wanted);

/// Square bit matrix over items.
class BitMatrix {
 public:
  explicit BitMatrix(std::size_t size) : size_(size), words_((size + 63) / 64), bits_(size * words_) {}
  [[nodiscard]] bool test(std::size_t row, std::size_t column) const {
    return (bits_[row * words_ + column / 64] >> (column % 64) & 1U) != 0;
  }
  void set(std::size_t row, std::size_t column) { bits_[row * words_ + column / 64] |= 1ULL << (column % 64); }
  void clear(std::size_t row, std::size_t column) { bits_[row * words_ + column / 64] &= ~(1ULL << (column % 64)); }
  [[nodiscard]] const std::uint64_t* row(std::size_t row) const { return bits_.data() + row * words_; }
  [[nodiscard]] std::uint64_t* row(std::size_t row) { return bits_.data() + row * words_; }
  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

/// before(a, b): every user of item a precedes every user of item b. A strict partial order. Items without users
/// precede nothing. O(edges * users / 64 + items^2).
BitMatrix precedence(const Model& model, const std::vector<Item>& items, PlanOrder order);

/// Items of which `to` may lie over `from`, where its offset is at most `most_bytes` greater.
struct Sharing {
  OpId op = kNone;
  std::uint32_t from = kNone, to = kNone;
  std::int64_t most_bytes = 0;  ///< a multiple of the plan's alignment, or Handover::kAnywhere
};

/// Does either of two items precede the other? Both halves of the order in one symmetric matrix.
BitMatrix comparable(const BitMatrix& before);

/// The handovers that the order of the ops allows, as items. Such pairs stay out of `precedence`; together with it they
/// are a strict partial order, too: the op between them is the last user of the one and the first of the other.
std::vector<Sharing> sharings(const Model& model, const std::vector<Item>& items, const PlanOptions& options);

struct Layout {
  std::uint64_t height_bytes = 0;
  std::vector<std::uint64_t> offsets;
};

/// Offsets such that items of which neither precedes the other share no byte, but for what the sharings allow.
/// @param stop_bytes  stop improving once the height is no more than this
Layout place(const std::vector<Item>& items, const BitMatrix& before, const std::vector<Sharing>& sharings,
             std::uint64_t stop_bytes, std::uint32_t rounds);

/// The same for very many items and any schedule, in linear time. In local.cpp.
Layout place_locally(const Model& model, const std::vector<Item>& items);

struct LowerBound {
  std::uint64_t bytes = 0;
  std::vector<std::uint32_t> items;  ///< a set of items no two of which may share
};

/// The heaviest set of items no two of which are ordered. Exact.
/// @param most_steps  of the search for a flow   @return  none: they were not enough
std::optional<LowerBound> heaviest_antichain(const std::vector<Item>& items, const BitMatrix& before,
                                             std::uint64_t most_steps);
/// A heavy set of items no two of which are ordered, greedily grown from several starts. O(starts * items^2 / 64).
LowerBound greedy_antichain(const std::vector<Item>& items, const BitMatrix& before);
/// The items that live at one op of some order of the ops: used by then, and not for the last time. Of the serial
/// order, and for kParallel of one that frees as late as it can, the heaviest such set. O(users log ops).
LowerBound widest_moment(const Model& model, const std::vector<Item>& items, PlanOrder order);
/// What the op that touches the most bytes touches, without what may lie under another item that it touches.
LowerBound largest_op_footprint(const Model& model, const std::vector<Item>& items,
                                const std::vector<Sharing>& sharings);

}  // namespace detent::models::planner
