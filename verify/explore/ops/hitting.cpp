// Hitting families: few schedules that run all pairs, or chosen triples, in every order.
#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/ids.hpp"
#include "verify/explore/ops/space/random.hpp"
#include "verify/explore/ops/space/ready.hpp"
#include "verify/explore/ops/strategy.hpp"

namespace detent::verify::explore {
namespace {

void require_dense(const OpSpace& space, const char* strategy) {
  if (space.order().op_count() <= kMaxDenseOps) return;
  throw std::invalid_argument(std::string("strategy ") + strategy + ": more than " + std::to_string(kMaxDenseOps) +
                              " ops; use pct, pos or random");
}

/// Which orders of unordered pairs no schedule has run yet. By position.
class OpenOrders {
 public:
  explicit OpenOrders(const OpSpace& space) : first_(space.order().op_count()), second_(first_.size()) {
    const BitMatrix after = close_order(space.order());
    for (std::uint32_t p = 0; p < first_.size(); ++p) {
      for (std::uint32_t q = p + 1; q < first_.size(); ++q) {
        if (after.test(p, q) || is_delay(space, p) || is_delay(space, q)) continue;
        set(p, q);
        set(q, p);
        left_ += 2;
      }
    }
  }
  [[nodiscard]] std::uint64_t left() const { return left_; }
  [[nodiscard]] std::uint32_t size() const { return first_.size(); }
  /// Row x: the y for which x before y is still open; and its transpose.
  [[nodiscard]] const BitMatrix& first() const { return first_; }
  [[nodiscard]] const BitMatrix& second() const { return second_; }

  void close(const std::vector<std::uint32_t>& positions) {
    std::vector<Word> rest(first_.words(), ~Word{0});
    for (const std::uint32_t x : positions) {
      rest[x / 64] &= ~(Word{1} << (x % 64));
      Word* const row = first_.row(x);
      for (std::uint32_t w = 0; w < first_.words(); ++w) {
        const Word closed = row[w] & rest[w];
        row[w] &= ~closed;
        for_each_bit(&closed, 1, [&](std::uint32_t bit) {
          second_.row(w * 64 + bit)[x / 64] &= ~(Word{1} << (x % 64));
          --left_;
        });
      }
    }
  }

 private:
  static bool is_delay(const OpSpace& space, Position position) {
    return (space.desc().ops[space.order().op_at(position)].flags & DETENT_OP_DELAY) != 0;
  }
  void set(std::uint32_t x, std::uint32_t y) {
    first_.set(x, y);
    second_.set(y, x);
  }

  BitMatrix first_, second_;
  std::uint64_t left_ = 0;
};

/// One greedy schedule: always the ready op that closes the most open orders against the rest, less those that taking
/// it now gives up. `target` comes as early as it can, so that some open order is closed for certain.
class GreedySchedule {
 public:
  GreedySchedule(const OpSpace& space, const OpenOrders& open) : space_(space), open_(open), ready_(space) {
    const std::uint32_t count = open.size();
    gain_.resize(count);
    for (std::uint32_t p = 0; p < count; ++p) gain_[p] = bits(open.first(), p) - bits(open.second(), p);
    urgent_.assign(count, false);
  }

  std::vector<std::uint32_t> build(std::uint32_t target) {
    mark_ancestors(target);
    std::vector<std::uint32_t> positions;
    std::vector<bool> taken(gain_.size(), false);
    ready_.reset();
    while (!ready_.empty()) {
      const std::size_t best = ready_.best([&](std::uint32_t p) {
        return std::pair{static_cast<bool>(urgent_[p]), gain_[p]};
      });
      const std::uint32_t x = ready_.take(best);
      taken[x] = true;
      positions.push_back(x);
      update(x, taken);
    }
    return positions;
  }

 private:
  static std::int64_t bits(const BitMatrix& matrix, std::uint32_t row) {
    std::int64_t sum = 0;
    for (std::uint32_t w = 0; w < matrix.words(); ++w) sum += std::popcount(matrix.row(row)[w]);
    return sum;
  }
  void mark_ancestors(std::uint32_t target) {
    std::vector<std::uint32_t> stack{target};
    urgent_[target] = true;
    while (!stack.empty()) {
      const std::uint32_t p = stack.back();
      stack.pop_back();
      for (const std::uint32_t q : space_.predecessors(p)) {
        if (urgent_[q]) continue;
        urgent_[q] = true;
        stack.push_back(q);
      }
    }
  }
  /// x leaves the rest: y no longer gains "y before x" nor gives up "x before y".
  void update(std::uint32_t x, const std::vector<bool>& taken) {
    for_each_bit(open_.second().row(x), open_.second().words(), [&](std::uint32_t y) {
      if (!taken[y]) --gain_[y];
    });
    for_each_bit(open_.first().row(x), open_.first().words(), [&](std::uint32_t y) {
      if (!taken[y]) ++gain_[y];
    });
  }

  const OpSpace& space_;
  const OpenOrders& open_;
  ReadyOps ready_;
  std::vector<std::int64_t> gain_;
  std::vector<bool> urgent_;
};

std::vector<std::uint32_t> ops_of(const OpSpace& space, const std::vector<std::uint32_t>& positions) {
  std::vector<std::uint32_t> ops;
  ops.reserve(positions.size());
  for (const std::uint32_t p : positions) ops.push_back(space.order().op_at(p));
  return ops;
}

class OpPairs : public OpStrategy {
 public:
  explicit OpPairs(const OpSpace& space) : space_(space) { require_dense(space, "pairs"); }
  [[nodiscard]] const char* name() const override { return "pairs"; }

  bool run_from(std::uint64_t first, const TakeSchedule& take) override {
    std::uint64_t left_out = first;
    OpenOrders open(space_);
    std::vector<std::uint32_t> positions(open.size());
    for (std::uint32_t p = 0; p < open.size(); ++p) positions[p] = p;
    while (true) {
      if (left_out != 0) {
        --left_out;
      } else if (!take(ops_of(space_, positions), 0)) {
        return false;
      }
      open.close(positions);
      if (open.left() == 0) return true;
      positions = best_of_all(open);
    }
  }

 private:
  /// The target with the most open orders; the greedy rule does the rest.
  std::vector<std::uint32_t> best_of_all(const OpenOrders& open) const {
    std::uint32_t target = 0;
    int most = -1;
    for (std::uint32_t p = 0; p < open.size(); ++p) {
      int bits = 0;
      for (std::uint32_t w = 0; w < open.first().words(); ++w) bits += std::popcount(open.first().row(p)[w]);
      if (bits > most) {
        most = bits;
        target = p;
      }
    }
    return GreedySchedule(space_, open).build(target);
  }

  const OpSpace& space_;
};

/// A closure that grows by constraints while they fit.
class GrowingOrder {
 public:
  explicit GrowingOrder(const BitMatrix& after) : after_(after) {}
  [[nodiscard]] bool fits(std::uint32_t x, std::uint32_t y) const { return x != y && !after_.test(y, x); }
  void add(std::uint32_t x, std::uint32_t y) {
    if (after_.test(x, y)) return;
    std::vector<Word> with(after_.row(y), after_.row(y) + after_.words());
    with[y / 64] |= Word{1} << (y % 64);
    for (std::uint32_t p = 0; p < after_.size(); ++p) {
      if (p != x && !after_.test(p, x)) continue;
      for (std::uint32_t w = 0; w < after_.words(); ++w) after_.row(p)[w] |= with[w];
    }
  }
  /// The more an op precedes, the earlier it runs.
  [[nodiscard]] std::vector<std::uint32_t> linear_extension() const {
    std::vector<std::pair<std::int64_t, std::uint32_t>> keys;
    for (std::uint32_t p = 0; p < after_.size(); ++p) {
      std::int64_t bits = 0;
      for (std::uint32_t w = 0; w < after_.words(); ++w) bits += std::popcount(after_.row(p)[w]);
      keys.emplace_back(-bits, p);
    }
    std::sort(keys.begin(), keys.end());
    std::vector<std::uint32_t> positions;
    for (const auto& [key, p] : keys) positions.push_back(p);
    return positions;
  }

 private:
  BitMatrix after_;
};

using OpTriple = std::array<std::uint32_t, 3>;  // positions, in the order in which they are to run

class OpTriples : public OpStrategy {
 public:
  OpTriples(const OpSpace& space, const StrategyOptions& options) : space_(space), most_(options.max_triples) {
    require_dense(space, "triples");
  }
  [[nodiscard]] const char* name() const override { return "triples"; }

  bool run_from(std::uint64_t first, const TakeSchedule& take) override {
    std::uint64_t left_out = first;
    const BitMatrix after = close_order(space_.order());
    std::vector<OpTriple> open = list_triples(after);
    std::vector<std::uint32_t> place(after.size());
    do {
      GrowingOrder order(after);
      for (const auto& [x, y, z] : open) {
        if (!order.fits(x, y) || !order.fits(y, z) || !order.fits(x, z)) continue;
        order.add(x, y);
        if (order.fits(y, z)) order.add(y, z);
      }
      const std::vector<std::uint32_t> positions = order.linear_extension();
      if (left_out != 0) {
        --left_out;
      } else if (!take(ops_of(space_, positions), 0)) {
        return false;
      }
      for (std::uint32_t i = 0; i < positions.size(); ++i) place[positions[i]] = i;
      std::erase_if(open, [&](const OpTriple& t) { return place[t[0]] < place[t[1]] && place[t[1]] < place[t[2]]; });
    } while (!open.empty());
    return true;
  }

 private:
  /// Every order, as far as the DAG allows it, of the triples around each op with two open pairs.
  [[nodiscard]] std::vector<OpTriple> list_triples(const BitMatrix& after) const {
    std::vector<std::vector<std::uint32_t>> partners(after.size());
    for (const OpPair& pair : space_.pairs()) {
      const std::uint32_t a = space_.order().position_of(pair.op_a);
      const std::uint32_t b = space_.order().position_of(pair.op_b);
      partners[a].push_back(b);
      partners[b].push_back(a);
    }
    std::vector<OpTriple> triples;
    for (std::uint32_t middle = 0; middle < partners.size(); ++middle) {
      for (std::size_t i = 0; i < partners[middle].size(); ++i) {
        for (std::size_t j = 0; j < i && triples.size() < most_; ++j) {
          add_orders(after, {partners[middle][i], middle, partners[middle][j]}, triples);
        }
      }
    }
    std::sort(triples.begin(), triples.end());
    triples.erase(std::unique(triples.begin(), triples.end()), triples.end());
    return triples;
  }
  static void add_orders(const BitMatrix& after, OpTriple triple, std::vector<OpTriple>& to) {
    std::sort(triple.begin(), triple.end());
    do {
      const auto& [x, y, z] = triple;
      if (!after.test(y, x) && !after.test(z, y) && !after.test(z, x)) to.push_back(triple);
    } while (std::next_permutation(triple.begin(), triple.end()));
  }

  const OpSpace& space_;
  std::uint64_t most_;
};

}  // namespace

std::unique_ptr<OpStrategy> make_pairs(const OpSpace& space) { return std::make_unique<OpPairs>(space); }
std::unique_ptr<OpStrategy> make_triples(const OpSpace& space, const StrategyOptions& options) {
  return std::make_unique<OpTriples>(space, options);
}

}  // namespace detent::verify::explore
