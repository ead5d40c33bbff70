// Closure as triangular bit rows; arcs that order pairs of it; branch and bound over them.
#include "verify/repair/least_edges.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "base/assert.hpp"

namespace detent::verify {
namespace {

using Word = std::uint64_t;

/// Who comes before whom, by node.
class Earlier {
 public:
  Earlier(std::uint32_t node_count, const std::vector<Arc>& arcs) : first_(std::size_t{node_count} + 1) {
    for (std::uint32_t node = 0; node < node_count; ++node) first_[node + 1] = first_[node] + words_of(node);
    bits_.resize(first_[node_count]);
    std::vector<Arc> by_target = arcs;
    std::ranges::sort(by_target, {}, [](const Arc& arc) { return std::pair(arc.to, arc.from); });
    for (const Arc& arc : by_target) take(arc.to, arc.from);
  }

  [[nodiscard]] std::uint32_t node_count() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  [[nodiscard]] std::size_t word_count() const { return bits_.size(); }
  [[nodiscard]] bool has(std::uint32_t before, std::uint32_t after) const {
    return before < after && (bits_[first_[after] + before / 64] >> (before % 64) & 1U) != 0;
  }
  [[nodiscard]] bool has_or_is(std::uint32_t before, std::uint32_t after) const {
    return before == after || has(before, after);
  }
  [[nodiscard]] bool has(const Arc& arc) const { return has(arc.from, arc.to); }

  /// To the row of `node` alone.
  void take(std::uint32_t node, std::uint32_t before) {
    for (std::size_t w = 0; w < words_of(before); ++w) bits_[first_[node] + w] |= bits_[first_[before] + w];
    bits_[first_[node] + before / 64] |= Word{1} << (before % 64);
  }
  void add(const Arc& arc) {
    if (has(arc)) return;
    for (std::uint32_t node = arc.to; node < node_count(); ++node) {
      if (has_or_is(arc.to, node)) take(node, arc.from);
    }
  }

 private:
  static std::size_t words_of(std::uint32_t node) { return node / 64 + 1; }

  std::vector<std::size_t> first_;
  std::vector<Word> bits_;  ///< row of a node: the nodes before it
};

/// Of the wanted pairs, those that neither the graph nor the others imply.
std::vector<Arc> without_implied(std::vector<Arc> wanted, const std::vector<Arc>& arcs, std::uint32_t node_count) {
  std::ranges::sort(wanted, [](const Arc& x, const Arc& y) { return x.to != y.to ? x.to < y.to : x.from > y.from; });
  std::vector<Arc> by_target = arcs;
  std::ranges::sort(by_target, {}, [](const Arc& arc) { return std::pair(arc.to, arc.from); });
  Earlier rows(node_count, {});
  std::vector<Arc> own;
  std::size_t arc = 0;
  std::size_t pair = 0;
  for (std::uint32_t node = 0; node < node_count; ++node) {
    for (; arc < by_target.size() && by_target[arc].to == node; ++arc) rows.take(node, by_target[arc].from);
    for (; pair < wanted.size() && wanted[pair].to == node; ++pair) {
      if (rows.has(wanted[pair])) continue;
      rows.take(node, wanted[pair].from);
      own.push_back(wanted[pair]);
    }
  }
  std::ranges::sort(own);
  return own;
}

/// No arc lies within two pairs that do not overlap.
std::size_t count_apart(std::vector<Arc> pairs) {
  std::ranges::sort(pairs, {}, &Arc::to);
  std::size_t count = 0;
  std::uint32_t end = 0;
  for (const Arc& pair : pairs) {
    if (count != 0 && pair.from < end) continue;
    end = pair.to;
    ++count;
  }
  return count;
}

/// Arcs within some pair whose ends cannot be moved closer together along the graph. Any other arc that lies there can
/// be moved so, and then orders no less; so there is a least set of these. None: more than `most`.
std::optional<std::vector<Arc>> closest_arcs(std::uint32_t node_count, const std::vector<Arc>& arcs,
                                             const std::vector<Arc>& pairs, std::size_t most) {
  std::vector<std::uint32_t> next(node_count, node_count);
  std::vector<std::uint32_t> last(node_count, 0);
  std::vector<bool> has_last(node_count);
  for (const Arc& arc : arcs) {
    next[arc.from] = std::min(next[arc.from], arc.to);
    last[arc.to] = std::max(last[arc.to], arc.from);
    has_last[arc.to] = true;
  }
  std::vector<std::uint32_t> reach(node_count, 0);  // by node: the end of the longest pair that begins no later
  for (const Arc& pair : pairs) reach[pair.from] = std::max(reach[pair.from], pair.to);
  for (std::uint32_t node = 1; node < node_count; ++node) reach[node] = std::max(reach[node], reach[node - 1]);
  std::vector<Arc> found;
  for (std::uint32_t from = 0; from < node_count; ++from) {
    for (std::uint32_t to = from + 1; to < next[from] && to <= reach[from]; ++to) {
      if (has_last[to] && last[to] >= from) continue;
      if (found.size() == most) return std::nullopt;
      found.push_back({from, to});
    }
  }
  return found;
}

class LeastSearch {
 public:
  LeastSearch(const Earlier& graph, const std::vector<Arc>& pairs, const std::vector<Arc>& arcs, std::uint64_t max_work)
      : graph_(graph), pairs_(pairs), arcs_(arcs), left_(max_work) {}

  [[nodiscard]] bool is_exhausted() const { return left_ == 0; }
  /// A set of `size` arcs that orders all pairs; none: there is none, or the work was too much.
  std::optional<std::vector<Arc>> find(std::size_t size) {
    chosen_.clear();
    if (!extend(graph_, std::vector<bool>(arcs_.size(), true), size)) return std::nullopt;
    return chosen_;
  }

 private:
  using Choice = std::vector<std::uint32_t>;  ///< arcs, ascending

  /// On the path of a pair, the first arc that is new begins behind what the pair's first node precedes already, and
  /// the last one ends before what precedes the second: one of each is in every set that orders the pair.
  bool extend(const Earlier& now, std::vector<bool> allowed, std::size_t size) {
    spend(now.word_count());
    std::vector<Choice> firsts;
    std::vector<Choice> lasts;
    for (const Arc& pair : pairs_) {
      if (now.has(pair)) continue;
      if (size == 0 || is_exhausted()) return false;
      firsts.push_back(choose(now, pair, allowed, true));
      lasts.push_back(choose(now, pair, allowed, false));
    }
    if (firsts.empty()) return true;
    if (count_disjoint(firsts) > size || count_disjoint(lasts) > size) return false;
    for (const std::uint32_t arc : smallest(firsts, lasts)) {
      if (is_exhausted()) return false;
      Earlier next = now;
      next.add(arcs_[arc]);
      allowed[arc] = false;
      chosen_.push_back(arcs_[arc]);
      if (extend(next, allowed, size - 1)) return true;
      chosen_.pop_back();
    }
    return false;
  }

  Choice choose(const Earlier& now, const Arc& pair, const std::vector<bool>& allowed, bool is_first) {
    spend(arcs_.size() / 8 + 1);
    Choice choice;
    for (std::uint32_t i = 0; i < arcs_.size(); ++i) {
      const Arc& arc = arcs_[i];
      if (!allowed[i] || arc.from < pair.from || arc.to > pair.to || now.has(arc)) continue;
      const bool serves = is_first ? now.has_or_is(pair.from, arc.from) : now.has_or_is(arc.to, pair.to);
      if (serves) choice.push_back(i);
    }
    return choice;
  }

  /// As many arcs are needed as there are choices without a common arc; counted greedily, small ones first.
  std::size_t count_disjoint(const std::vector<Choice>& choices) {
    std::vector<const Choice*> by_size;
    for (const Choice& choice : choices) by_size.push_back(&choice);
    std::ranges::stable_sort(by_size, {}, [](const Choice* choice) { return choice->size(); });
    if (by_size.front()->empty()) return SIZE_MAX;
    std::vector<bool> used(arcs_.size());
    std::size_t count = 0;
    for (const Choice* const choice : by_size) {
      if (std::ranges::any_of(*choice, [&](std::uint32_t arc) { return used[arc]; })) continue;
      for (const std::uint32_t arc : *choice) used[arc] = true;
      ++count;
    }
    return count;
  }

  static const Choice& smallest(const std::vector<Choice>& firsts, const std::vector<Choice>& lasts) {
    const auto by_size = [](const Choice& x, const Choice& y) { return x.size() < y.size(); };
    const Choice& first = *std::ranges::min_element(firsts, by_size);
    const Choice& last = *std::ranges::min_element(lasts, by_size);
    return last.size() < first.size() ? last : first;
  }

  void spend(std::uint64_t work) { left_ -= std::min(left_, work); }

  const Earlier& graph_;
  const std::vector<Arc>& pairs_;
  const std::vector<Arc>& arcs_;
  std::uint64_t left_;
  std::vector<Arc> chosen_;
};

/// Arc after arc, the one that orders the most pairs, the shorter one where several do. None: no fewer than `most`.
std::optional<std::vector<Arc>> cover_greedily(Earlier now, std::vector<Arc> pairs, const std::vector<Arc>& arcs,
                                               std::size_t most) {
  std::vector<Arc> chosen;
  while (!pairs.empty()) {
    if (chosen.size() + 1 >= most) return std::nullopt;
    const Arc* best = nullptr;
    std::size_t best_count = 0;
    for (const Arc& arc : arcs) {
      const auto count = static_cast<std::size_t>(std::ranges::count_if(pairs, [&](const Arc& pair) {
        return now.has_or_is(pair.from, arc.from) && now.has_or_is(arc.to, pair.to);
      }));
      const bool is_better =
          count > best_count || (best != nullptr && count == best_count && arc.to - arc.from < best->to - best->from);
      if (is_better) best = &arc;
      if (is_better) best_count = count;
    }
    if (best == nullptr || best_count == 0) return std::nullopt;
    now.add(*best);
    chosen.push_back(*best);
    std::erase_if(pairs, [&](const Arc& pair) { return now.has(pair); });
  }
  return chosen;
}

/// An arc without which one pair alone is not ordered becomes that pair: it orders no more than was asked for.
void weaken(const Earlier& graph, const std::vector<Arc>& pairs, std::vector<Arc>& arcs) {
  for (Arc& arc : arcs) {
    Earlier others = graph;
    for (const Arc& other : arcs) {
      if (other != arc) others.add(other);
    }
    std::vector<Arc> open;
    for (const Arc& pair : pairs) {
      if (!others.has(pair)) open.push_back(pair);
    }
    if (open.size() == 1) arc = open.front();
  }
  std::ranges::sort(arcs);
}

}  // namespace

LeastEdges find_least_edges(std::uint32_t node_count, const std::vector<Arc>& arcs, const std::vector<Arc>& wanted,
                            const LeastEdgesOptions& options) {
  constexpr std::size_t kMostSearchedPairs = 64;
  constexpr std::size_t kMostCoveredPairs = 2000;
  constexpr std::size_t kMostArcs = 20'000;
  constexpr std::uint32_t kMostSearchedNodes = 4096;
  for (const std::vector<Arc>* list : {&arcs, &wanted}) {
    for (const Arc& arc : *list) DETENT_ASSERT(arc.from < arc.to && arc.to < node_count);
  }
  const std::vector<Arc> own = without_implied(wanted, arcs, node_count);
  const std::size_t least = count_apart(own);
  LeastEdges best{own, least == own.size()};
  if (best.is_least || node_count > kMostSearchedNodes || own.size() > kMostCoveredPairs) return best;
  const std::optional<std::vector<Arc>> closest = closest_arcs(node_count, arcs, own, kMostArcs);
  if (!closest) return best;
  const Earlier graph(node_count, arcs);
  const std::uint64_t cover_work = std::uint64_t{own.size()} * own.size() * closest->size() / 4;
  if (cover_work <= options.max_work) {
    if (auto covered = cover_greedily(graph, own, *closest, own.size())) best.arcs = std::move(*covered);
  }
  best.is_least = best.arcs.size() == least;
  LeastSearch search(graph, own, *closest, options.max_work);
  for (std::size_t size = least; own.size() <= kMostSearchedPairs && !best.is_least; ++size) {
    if (size == best.arcs.size()) {
      best.is_least = true;
    } else if (auto found = search.find(size)) {
      best = {std::move(*found), true};
    } else if (search.is_exhausted()) {
      break;
    }
  }
  if (own.size() <= kMostSearchedPairs) weaken(graph, own, best.arcs);
  std::ranges::sort(best.arcs);
  return best;
}

}  // namespace detent::verify
