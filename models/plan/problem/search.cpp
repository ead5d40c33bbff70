#include "models/plan/problem/search.hpp"

#include <algorithm>
#include <utility>

namespace detent::models::packing {
namespace {

constexpr std::int64_t kNever = std::int64_t{1} << 62U;
constexpr std::uint64_t kTickNodes = 4096;

bool have_equal_sections(const Item& a, const Item& b) {
  return a.first_section == b.first_section && a.end_section == b.end_section && a.align == 1 && b.align == 1;
}

}  // namespace

Search::Search(const Part& part, std::int64_t ceiling)
    : part_(part),
      ceiling_(ceiling),
      offsets_(part.items.size()),
      rank_(part.items.size()),
      sections_(part.sections),
      above_(part.sections) {}

Found Search::run(const std::vector<std::uint32_t>& order, std::uint64_t max_nodes,
                  const std::function<bool(std::uint64_t)>& tick) {
  nodes_ = 0;
  max_nodes_ = max_nodes;
  is_stopped_ = false;
  tick_ = &tick;
  Opens opens;
  for (std::size_t i = 0; i < order.size(); ++i) {
    rank_[order[i]] = static_cast<std::int64_t>(i);
    opens.push_back({.item = order[i]});
  }
  if (place_all(std::move(opens), {})) return Found::kPlacement;
  return is_stopped_ ? Found::kLimit : Found::kNone;
}

bool Search::count_node() {
  if (nodes_ == max_nodes_) is_stopped_ = true;
  if (is_stopped_) return false;
  ++nodes_;
  if (nodes_ % kTickNodes == 0 && *tick_ && !(*tick_)(nodes_)) is_stopped_ = true;
  return !is_stopped_;
}

/// Place the open items above the level. @return  false: there is no way to, or the search is stopped
bool Search::place_all(Opens opens, Level level) {
  while (!opens.empty()) {
    if (!count_node()) return false;
    measure(opens, level);
    if (!delay(opens) || !stack(opens)) return false;
    if (const std::vector<Opens> apart = components(opens); apart.size() > 1) {
      return std::all_of(apart.begin(), apart.end(), [&](const Opens& one) { return place_all(one, level); });
    }
    std::size_t at = settled(opens);
    if (at == opens.size()) {
      bool is_changed = false;
      if (!lift(opens, is_changed) || (is_changed && !stack(opens))) return false;
      if (is_changed) at = settled(opens);
      if (at == opens.size()) return branch(opens);
    }
    const Open placed = opens[at];
    if (placed.waits || placed.earliest != placed.offset) return false;  // it could be lowered where it may not lie
    opens.erase(opens.begin() + static_cast<std::ptrdiff_t>(at));
    if (!put(opens, placed)) return false;
  }
  return true;
}

void Search::reset_sections() {
  std::fill(sections_.begin() + begin_, sections_.begin() + end_, Section{0, kNever, kNever});
}

/// Earliest offsets by the level alone; of each section the open sizes and the two lowest tops.
void Search::measure(Opens& opens, const Level& level) {
  begin_ = part_.sections;
  end_ = 0;
  for (const Open& open : opens) {
    begin_ = std::min(begin_, part_.items[open.item].first_section);
    end_ = std::max(end_, part_.items[open.item].end_section);
  }
  reset_sections();
  lowest_top_ = kNever;
  for (Open& open : opens) {
    const Item& item = part_.items[open.item];
    open.waits = open.offset < level.offset || (open.offset == level.offset && rank_[open.item] < level.rank) ||
                 open.offset == open.forbidden;
    open.earliest = aligned(std::max(open.offset, level.offset), item.align);
    lowest_top_ = std::min(lowest_top_, open.offset + item.size);
    const std::int64_t size = item.size;
    const std::int64_t top = open.earliest + size;
    for (std::uint32_t s = item.first_section; s < item.end_section; ++s) {
      sections_[s].height += size;
      sections_[s].note(top);
    }
  }
}

/// Raise the earliest offsets of items that have to lie on another open one. @return  false: one cannot
bool Search::delay(Opens& opens) {
  for (Open& open : opens) {
    const Item& item = part_.items[open.item];
    const std::int64_t top = open.earliest + item.size;
    const std::int64_t most_open = ceiling_ - open.earliest;
    std::int64_t lowest_of_all = kNever;
    std::int64_t raised = open.earliest;
    for (std::uint32_t s = item.first_section; s < item.end_section; ++s) {
      const std::int64_t of_others = sections_[s].lowest_beside(top);
      lowest_of_all = std::min(lowest_of_all, of_others);
      if (sections_[s].height > most_open) raised = std::max(raised, of_others);
    }
    if (open.waits) raised = std::max(raised, lowest_of_all);
    if (raised == open.earliest) continue;
    if (raised > ceiling_ - item.size) return false;
    open.earliest = aligned(raised, item.align);
    if (open.earliest > ceiling_ - item.size) return false;
  }
  return true;
}

/// Sort by earliest offsets and stack the items of each section; then of each section the two lowest earliest offsets.
/// @return  false: a stack exceeds the ceiling
bool Search::stack(Opens& opens) {
  for (std::size_t i = 1; i < opens.size(); ++i) {  // by insertion: they are nearly sorted
    const Open open = opens[i];
    std::size_t at = i;
    for (; at > 0; --at) {
      const Open& before = opens[at - 1];
      if (before.earliest < open.earliest ||
          (before.earliest == open.earliest && rank_[before.item] < rank_[open.item]))
        break;
      opens[at] = before;
    }
    opens[at] = open;
  }
  reset_sections();
  for (const Open& open : opens) {
    const Item& item = part_.items[open.item];
    const std::int64_t size = item.size;
    const std::int64_t earliest = open.earliest;
    for (std::uint32_t s = item.first_section; s < item.end_section; ++s) {
      sections_[s].height = std::max(sections_[s].height, earliest) + size;
      sections_[s].note(earliest);
    }
  }
  return std::all_of(sections_.begin() + begin_, sections_.begin() + end_,
                     [&](const Section& section) { return section.height <= ceiling_; });
}

/// Raise the earliest offsets of items above which more would have to lie than fits: in a section, all that cannot end
/// below. @param opens  by earliest offsets   @return  false: one cannot be raised so far
bool Search::lift(Opens& opens, bool& is_changed) {
  const std::int64_t last = opens.back().earliest;
  tops_.clear();
  for (const Open& open : opens) tops_.push_back({open.earliest + part_.items[open.item].size, open.item});
  std::sort(tops_.begin(), tops_.end(), [](const Top& a, const Top& b) { return a.offset < b.offset; });
  if (tops_.front().offset > last) return true;  // nothing can end below another
  std::fill(above_.begin() + begin_, above_.begin() + end_, 0);
  for (const Open& open : opens) {
    const Item& item = part_.items[open.item];
    for (std::uint32_t s = item.first_section; s < item.end_section; ++s) above_[s] += item.size;
  }
  std::size_t next = 0;
  for (Open& open : opens) {
    const Item& item = part_.items[open.item];
    for (; tops_[next].offset <= open.earliest; ++next) {  // its own top is above
      const Item& below = part_.items[tops_[next].item];
      for (std::uint32_t s = below.first_section; s < below.end_section; ++s) above_[s] -= below.size;
    }
    if (next == 0) continue;  // delay() looked at it
    const std::int64_t most_above = ceiling_ - open.earliest;
    std::int64_t raised = open.earliest;
    for (std::uint32_t s = item.first_section; s < item.end_section; ++s) {
      if (above_[s] > most_above) raised = std::max(raised, next_top(item, s, next));
    }
    if (raised == open.earliest) continue;
    if (raised > ceiling_ - item.size) return false;
    open.earliest = aligned(raised, item.align);
    if (open.earliest > ceiling_ - item.size) return false;
    is_changed = true;
  }
  return true;
}

/// The lowest top of another item of the section, from tops_[first_top] on; kNever: none.
std::int64_t Search::next_top(const Item& item, std::uint32_t section, std::size_t first_top) const {
  for (std::size_t i = first_top; i < tops_.size(); ++i) {
    const Item& other = part_.items[tops_[i].item];
    if (&other != &item && other.first_section <= section && section < other.end_section) return tops_[i].offset;
  }
  return kNever;
}

/// Open items by the chains of common sections between them, the fewest first.
std::vector<Search::Opens> Search::components(const Opens& opens) const {
  std::vector<std::uint32_t> ends(end_ - begin_, 0);  // of the items that begin in a section
  for (const Open& open : opens) {
    const Item& item = part_.items[open.item];
    std::uint32_t& end = ends[item.first_section - begin_];
    end = std::max(end, item.end_section);
  }
  std::vector<std::uint32_t> cuts;
  std::uint32_t reach = ends[0];
  for (std::uint32_t s = begin_ + 1; s < end_; ++s) {
    if (ends[s - begin_] == 0) continue;
    if (reach <= s) cuts.push_back(s);
    reach = std::max(reach, ends[s - begin_]);
  }
  if (cuts.empty()) return {};
  std::vector<Opens> result(cuts.size() + 1);
  for (const Open& open : opens) {
    const auto at = std::upper_bound(cuts.begin(), cuts.end(), part_.items[open.item].first_section) - cuts.begin();
    result[static_cast<std::size_t>(at)].push_back(open);
  }
  std::stable_sort(result.begin(), result.end(), [](const Opens& a, const Opens& b) { return a.size() < b.size(); });
  return result;
}

/// An item below whose top no other open one begins, so that it can lie at its offset; opens.size(): none.
std::size_t Search::settled(const Opens& opens) const {
  for (std::size_t i = 0; i < opens.size(); ++i) {
    const Item& item = part_.items[opens[i].item];
    const std::int64_t top = opens[i].offset + item.size;
    bool is_clear = true;
    for (std::uint32_t s = item.first_section; s < item.end_section && is_clear; ++s) {
      is_clear = sections_[s].lowest_beside(opens[i].earliest) >= top;
    }
    if (is_clear) return i;
  }
  return opens.size();
}

/// Place an item at its offset; the others lie on it. @return  false: one exceeds the ceiling then
bool Search::put(Opens& opens, const Open& placed) {
  const Item& item = part_.items[placed.item];
  const std::int64_t top = placed.offset + item.size;
  offsets_[placed.item] = placed.offset;
  for (Open& open : opens) {
    const Item& other = part_.items[open.item];
    if (open.offset >= top || !live_at_once(item, other)) continue;
    open.offset = aligned(top, other.align);
    if (open.offset > ceiling_ - other.size) return false;
    if (have_equal_sections(item, other) && rank_[open.item] < rank_[placed.item]) open.forbidden = open.offset;
  }
  return true;
}

/// Try each item that can be the next in the order of offsets.
bool Search::branch(const Opens& opens) {
  const std::int64_t lowest_top = lowest_top_;
  Opens rest;
  for (std::size_t i = 0; i < opens.size(); ++i) {
    const Open& next = opens[i];
    if (next.earliest >= lowest_top) break;
    if (next.waits || next.earliest != next.offset) continue;
    rest = opens;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    if (put(rest, next) && place_all(rest, {next.offset, rank_[next.item]})) return true;
    if (is_stopped_) return false;
  }
  return false;
}

}  // namespace detent::models::packing
