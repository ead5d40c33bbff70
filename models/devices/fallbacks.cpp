#include "models/devices/fallbacks.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "models/core/decisions.hpp"
#include "models/devices/unique_name.hpp"

namespace detent::models {
namespace {

constexpr const char* kSuffix = ".fallback";
constexpr const char* kRegion = "failures";

class Adder {
 public:
  explicit Adder(Model& model)
      : model_(model), is_planned_(std::ranges::all_of(model.tensors, [](const Tensor& tensor) {
          return tensor.alias_of != kNone || tensor.region != kNone;
        })) {
    for (const Op& op : model.ops) op_names_.insert(op.name);
    for (const Tensor& tensor : model.tensors) tensor_names_.insert(tensor.name);
  }

  std::size_t add(const std::vector<FallbackOn>& wanted) {
    std::vector<Op> old = std::exchange(model_.ops, {});
    std::vector<std::uint32_t> ids;        // by old id: the new one
    std::vector<std::uint32_t> fallbacks;  // by old id: that of its fallback, or kNone
    for (std::size_t i = 0; i < old.size(); ++i) {
      ids.push_back(static_cast<std::uint32_t>(model_.ops.size()));
      fallbacks.push_back(kNone);
      model_.ops.push_back(std::move(old[i]));
      if (wanted[i].core_class.empty()) continue;
      fallbacks.back() = ids.back() + 1;
      append_fallback(wanted[i]);
    }
    move_edges(ids, fallbacks);
    return model_.ops.size() - ids.size();
  }

 private:
  /// Of the op appended last.
  void append_fallback(const FallbackOn& on) {
    Op again = model_.ops.back();
    const std::uint32_t failed = add_failure(again.name);
    model_.ops.back().is_fallible = true;
    model_.ops.back().watchdog_ps = on.watchdog_ps;
    model_.ops.back().outputs.push_back(failed);
    again.name = take_name(again.name + kSuffix, op_names_);
    again.core_class = on.core_class;
    again.workers = 0;
    if (const auto known = again.times_by_class.find(on.core_class); known != again.times_by_class.end()) {
      again.time_ps = known->second;
    } else if (again.time_ps) {
      again.time_ps = times_of(again, on);
    }
    again.times_by_class.clear();
    again.release_ps.reset();
    again.replaces = true;
    if (again.guarded != Guarded::kNo) again.inputs.pop_back();  // the failure is decided under that guard
    again.guarded = Guarded::kIfTrue;
    again.inputs.push_back(failed);
    model_.ops.push_back(std::move(again));
  }

  /// Of an op with a time: the best rounded down, the worst up. (A double has too few bits for every time.)
  static std::pair<std::uint64_t, std::uint64_t> times_of(const Op& op, const FallbackOn& on) {
    constexpr long double kTooLong = 0x1p62L;
    const auto best = std::floor(static_cast<long double>(op.time_ps->first) * on.slower);
    const auto worst = std::ceil(static_cast<long double>(op.time_ps->second) * on.slower);
    if (!(worst < kTooLong)) throw std::invalid_argument("op '" + op.name + "' takes too long; make it less slow");
    return {static_cast<std::uint64_t>(best), static_cast<std::uint64_t>(worst)};
  }

  std::uint32_t add_failure(const std::string& op) {
    Tensor failed;
    failed.name = take_name(op + ".failed", tensor_names_);
    failed.dtype = DETENT_BOOL;
    failed.dims = {1};
    failed.size_bytes = failed.block_bytes = 1;
    failed.align_bytes = 1;
    if (is_planned_) {
      failed.region = failures_region();
      failed.offset_bytes = model_.regions[failed.region].size_bytes++;
    }
    model_.tensors.push_back(std::move(failed));
    return static_cast<std::uint32_t>(model_.tensors.size() - 1);
  }

  std::uint32_t failures_region() {
    if (region_ != kNone) return region_;
    std::set<std::string> taken;
    for (const Region& region : model_.regions) taken.insert(region.name);
    region_ = static_cast<std::uint32_t>(model_.regions.size());
    model_.regions.push_back({.name = take_name(kRegion, taken)});
    return region_;
  }

  /// What follows the op follows its fallback, too, with what moves its results there. What a fallback reads of another
  /// class comes to it by an edge of its own, so that a transfer can be counted on it.
  void move_edges(const std::vector<std::uint32_t>& ids, const std::vector<std::uint32_t>& fallbacks) {
    std::vector<Edge> moved;
    for (const Edge& edge : model_.edges) {
      const std::uint32_t from = ids[edge.from];
      const std::uint32_t to = ids[edge.to];
      moved.push_back({from, to, edge.min_ps, edge.max_ps});
      if (fallbacks[edge.from] != kNone) moved.push_back({fallbacks[edge.from], to, edge.min_ps, edge.max_ps});
      const std::uint32_t again = fallbacks[edge.to];
      if (again == kNone) continue;
      for (const std::uint32_t writer : {from, fallbacks[edge.from]}) {
        if (writer != kNone && model_.ops[writer].core_class != model_.ops[again].core_class)
          moved.push_back({writer, again});
      }
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (fallbacks[i] != kNone) moved.push_back({ids[i], fallbacks[i]});
    }
    std::ranges::stable_sort(moved, {}, [](const Edge& edge) { return std::tuple(edge.from, edge.to); });
    model_.edges = std::move(moved);
  }

  Model& model_;
  const bool is_planned_;
  std::set<std::string> op_names_, tensor_names_;
  std::uint32_t region_ = kNone;
};

}  // namespace

const char* fallback_fault(const Model& model, const Op& op) {
  const auto is_range = [&](std::uint32_t tensor) { return model.tensors[tensor].role == TensorRole::kRange; };
  if (op.is_fallible) return "has one already";
  if (op.in_place) return "works in place: what it has failed on is overwritten, and cannot be computed again";
  if (op.outputs.empty()) return "writes nothing";
  if (std::ranges::any_of(op.outputs, is_range))
    return "writes bare byte ranges, of which the runtime cannot tell who reads them";
  if (!op.commutes.empty()) return "commutes with others, so that nobody knows which of them comes after it";
  if (decided_tensor(model, op) != kNone) return "decides which ops run";
  return nullptr;
}

std::size_t add_fallbacks(Model& model, const std::vector<FallbackOn>& wanted) {
  const std::size_t added = Adder(model).add(wanted);
  derive_decisions(model);
  return added;
}

std::uint32_t failing_op_of(const Model& model, std::uint32_t op) {
  const Op& again = model.ops[op];
  if (again.guarded != Guarded::kIfTrue || again.inputs.empty()) return kNone;
  const std::uint32_t failed = again.inputs.back();
  for (std::uint32_t before = op; before-- > 0;) {
    const Op& other = model.ops[before];
    const bool comes_first = other.guarded == Guarded::kIfTrue && other.inputs.back() == failed;
    if (comes_first) return kNone;  // it copies what that one has computed
    const bool fails = other.is_fallible && other.outputs.back() == failed;
    if (fails) return other.kernel == again.kernel ? before : kNone;
  }
  return kNone;
}

}  // namespace detent::models
