// Values and who uses them -> bytes that are free for as long -> moves -> the same questions once more.
#include "verify/repair/place_repair.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/byte_ranges.hpp"
#include "verify/flow/value_flow.hpp"
#include "verify/flow/wants.hpp"
#include "verify/graph/byte_set.hpp"
#include "verify/graph/order.hpp"
#include "verify/static/buffer_race.hpp"

namespace detent::verify {
namespace {

constexpr std::uint32_t kNoItem = DETENT_NONE;
constexpr std::size_t kMostCandidates = 16;
constexpr std::size_t kMostChanges = 64;

/// What stays together: a tensor with its views, the ranges of a value, or a range without a name.
struct Item {
  std::string name;
  bool is_movable = false;
  std::vector<std::uint32_t> tensors{};
  std::set<std::uint32_t> users{};  ///< ops
  bool is_before_run = false;       ///< the application writes it
  bool is_after_run = false;        ///< the application reads it
};

class Items {
 public:
  Items(const detent_desc& desc, const ValueTables* values) : desc_(desc), values_(values) {
    parents_.resize(desc.tensor_count + (values == nullptr ? 0 : values->names.size()));
    std::iota(parents_.begin(), parents_.end(), 0U);
    for (std::uint32_t tensor = 0; tensor < desc.tensor_count; ++tensor) {
      if (desc.tensors[tensor].alias_of < desc.tensor_count) join(tensor, desc.tensors[tensor].alias_of);
      for (const std::uint32_t value : values_of(tensor)) join(tensor, desc.tensor_count + value);
    }
    collect();
  }

  [[nodiscard]] const std::vector<Item>& all() const { return items_; }
  [[nodiscard]] std::uint32_t of(std::uint32_t tensor) const { return item_of_[tensor]; }
  /// The item of a value's name; kNoItem: none.
  [[nodiscard]] std::uint32_t named(const std::string& name) const {
    const auto found = std::ranges::find(items_, name, &Item::name);
    return found == items_.end() ? kNoItem : static_cast<std::uint32_t>(found - items_.begin());
  }

 private:
  [[nodiscard]] std::vector<std::uint32_t> values_of(std::uint32_t tensor) const {
    if (values_ == nullptr || tensor >= values_->tensor_values.size()) return {};
    return values_->tensor_values[tensor];
  }

  std::uint32_t root(std::uint32_t at) {
    while (parents_[at] != at) at = parents_[at] = parents_[parents_[at]];
    return at;
  }
  void join(std::uint32_t a, std::uint32_t b) { parents_[root(a)] = root(b); }

  void collect() {
    std::vector<std::uint32_t> item_of_root(parents_.size(), kNoItem);
    item_of_.resize(desc_.tensor_count);
    for (std::uint32_t tensor = 0; tensor < desc_.tensor_count; ++tensor) {
      std::uint32_t& item = item_of_root[root(tensor)];
      if (item == kNoItem) {
        item = static_cast<std::uint32_t>(items_.size());
        items_.emplace_back();
      }
      item_of_[tensor] = item;
      items_[item].tensors.push_back(tensor);
    }
    for (std::uint32_t op = 0; op < desc_.op_count; ++op) {
      for (const detent_slice* slice : {&desc_.ops[op].inputs, &desc_.ops[op].outputs, &desc_.ops[op].scratch}) {
        for (std::uint32_t k = 0; k < slice->count; ++k) {
          items_[item_of_[desc_.tensor_refs[slice->first + k]]].users.insert(op);
        }
      }
    }
    for (std::uint32_t i = 0; i < desc_.input_count; ++i) items_[item_of_[desc_.inputs[i]]].is_before_run = true;
    for (std::uint32_t i = 0; i < desc_.output_count; ++i) items_[item_of_[desc_.outputs[i]]].is_after_run = true;
    for (Item& item : items_) describe(item);
  }

  /// All in one workspace, and no bare range without a name.
  void describe(Item& item) {
    const detent_tensor& first = desc_.tensors[item.tensors.front()];
    item.is_movable = first.region < desc_.region_count &&
                      desc_.regions[first.region].kind == DETENT_REGION_WORKSPACE && !item.users.empty();
    for (const std::uint32_t tensor : item.tensors) {
      const bool is_range = (desc_.tensors[tensor].flags & DETENT_TENSOR_RANGE) != 0;
      const std::vector<std::uint32_t> values = values_of(tensor);
      if (desc_.tensors[tensor].region != first.region || (is_range && values.empty())) item.is_movable = false;
      if (is_range && !values.empty()) item.name = values_->names[values.front()];
      const bool is_base = desc_.tensors[tensor].alias_of == DETENT_NONE;
      if (!is_range && is_base && desc_.tensors[tensor].name != nullptr) item.name = desc_.tensors[tensor].name;
    }
  }

  const detent_desc& desc_;
  const ValueTables* const values_;
  std::vector<std::uint32_t> parents_;  ///< of tensors, then values
  std::vector<Item> items_;
  std::vector<std::uint32_t> item_of_;  ///< by tensor
};

/// Ops that are ordered with all of some ops.
struct Surroundings {
  std::vector<bool> before, after;  ///< by op: a path to each of them, from each of them
};

class Neighbours {
 public:
  explicit Neighbours(const detent_desc& desc) : order_(desc), predecessors_(desc.op_count) {
    for (std::uint32_t position = 0; position < desc.op_count; ++position) {
      for (const std::uint32_t next : order_.successors(position)) predecessors_[next].push_back(position);
    }
  }

  [[nodiscard]] Surroundings of(const std::set<std::uint32_t>& ops) const {
    const std::uint32_t count = order_.op_count();
    Surroundings all{std::vector<bool>(count, true), std::vector<bool>(count, true)};
    for (const std::uint32_t op : ops) {
      std::vector<bool> reached(count);
      std::vector<std::uint32_t> open{order_.position_of(op)};
      flood(open, reached, [&](std::uint32_t at) { return order_.successors(at); });
      for (std::uint32_t p = 0; p < count; ++p) all.after[order_.op_at(p)] = all.after[order_.op_at(p)] && reached[p];
      reached.assign(count, false);
      open = {order_.position_of(op)};
      flood(open, reached, [&](std::uint32_t at) { return std::span<const std::uint32_t>(predecessors_[at]); });
      for (std::uint32_t p = 0; p < count; ++p) all.before[order_.op_at(p)] = all.before[order_.op_at(p)] && reached[p];
    }
    return all;
  }

 private:
  template <typename Next>
  static void flood(std::vector<std::uint32_t>& open, std::vector<bool>& reached, Next next) {
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      for (const std::uint32_t to : next(at)) {
        if (!reached[to]) open.push_back(to);
        reached[to] = true;
      }
    }
  }

  Order order_;
  std::vector<std::vector<std::uint32_t>> predecessors_;
};

class PlaceFinder {
 public:
  PlaceFinder(const detent_desc& desc, const ValueTables* values)
      : desc_(desc), values_(values), items_(desc, values), neighbours_(desc) {}

  PlaceRepair find() {
    look_at(desc_);
    while (fault_count() != 0 && repair_.changes.size() < kMostChanges && improve()) {
    }
    repair_.left_races = races_.races.pairs + races_.order_dependent.pairs;
    repair_.left_violations = flow_.count;
    repair_.mends = fault_count() == 0;
    repair_.is_one_enough = repair_.mends && repair_.changes.size() == 1;
    for (RegionId region = 0; moved_ != nullptr && region < desc_.region_count; ++region) {
      repair_.cost_bytes += moved_->desc().regions[region].size_bytes - desc_.regions[region].size_bytes;
    }
    return std::move(repair_);
  }

 private:
  struct Outlook {
    std::uint64_t faults, cost;
    PlaceChange change;
    [[nodiscard]] auto key() const { return std::pair(faults, cost); }
  };

  [[nodiscard]] const detent_desc& now() const { return moved_ == nullptr ? desc_ : moved_->desc(); }
  [[nodiscard]] std::uint64_t fault_count() const {
    return races_.races.pairs + races_.order_dependent.pairs + flow_.count;
  }

  void look_at(const detent_desc& desc) {
    RaceOptions options;
    options.values = values_;
    races_ = find_races(desc, options);
    flow_ = find_value_violations(desc, values_);
  }

  /// Move one more value. @return  false: no move leaves fewer faults
  bool improve() {
    std::optional<Outlook> best;
    for (const std::uint32_t item : candidates()) {
      std::optional<PlaceChange> change = place_of(item);
      if (!change) continue;
      std::vector<Move> moves = all_moves();
      moves.insert(moves.end(), change->moves.begin(), change->moves.end());
      const ExtendedDesc moved(desc_, moves);
      RaceOptions options;
      options.values = values_;
      options.max_listed = 1;
      const RaceReport races = find_races(moved.desc(), options);
      const ValueFlowReport flow = find_value_violations(moved.desc(), values_, {.max_listed = 1, .block_columns = 0});
      Outlook outlook{races.races.pairs + races.order_dependent.pairs + flow.count, size_of(moved.desc()),
                      std::move(*change)};
      if (outlook.faults < fault_count() && (!best || outlook.key() < best->key())) best = std::move(outlook);
    }
    if (!best) return false;
    repair_.changes.push_back(std::move(best->change));
    moved_ = std::make_unique<ExtendedDesc>(desc_, all_moves());
    look_at(moved_->desc());
    return true;
  }

  [[nodiscard]] static std::uint64_t size_of(const detent_desc& desc) {
    std::uint64_t sum = 0;
    for (RegionId region = 0; region < desc.region_count; ++region) sum += desc.regions[region].size_bytes;
    return sum;
  }

  [[nodiscard]] std::vector<Move> all_moves() const {
    std::vector<Move> moves;
    for (const PlaceChange& change : repair_.changes) {
      moves.insert(moves.end(), change.moves.begin(), change.moves.end());
    }
    return moves;
  }

  /// Values of the first faults that were not moved yet, by number.
  [[nodiscard]] std::vector<std::uint32_t> candidates() const {
    std::vector<std::uint32_t> found;
    const auto add = [&](std::uint32_t item) {
      if (item == kNoItem || !items_.all()[item].is_movable || found.size() == kMostCandidates) return;
      if (std::ranges::find(found, item) == found.end() && !is_moved(item)) found.push_back(item);
    };
    for (const RaceList* list : {&races_.races, &races_.order_dependent}) {
      for (const Race& race : list->listed) {
        add(items_.of(race.tensor_a));
        add(items_.of(race.tensor_b));
      }
    }
    for (const ValueViolation& violation : flow_.listed) {
      if (violation.in_the_way == DETENT_NONE) continue;
      add(items_.named(violation.value));
      for (const std::uint32_t item : written_there(violation)) add(item);
    }
    return found;
  }

  [[nodiscard]] bool is_moved(std::uint32_t item) const {
    return std::ranges::any_of(
        repair_.changes, [&](const PlaceChange& change) { return items_.of(change.moves.front().tensor) == item; });
  }

  [[nodiscard]] std::vector<std::uint32_t> written_there(const ValueViolation& violation) const {
    std::vector<std::uint32_t> found;
    const detent_op& op = desc_.ops[violation.in_the_way];
    for (const detent_slice* slice : {&op.outputs, &op.scratch}) {
      for (std::uint32_t k = 0; k < slice->count; ++k) {
        const std::uint32_t tensor = desc_.tensor_refs[slice->first + k];
        const detent_tensor& t = now().tensors[tensor];
        const bool overlaps = t.region == violation.region &&
                              t.offset_bytes < violation.offset_bytes + violation.size_bytes &&
                              violation.offset_bytes < t.offset_bytes + t.size_bytes;
        if (overlaps) found.push_back(items_.of(tensor));
      }
    }
    return found;
  }

  /// The lowest place in its region at which nothing lives at the same time.
  [[nodiscard]] std::optional<PlaceChange> place_of(std::uint32_t number) const {
    const Item& item = items_.all()[number];
    std::uint64_t begin = UINT64_MAX;
    std::uint64_t end = 0;
    std::uint64_t align = 1;
    for (const std::uint32_t tensor : item.tensors) {
      const detent_tensor& t = now().tensors[tensor];
      begin = std::min(begin, t.offset_bytes);
      end = std::max(end, t.offset_bytes + t.size_bytes);
      align = std::max<std::uint64_t>(align, t.align_bytes);
    }
    const RegionId region = now().tensors[item.tensors.front()].region;
    std::uint64_t at = begin % align;  // moved by a multiple of the alignment, every part stays aligned
    for (const ByteRange& taken : taken_beside(number, region)) {
      if (at + (end - begin) <= taken.begin) break;
      if (taken.end > at) at += (taken.end - at + align - 1) / align * align;
    }
    if (at > DETENT_MAX_BYTES || end - begin > DETENT_MAX_BYTES - at || at == begin) return std::nullopt;
    PlaceChange change{item.name, {}, region, begin, at, end - begin};
    for (const std::uint32_t tensor : item.tensors) {
      if (desc_.tensors[tensor].alias_of != DETENT_NONE) continue;
      change.moves.push_back({tensor, static_cast<std::int64_t>(at) - static_cast<std::int64_t>(begin)});
    }
    return change;
  }

  /// Bytes of a region that hold something at a time at which the item may live, too.
  [[nodiscard]] ByteRanges taken_beside(std::uint32_t number, RegionId region) const {
    const Item& item = items_.all()[number];
    const Surroundings around = neighbours_.of(item.users);
    std::vector<ByteRange> taken;
    for (std::uint32_t other = 0; other < items_.all().size(); ++other) {
      if (other == number || are_apart(item, items_.all()[other], around)) continue;
      for (const std::uint32_t tensor : items_.all()[other].tensors) {
        const detent_tensor& t = now().tensors[tensor];
        if (t.region == region) taken.push_back({t.offset_bytes, t.offset_bytes + t.size_bytes});
      }
    }
    return make_ranges(std::move(taken));
  }

  static bool are_apart(const Item& item, const Item& other, const Surroundings& around) {
    const auto all_in = [&](const std::vector<bool>& ops) {
      return std::ranges::all_of(other.users, [&](std::uint32_t op) { return ops[op]; });
    };
    const bool is_earlier = !item.is_before_run && !other.is_after_run && all_in(around.before);
    const bool is_later = !item.is_after_run && !other.is_before_run && all_in(around.after);
    return is_earlier || is_later;
  }

  const detent_desc& desc_;
  const ValueTables* const values_;
  const Items items_;
  const Neighbours neighbours_;
  std::unique_ptr<ExtendedDesc> moved_;
  RaceReport races_;
  ValueFlowReport flow_;
  PlaceRepair repair_;
};

}  // namespace

PlaceRepair find_place_repair(const detent_desc& desc, const ValueTables* values) {
  return PlaceFinder(desc, values).find();
}

}  // namespace detent::verify
