// Pairs of values -> those out of order. One pass over the closure, a block of columns at a time.
#include "verify/graph/precedence.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "base/ids.hpp"
#include "verify/graph/paths.hpp"

namespace detent::verify {
namespace {

class PrecedenceSearch {
 public:
  PrecedenceSearch(const Order& order, const Values& values, std::span<const ValuePair> pairs,
                   std::uint32_t max_closed_ops)
      : order_(order),
        values_(values),
        pairs_(pairs),
        max_closed_ops_(max_closed_ops),
        width_(block_width(order.op_count())),
        found_(pairs.size()),
        handed_over_(pairs.size(), DETENT_NONE) {}

  std::vector<Disorder> run() {
    std::vector<std::vector<std::size_t>> pairs_of_block(order_.op_count() / width_ + 1);
    bool is_open = false;
    for (const std::size_t i : find_open()) {
      is_open = true;
      std::uint32_t last = DETENT_NONE;
      for (const std::uint32_t user : after(i).users) {
        if (values_.op_of(user) == DETENT_NONE || (user - 1) / width_ == last) continue;
        last = (user - 1) / width_;
        pairs_of_block[last].push_back(i);
      }
    }
    if (is_open) compare_all(pairs_of_block);
    std::vector<Disorder> result;
    for (const auto& one : found_) {
      if (one) result.push_back(*one);
    }
    return result;
  }

 private:
  [[nodiscard]] const Value& before(std::size_t pair) const { return values_.all()[pairs_[pair].before]; }
  [[nodiscard]] const Value& after(std::size_t pair) const { return values_.all()[pairs_[pair].after]; }

  void compare_all(const std::vector<std::vector<std::size_t>>& pairs_of_block) {
    ReachBlock block(order_, width_);
    for (std::uint32_t b = 0; b < pairs_of_block.size(); ++b) {
      if (pairs_of_block[b].empty()) continue;
      block.compute(b * width_);
      for (const std::size_t i : pairs_of_block[b]) {
        if (!found_[i]) compare(i, block);
      }
    }
  }

  /// Pairs for the closure.
  std::vector<std::size_t> find_open() {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (!is_settled_by_steps(i)) open.push_back(i);
    }
    if (order_.op_count() > max_closed_ops_) drop_ordered(open);
    return open;
  }

  /// Drops pairs whose users all lead to the first user of the second value, and that one to its others.
  void drop_ordered(std::vector<std::size_t>& open) {
    std::vector<PositionPair> asked;
    std::vector<std::size_t> asker;  // by question: pair
    const auto ask = [&](std::size_t pair, std::uint32_t from, std::uint32_t to) {
      if (from == to || values_.op_of(from) == DETENT_NONE || values_.op_of(to) == DETENT_NONE) return;
      asked.push_back({from - 1, to - 1});
      asker.push_back(pair);
    };
    for (const std::size_t i : open) {
      for (const std::uint32_t user : before(i).users) ask(i, user, after(i).first());
      for (const std::uint32_t user : after(i).users) ask(i, after(i).first(), user);
    }
    const std::vector<bool> has_path = find_paths(order_, asked);
    std::vector<bool> is_open(pairs_.size(), false);
    for (std::size_t k = 0; k < asked.size(); ++k) {
      if (!has_path[k]) is_open[asker[k]] = true;
    }
    std::erase_if(open, [&](std::size_t pair) { return !is_open[pair]; });
  }

  /// Paths only lead to later positions; the application comes before and after all ops.
  bool is_settled_by_steps(std::size_t pair) {
    handed_over_[pair] = values_.handed_over_at(before(pair), after(pair)).value_or(DETENT_NONE);
    if (before(pair).last() < after(pair).first() || handed_over_[pair] != DETENT_NONE) return false;
    found_[pair] = {pair, before(pair).last(), after(pair).first()};
    return true;
  }

  /// Users of the second value that stand in the block, as bits; words without any are left out.
  void mark_users(const Value& value, const ReachBlock& block) {
    marked_.clear();
    for (const std::uint32_t user : value.users) {
      if (values_.op_of(user) == DETENT_NONE || user - 1 < block.first()) continue;
      const std::uint32_t column = user - 1 - block.first();
      if (column >= block.column_count()) break;
      if (marked_.empty() || marked_.back().word != column / 64) marked_.push_back({column / 64, 0});
      marked_.back().bits |= Word{1} << (column % 64);
    }
  }

  void compare(std::size_t pair, const ReachBlock& block) {
    mark_users(after(pair), block);
    for (const std::uint32_t user : before(pair).users) {
      if (values_.op_of(user) == DETENT_NONE) continue;
      const Position position = user - 1;
      const bool is_below = position < block.first() + block.column_count();
      for (const Marked& marked : marked_) {
        Word missing = is_below ? marked.bits & ~block.row(position)[marked.word] : marked.bits;
        if (user == handed_over_[pair] && position >= block.first() && (position - block.first()) / 64 == marked.word) {
          missing &= ~(Word{1} << ((position - block.first()) % 64));
        }
        if (missing == 0) continue;
        const auto bit = static_cast<std::uint32_t>(std::countr_zero(missing));
        found_[pair] = {pair, user, block.first() + marked.word * 64 + bit + 1};
        return;
      }
    }
  }

  struct Marked {
    std::uint32_t word;
    Word bits;
  };

  const Order& order_;
  const Values& values_;
  std::span<const ValuePair> pairs_;
  const std::uint32_t max_closed_ops_;
  const std::uint32_t width_;
  std::vector<std::optional<Disorder>> found_;
  std::vector<std::uint32_t> handed_over_;
  std::vector<Marked> marked_;
};

}  // namespace

std::vector<Disorder> find_disorder(const Order& order, const Values& values, std::span<const ValuePair> pairs,
                                    std::uint32_t max_closed_ops) {
  return PrecedenceSearch(order, values, pairs, max_closed_ops).run();
}

}  // namespace detent::verify
