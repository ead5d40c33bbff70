// The planner's frame: workspace tensors and their users in, regions and offsets of every base tensor out.
#include "models/plan/memory_plan.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/input_error.hpp"
#include "models/core/dag.hpp"
#include "models/core/decisions.hpp"
#include "models/plan/internal.hpp"
#include "models/plan/timeline.hpp"

namespace detent::models {
namespace {

using planner::Item;

constexpr std::size_t kExactBoundItems = 2048;        // whatever it takes
constexpr std::uint64_t kBoundSteps = 1'000'000'000;  // for more items

std::uint64_t round_up(std::uint64_t value, std::uint64_t align) { return (value + align - 1) / align * align; }

bool is_planned(const Tensor& tensor) { return tensor.alias_of == kNone && tensor.role != TensorRole::kRange; }

detent_region_kind region_kind(TensorRole role) {
  switch (role) {
    case TensorRole::kInput:
      return DETENT_REGION_INPUT;
    case TensorRole::kOutput:
      return DETENT_REGION_OUTPUT;
    case TensorRole::kWeight:
      return DETENT_REGION_WEIGHTS;
    case TensorRole::kActivation:
    case TensorRole::kScratch:
    case TensorRole::kRange:
      return DETENT_REGION_WORKSPACE;
  }
  return DETENT_REGION_WORKSPACE;
}

}  // namespace

namespace planner {

std::vector<Item> workspace_items(const Model& model, std::uint32_t align) {
  std::vector<Item> items;
  const auto accesses = accesses_by_root(model);
  const std::vector<bool> lasts = lasting_tensors(model);
  for (std::uint32_t id = 0; id < model.tensors.size(); ++id) {
    const Tensor& tensor = model.tensors[id];
    if (!is_planned(tensor) || region_kind(tensor.role) != DETENT_REGION_WORKSPACE) continue;
    Item item{id, tensor.size_bytes, round_up(tensor.size_bytes, align), {}};
    for (const Access& access : accesses[id]) {
      if (lasts[id]) break;  // without users it comes before nothing and after nothing: its bytes are its own
      if (item.users.empty() || item.users.back() != access.op) item.users.push_back(access.op);
    }
    items.push_back(std::move(item));
  }
  return items;
}

Rows<std::uint32_t> items_by_op(const std::vector<Item>& items, std::size_t op_count) {
  return {op_count, [&](const auto& put) {
            for (std::uint32_t item = 0; item < items.size(); ++item) {
              for (const std::uint32_t user : items[item].users) put(user, item);
            }
          }};
}

std::uint32_t largest_alignment(const Model& model, std::uint32_t wanted) {
  for (const Tensor& tensor : model.tensors) wanted = std::max(wanted, tensor.align_bytes);
  return wanted;
}

}  // namespace planner

namespace {

using planner::largest_alignment;
using planner::workspace_items;

// The memories that the workspace is divided into (Region::is_separate). By tensor: which one it stays in; 0 is that of
// all tensors that are in no other.
struct Memories {
  std::vector<std::string> names{""};
  std::vector<std::uint32_t> of_tensor;
};

Memories memories_of(const Model& model) {
  Memories memories;
  std::vector<std::uint32_t> of_region(model.regions.size(), 0);
  for (std::size_t region = 0; region < model.regions.size(); ++region) {
    if (!model.regions[region].is_separate) continue;
    of_region[region] = static_cast<std::uint32_t>(memories.names.size());
    memories.names.push_back(model.regions[region].name);
  }
  for (const Tensor& tensor : model.tensors) {
    const bool is_inside = is_planned(tensor) && tensor.region < of_region.size();
    memories.of_tensor.push_back(is_inside ? of_region[tensor.region] : 0);
  }
  return memories;
}

// Regions of earlier plans go; regions that byte ranges name stay, with their numbers.
void drop_old_plan(Model& model) {
  const bool ranges = std::any_of(model.tensors.begin(), model.tensors.end(),
                                  [](const Tensor& tensor) { return tensor.role == TensorRole::kRange; });
  if (!ranges) model.regions.clear();
  for (Tensor& tensor : model.tensors) {
    if (tensor.role == TensorRole::kRange && tensor.alias_of == kNone) continue;
    tensor.region = kNone;
    tensor.offset_bytes = 0;
  }
}

std::uint32_t add_region(Model& model, const std::string& name, detent_region_kind kind, std::uint64_t size_bytes,
                         std::uint32_t align) {
  model.regions.push_back({.name = name, .kind = kind, .size_bytes = size_bytes, .align_bytes = align});
  return static_cast<std::uint32_t>(model.regions.size() - 1);
}

// Weights side by side in a region of their own, if there are any.
void place_weights(Model& model, std::uint32_t align) {
  RegionId region = kNone;
  for (Tensor& tensor : model.tensors) {
    if (!is_planned(tensor) || region_kind(tensor.role) != DETENT_REGION_WEIGHTS) continue;
    if (region == kNone) region = add_region(model, "weights", DETENT_REGION_WEIGHTS, 0, align);
    tensor.region = region;
    tensor.offset_bytes = round_up(model.regions[region].size_bytes, align);
    model.regions[region].size_bytes = tensor.offset_bytes + tensor.size_bytes;
  }
}

// Each input and output is a region, so that memory of the application may take the place of any of them; where it asks
// for less alignment than is usual, so does its region. Very many lie side by side in one.
void place_interface(Model& model, detent_region_kind kind, const std::string& name, std::uint32_t align) {
  constexpr std::ptrdiff_t kMostRegions = 256;
  constexpr std::uint32_t kUsual = PlanOptions{}.align_bytes;
  const auto is_of_kind = [&](const Tensor& tensor) { return is_planned(tensor) && region_kind(tensor.role) == kind; };
  const std::ptrdiff_t count = std::count_if(model.tensors.begin(), model.tensors.end(), is_of_kind);
  const bool is_one = count == 1 || count > kMostRegions;
  RegionId region = kNone;
  for (Tensor& tensor : model.tensors) {
    if (!is_of_kind(tensor)) continue;
    const std::uint32_t wanted = count <= kMostRegions && tensor.align_bytes < kUsual ? tensor.align_bytes : align;
    if (!is_one || region == kNone) {
      region = add_region(model, is_one ? name : name + " " + tensor.name, kind, 0, wanted);
    }
    tensor.region = region;
    tensor.offset_bytes = round_up(model.regions[region].size_bytes, std::max(align, kUsual));
    model.regions[region].size_bytes = tensor.offset_bytes + tensor.size_bytes;
  }
}

void mark_in_place(Model& model, const std::vector<Item>& items, const std::vector<planner::Sharing>& sharings,
                   const planner::Layout& layout) {
  for (const planner::Sharing& sharing : sharings) {
    const std::uint64_t from = layout.offsets[sharing.from], to = layout.offsets[sharing.to];
    const bool is_used = from < to + items[sharing.to].size_bytes && to < from + items[sharing.from].size_bytes;
    if (is_used) model.ops[sharing.op].in_place = true;
  }
}

/// Windows of fewer items where these are very many, over fewer spans: the time of a plan grows little faster than
/// they.
planner::WindowLimits window_limits(std::size_t items, std::size_t most) {
  constexpr std::size_t kAllSpans = 400'000;  // up to so many items, windows are placed over all that is there
  constexpr std::size_t kFewest = 1024;
  constexpr std::size_t kInAll = 131'072;  // beyond kAllSpans: `most` items by so many of all
  if (items <= kAllSpans) return {.items = most, .spans = items, .lookback = SIZE_MAX};
  const std::size_t window = std::max(std::min(kFewest, most), most * kInAll / items);
  return {.items = window, .spans = 2 * window, .lookback = 8 * window};
}

planner::Layout lay_out_in_windows(const Model& model, const std::vector<Item>& items, const PlanOptions& options,
                                   planner::LowerBound& bound) {
  constexpr std::size_t kFewestOps = 64, kMostOps = 4096, kOpsInAll = std::size_t{1} << 26;
  const planner::Timeline line = planner::make_timeline(model, items, options.order);
  const Rows<std::uint32_t> followers =
      planner::first_followers(line, std::clamp(kOpsInAll / items.size(), kFewestOps, kMostOps));
  for (planner::LowerBound& wider : std::array{planner::widest_moment(model, items, options.order),
                                               planner::heaviest_cut(items, line, followers, kBoundSteps)}) {
    if (wider.bytes >= bound.bytes) bound = std::move(wider);
  }
  const planner::WindowLimits limits = window_limits(items.size(), options.window_tensors);
  return planner::place_by_windows(items, line, followers, limits);
}

planner::Layout lay_out_in_pairs(const Model& model, const std::vector<Item>& items,
                                 const std::vector<planner::Sharing>& sharings, const PlanOptions& options,
                                 planner::LowerBound& bound) {
  const planner::BitMatrix before = planner::precedence(model, items, options.order);
  planner::BitMatrix may_share = before;
  for (const planner::Sharing& sharing : sharings) may_share.set(sharing.from, sharing.to);
  const std::uint64_t most_steps = items.size() <= kExactBoundItems ? UINT64_MAX : kBoundSteps;
  std::optional<planner::LowerBound> exact = planner::heaviest_antichain(items, may_share, most_steps);
  planner::LowerBound wider = exact ? *std::move(exact) : planner::greedy_antichain(items, may_share);
  if (wider.bytes >= bound.bytes) bound = std::move(wider);
  const std::uint64_t stop = round_up(bound.bytes, options.align_bytes);
  return planner::place(items, before, sharings, stop, options.rounds);
}

planner::Layout lay_out_workspace(Model& model, const std::vector<Item>& items, const PlanOptions& options,
                                  MemoryPlan& plan) {
  const bool in_windows = items.size() > options.pairwise_tensors;
  if (in_windows && options.quick) return planner::place_locally(model, items);
  const std::vector<planner::Sharing> sharings =
      in_windows ? std::vector<planner::Sharing>() : planner::sharings(model, items, options);
  planner::LowerBound bound = planner::largest_op_footprint(model, items, sharings);
  planner::Layout layout = in_windows ? lay_out_in_windows(model, items, options, bound)
                                      : lay_out_in_pairs(model, items, sharings, options, bound);
  mark_in_place(model, items, sharings, layout);
  plan.lower_bound_bytes += bound.bytes;
  for (const std::uint32_t item : bound.items) plan.peak.push_back(items[item].tensor);
  return layout;
}

// Workspace regions that byte ranges of an op graph name cannot move: they count in full everywhere.
void count_fixed_regions(const Model& model, MemoryPlan& plan) {
  for (const Region& region : model.regions) {
    if (region.kind != DETENT_REGION_WORKSPACE) continue;
    plan.arena_bytes += region.size_bytes;
    plan.lower_bound_bytes += region.size_bytes;
    plan.unshared_bytes += region.size_bytes;
  }
}

void place_workspace(Model& model, const PlanOptions& options, const Memories& memories, std::uint32_t memory,
                     MemoryPlan& plan) {
  std::vector<Item> items = workspace_items(model, options.align_bytes);
  std::erase_if(items, [&](const Item& item) { return memories.of_tensor[item.tensor] != memory; });
  for (const Item& item : items) plan.unshared_bytes += item.rounded_bytes;
  if (items.empty()) return;
  const planner::Layout layout = lay_out_workspace(model, items, options, plan);
  plan.arena_bytes += layout.height_bytes;
  const std::string& name = memories.names[memory];
  const RegionId region = add_region(model, memory == 0 ? "workspace" : name, DETENT_REGION_WORKSPACE,
                                     layout.height_bytes, options.align_bytes);
  model.regions[region].is_separate = memory != 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    model.tensors[items[i].tensor].region = region;
    model.tensors[items[i].tensor].offset_bytes = layout.offsets[i];
  }
}

void check_capacity(const Model& model, const MemoryPlan& plan, std::uint64_t capacity) {
  if (capacity == 0 || plan.arena_bytes <= capacity) return;
  constexpr std::size_t kNamed = 8;
  std::string text = "the workspace needs " + std::to_string(plan.arena_bytes) + " bytes, the capacity is " +
                     std::to_string(capacity) + "; live together at the peak:";
  std::vector<std::uint32_t> peak = plan.peak;
  std::stable_sort(peak.begin(), peak.end(), [&](std::uint32_t a, std::uint32_t b) {
    return model.tensors[a].size_bytes > model.tensors[b].size_bytes;
  });
  for (std::size_t i = 0; i < std::min(peak.size(), kNamed); ++i) {
    const Tensor& tensor = model.tensors[peak[i]];
    text += (i == 0 ? " " : ", ") + tensor.name + " (" + std::to_string(tensor.size_bytes) + ")";
  }
  if (peak.size() > kNamed) text += " and " + std::to_string(peak.size() - kNamed) + " more";
  text += plan.lower_bound_bytes > capacity ? "; no plan under this sharing rule fits"
                                            : "; try another order or a larger capacity";
  throw InputError(model.name, "plan", text);
}

}  // namespace

MemoryPlan plan_memory(Model& model, const PlanOptions& wanted) {
  PlanOptions options = wanted;
  options.align_bytes = largest_alignment(model, wanted.align_bytes);
  static_cast<void>(topological_order(model));  // a cycle is reported before anything is changed
  const Memories memories = memories_of(model);
  drop_old_plan(model);
  MemoryPlan plan;
  plan.order = options.order;
  count_fixed_regions(model, plan);
  place_interface(model, DETENT_REGION_INPUT, "input", options.align_bytes);
  place_interface(model, DETENT_REGION_OUTPUT, "output", options.align_bytes);
  place_weights(model, options.align_bytes);
  for (std::uint32_t memory = 0; memory < memories.names.size(); ++memory)
    place_workspace(model, options, memories, memory, plan);
  for (std::uint32_t id = 0; id < model.tensors.size(); ++id) {
    const Tensor& tensor = model.tensors[id];
    if (is_planned(tensor)) plan.placements.push_back({id, tensor.region, tensor.offset_bytes, tensor.size_bytes});
  }
  check_capacity(model, plan, options.capacity_bytes);
  return plan;
}

bool has_plan(const Model& model) {
  return std::ranges::none_of(model.tensors,
                              [](const Tensor& tensor) { return tensor.alias_of == kNone && tensor.region == kNone; });
}

}  // namespace detent::models
