#include "models/plan/reuse.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "base/assert.hpp"
#include "base/input_error.hpp"
#include "models/core/dag.hpp"
#include "models/plan/internal.hpp"

namespace detent::models {
namespace {

using planner::BitMatrix;
using planner::Item;

std::uint64_t add_saturated(std::uint64_t a, std::uint64_t b) {
  return a > UINT64_MAX - 1 - b ? UINT64_MAX - 1 : a + b;
}

constexpr std::uint32_t kRounds = 300;  // of improvement, for each of many plans
constexpr std::size_t kTries = 100;     // to do without a pair
constexpr std::uint64_t kNoChain = UINT64_MAX;

/// Paths between ops, with edges added one by one.
class Paths {
 public:
  Paths(const Model& model, const std::vector<std::uint32_t>& order)
      : successors_(model.ops.size()), after_(model.ops.size()) {
    for (const Edge& edge : model.edges) successors_[edge.from].push_back(edge.to);
    for (std::size_t i = order.size(); i-- > 0;) {
      for (const std::uint32_t to : successors_[order[i]]) include(order[i], to);
    }
  }

  [[nodiscard]] bool has(std::uint32_t from, std::uint32_t to) const { return after_.test(from, to); }

  void add(std::uint32_t from, std::uint32_t to) {
    successors_[from].push_back(to);
    for (std::uint32_t op = 0; op < successors_.size(); ++op) {
      if (op == from || has(op, from)) include(op, to);
    }
  }

  /// Does a path lead there that does not begin with the edge itself?
  [[nodiscard]] bool is_implied(const Edge& edge) const {
    return std::ranges::any_of(successors_[edge.from],
                               [&](std::uint32_t next) { return next != edge.to && has(next, edge.to); });
  }

 private:
  void include(std::uint32_t op, std::uint32_t to) {
    for (std::size_t word = 0; word < after_.words(); ++word) after_.row(op)[word] |= after_.row(to)[word];
    after_.set(op, to);
  }

  std::vector<std::vector<std::uint32_t>> successors_;
  BitMatrix after_;
};

std::vector<std::size_t> positions_of(const std::vector<std::uint32_t>& order) {
  std::vector<std::size_t> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  return position;
}

bool share_bytes(const Tensor& a, const Tensor& b) {
  return a.region == b.region && a.offset_bytes < b.offset_bytes + b.size_bytes &&
         b.offset_bytes < a.offset_bytes + a.size_bytes;
}

/// Every user of the one before every user of the other.
void join(const std::vector<std::uint32_t>& first, const std::vector<std::uint32_t>& second, Paths& paths,
          std::vector<Edge>& edges) {
  for (const std::uint32_t from : first) {
    for (const std::uint32_t to : second) {
      if (paths.has(from, to)) continue;
      paths.add(from, to);
      edges.push_back({from, to});
    }
  }
}

}  // namespace

ReusePlanner::ReusePlanner(Model model, std::vector<std::uint64_t> op_ps, PlanOptions options)
    : options_(std::move(options)), op_ps_(std::move(op_ps)) {
  DETENT_ASSERT(op_ps_.size() == model.ops.size());
  order_ = topological_order(model);
  options_.align_bytes = planner::largest_alignment(model, options_.align_bytes);
  const std::vector<Item> items = planner::workspace_items(model, options_.align_bytes);
  if (order_.size() > kMaxOps || items.size() > kMaxTensors) {
    throw InputError(model.name, "plan",
                     std::to_string(order_.size()) + " ops and " + std::to_string(items.size()) +
                         " tensors in the workspace; reuse edges are chosen for at most " + std::to_string(kMaxOps) +
                         " and " + std::to_string(kMaxTensors));
  }
  const std::vector<std::size_t> position = positions_of(order_);
  for (const Item& item : items) {
    std::vector<std::uint32_t> users = item.users;
    std::ranges::sort(users, {}, [&](std::uint32_t op) { return position[op]; });
    users_.push_back(std::move(users));
  }
  options_.order = PlanOrder::kParallel;
  parallel_.plan = plan_memory(model, options_);
  parallel_.model = model;
  measure_pairs();
  PlanOptions serial = options_;
  serial.order = PlanOrder::kSerial;
  MemoryPlan plan = plan_memory(model, serial);
  serial_ = ordered(std::move(model), std::move(plan));
}

/// The longest chain through a user of the one and then a user of the other, for each pair that may share.
void ReusePlanner::measure_pairs() {
  const std::size_t ops = order_.size();
  const Rows<std::uint32_t> successors = successor_lists(parallel_.model);
  std::vector<std::uint64_t> until(ops), from(ops);  // longest chain that ends with, begins with the op
  for (const std::uint32_t op : order_) {
    until[op] = add_saturated(until[op], op_ps_[op]);
    for (const std::uint32_t next : successors[op]) until[next] = std::max(until[next], until[op]);
  }
  for (std::size_t i = ops; i-- > 0;) {
    const std::uint32_t op = order_[i];
    for (const std::uint32_t next : successors[op]) from[op] = std::max(from[op], from[next]);
    from[op] = add_saturated(from[op], op_ps_[op]);
  }
  const Paths paths(parallel_.model, order_);
  const std::vector<std::size_t> position = positions_of(order_);
  const std::size_t count = users_.size();
  std::vector<std::uint64_t> chain_ps(count * count, kNoChain);
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) {
      if (a == b || users_[a].empty() || users_[b].empty()) continue;
      if (position[users_[a].back()] >= position[users_[b].front()]) continue;
      std::uint64_t& chain = chain_ps[a * count + b];
      chain = 0;
      for (const std::uint32_t u : users_[a]) {
        for (const std::uint32_t v : users_[b]) {
          if (!paths.has(u, v)) chain = std::max({chain, std::uint64_t{1}, add_saturated(until[u], from[v])});
        }
      }
    }
  }
  rank_pairs(chain_ps);
}

/// Of equal chains the pair of the lower tensors first: a capacity takes no more pairs than it needs.
void ReusePlanner::rank_pairs(const std::vector<std::uint64_t>& chain_ps) {
  std::vector<std::size_t> joined;  // pairs that take edges
  rank_.assign(chain_ps.size(), kNever);
  for (std::size_t pair = 0; pair < chain_ps.size(); ++pair) {
    if (chain_ps[pair] == 0) rank_[pair] = 0;
    if (chain_ps[pair] != 0 && chain_ps[pair] != kNoChain) joined.push_back(pair);
  }
  std::ranges::stable_sort(joined, {}, [&](std::size_t pair) { return chain_ps[pair]; });
  for (const std::size_t pair : joined) rank_[pair] = ++last_rank_;
}

ReusePlan ReusePlanner::ordered(Model model, MemoryPlan plan) const {
  Paths paths(model, order_);
  std::vector<std::uint32_t> tensors;
  for (const Item& item : planner::workspace_items(model, options_.align_bytes))
    tensors.push_back(static_cast<std::uint32_t>(item.tensor));
  ReusePlan made;
  for (std::size_t a = 0; a < tensors.size(); ++a) {
    for (std::size_t b = 0; b < tensors.size(); ++b) {
      const std::uint32_t rank = rank_[a * tensors.size() + b];
      if (rank == kNever || rank == 0) continue;
      if (share_bytes(model.tensors[tensors[a]], model.tensors[tensors[b]]))
        join(users_[a], users_[b], paths, made.edges);
    }
  }
  std::erase_if(made.edges, [&](const Edge& edge) { return paths.is_implied(edge); });
  std::ranges::sort(made.edges, {}, [](const Edge& edge) { return std::pair(edge.from, edge.to); });
  model.edges.insert(model.edges.end(), made.edges.begin(), made.edges.end());
  plan.order = PlanOrder::kParallel;
  made.model = std::move(model);
  made.plan = std::move(plan);
  return made;
}

/// Tensors that may share bytes: those that the DAG orders, and pairs of ranks up to `last`.
BitMatrix ReusePlanner::pairs_until(std::uint32_t last) const {
  BitMatrix may_share(users_.size());
  for (std::size_t a = 0; a < users_.size(); ++a) {
    for (std::size_t b = 0; b < users_.size(); ++b) {
      if (rank_[a * users_.size() + b] <= last) may_share.set(a, b);
    }
  }
  return may_share;
}

std::optional<ReusePlan> ReusePlanner::place_with(const BitMatrix& may_share, std::uint64_t capacity_bytes) const {
  Model model = parallel_.model;
  MemoryPlan plan = parallel_.plan;
  const std::vector<Item> items = planner::workspace_items(model, options_.align_bytes);
  if (items.empty()) return std::nullopt;
  Region& workspace = model.regions[model.tensors[items[0].tensor].region];
  const std::uint64_t others = plan.arena_bytes - workspace.size_bytes;  // of byte ranges, which stay
  if (others >= capacity_bytes) return std::nullopt;
  const planner::Layout layout =
      planner::place(items, may_share, {}, capacity_bytes - others, std::min(options_.rounds, kRounds));
  if (layout.height_bytes > capacity_bytes - others) return std::nullopt;
  workspace.size_bytes = layout.height_bytes;
  plan.arena_bytes = others + layout.height_bytes;
  plan.lower_bound_bytes = serial_.plan.lower_bound_bytes;
  plan.peak = serial_.plan.peak;
  for (std::size_t i = 0; i < items.size(); ++i) model.tensors[items[i].tensor].offset_bytes = layout.offsets[i];
  for (Placement& place : plan.placements) place.offset_bytes = model.tensors[place.tensor].offset_bytes;
  return ordered(std::move(model), std::move(plan));
}

/// The pairs that share bytes in the plan and take edges, those of the longest chains first.
std::vector<std::size_t> ReusePlanner::joined_pairs(const ReusePlan& plan) const {
  std::vector<const Tensor*> tensors;
  for (const Item& item : planner::workspace_items(plan.model, options_.align_bytes))
    tensors.push_back(&plan.model.tensors[item.tensor]);
  std::vector<std::size_t> pairs;
  for (std::size_t pair = 0; pair < rank_.size(); ++pair) {
    if (rank_[pair] == kNever || rank_[pair] == 0) continue;
    if (share_bytes(*tensors[pair / users_.size()], *tensors[pair % users_.size()])) pairs.push_back(pair);
  }
  std::ranges::sort(pairs, std::greater<>(), [&](std::size_t pair) { return rank_[pair]; });
  return pairs;
}

/// Without the pairs that need not share for the plan to fit.
ReusePlan ReusePlanner::with_fewer_pairs(ReusePlan plan, BitMatrix may_share, std::uint64_t capacity_bytes) const {
  std::vector<bool> is_needed(rank_.size());
  for (std::size_t tries = 0; tries < kTries; ++tries) {
    const std::vector<std::size_t> joined = joined_pairs(plan);
    const auto next = std::ranges::find_if(joined, [&](std::size_t pair) { return !is_needed[pair]; });
    if (next == joined.end()) break;
    may_share.clear(*next / users_.size(), *next % users_.size());
    if (std::optional<ReusePlan> made = place_with(may_share, capacity_bytes)) {
      plan = std::move(*made);
      continue;
    }
    is_needed[*next] = true;
    may_share.set(*next / users_.size(), *next % users_.size());
  }
  return plan;
}

std::optional<ReusePlan> ReusePlanner::within(std::uint64_t capacity_bytes) const {
  if (parallel_.plan.arena_bytes <= capacity_bytes) return parallel_;
  std::optional<ReusePlan> best;
  std::uint32_t first = 1, last = last_rank_ + 1;
  while (first < last) {
    const std::uint32_t middle = first + (last - first) / 2;
    if (std::optional<ReusePlan> made = place_with(pairs_until(middle), capacity_bytes)) {
      best = std::move(made);
      last = middle;
    } else {
      first = middle + 1;
    }
  }
  if (best) return with_fewer_pairs(std::move(*best), pairs_until(last), capacity_bytes);
  return serial_.plan.arena_bytes <= capacity_bytes ? std::optional(serial_) : std::nullopt;
}

}  // namespace detent::models
