// Drafts and orders -> plans, and which of them is taken.
#include <algorithm>
#include <tuple>

#include "base/input_error.hpp"
#include "models/import/tvm/replan/draft.hpp"
#include "models/import/tvm/replan/order.hpp"

namespace detent::models::tvm {
namespace {

constexpr std::size_t kMostCallsOrdered = 4096;  // beyond, only main's order is tried

std::vector<CallEdge> call_edges(const Model& model) {
  std::vector<CallEdge> edges;
  for (const Edge& edge : model.edges) edges.emplace_back(edge.from, edge.to);
  return edges;
}

void set_edges(Model& model, const std::vector<CallEdge>& edges) {
  model.edges.clear();
  for (const auto& [from, to] : edges) model.edges.push_back({.from = from, .to = to});
}

/// Does the op write an output over bytes of another tensor that it reads?
bool writes_over_inputs(const Model& model, const Op& op) {
  return op.in_place && std::ranges::any_of(op.inputs, [&](std::uint32_t input) {
           return std::ranges::any_of(op.outputs, [&](std::uint32_t output) {
             const Tensor &in = model.tensors[input], &out = model.tensors[output];
             return input != output && in.region == out.region && in.region != kNone &&
                    in.offset_bytes < out.offset_bytes + out.size_bytes &&
                    out.offset_bytes < in.offset_bytes + in.size_bytes;
           });
         });
}

std::vector<std::uint64_t> costs_of(const Model& model) {
  std::vector<std::uint64_t> costs;
  for (const Op& op : model.ops) costs.push_back(std::max<std::uint64_t>(op.flops, 1));
  return costs;
}

/// Pairs of calls that no path orders, but a mutex keeps apart. Edges go from lower to higher calls.
std::uint64_t pairs_kept_apart(const Model& model) {
  std::vector<std::vector<bool>> before(model.ops.size(), std::vector<bool>(model.ops.size(), false));
  std::vector<std::vector<std::uint32_t>> into(model.ops.size());
  for (const Edge& edge : model.edges) into[edge.to].push_back(edge.from);
  std::uint64_t pairs = 0;
  for (std::uint32_t op = 0; op < model.ops.size(); ++op) {
    for (const std::uint32_t from : into[op]) {
      before[op][from] = true;
      for (std::uint32_t earlier = 0; earlier < from; ++earlier) {
        if (before[from][earlier]) before[op][earlier] = true;
      }
    }
    for (std::uint32_t other = 0; other < op; ++other) {
      const bool is_shared =
          std::ranges::find_first_of(model.ops[op].mutexes, model.ops[other].mutexes) != model.ops[op].mutexes.end();
      pairs += is_shared && !before[op][other] ? 1U : 0U;
    }
  }
  return pairs;
}

class Plans {
 public:
  Plans(const Import& import, const ReplanOptions& options)
      : import_(import), options_(options), tvm_arena_bytes_(tvm::tvm_arena_bytes(import, options)) {
    limit_bytes_ = options.arena_limit_bytes;
    if (options.stays_within_tvm) limit_bytes_ = std::min(limit_bytes_, tvm_arena_bytes_);
  }

  Replan make() {
    const ReplanDraft draft = draft_replan(import_, options_, ScratchPlace::kPerCall);
    costs_ = costs_of(draft.model);
    dependencies_ = call_edges(draft.model);
    add(draft, "true dependencies", ScratchPlace::kPerCall);
    add(draft_replan(import_, options_, ScratchPlace::kPerLane), "true dependencies", ScratchPlace::kPerLane);
    if (smallest() > std::min(limit_bytes_, tvm_arena_bytes_)) {
      for (const std::uint32_t workers : {0U, 8U, 4U, 3U, 2U, 1U}) {
        if (workers == 1 || costs_.size() <= kMostCallsOrdered) add_ordered(draft, workers);
      }
      add(draft_replan(import_, options_, ScratchPlace::kAsImported), "TVM's places", ScratchPlace::kAsImported);
    }
    return take(choice());
  }

 private:
  struct Candidate {
    ReplanDraft draft;  ///< planned
    ReplanFigures figures;
  };

  [[nodiscard]] std::uint64_t smallest() const {
    std::uint64_t least = UINT64_MAX;
    for (const Candidate& one : candidates_) least = std::min(least, one.figures.arena_bytes);
    return least;
  }

  [[nodiscard]] MemoryPlan plan(ReplanDraft& draft) const {
    return plan_memory(draft.model, {.align_bytes = kReplanAlign, .handovers = draft.handovers});
  }

  void add(ReplanDraft draft, const std::string& name, ScratchPlace strategy) {
    ReplanFigures figures{.name = name, .strategy = strategy, .parallelism = {}};
    if (strategy == ScratchPlace::kAsImported) {
      figures.arena_bytes = figures.lower_bound_bytes = tvm_arena_bytes_;
    } else {
      const MemoryPlan plan = this->plan(draft);
      figures.arena_bytes = plan.arena_bytes;
      figures.lower_bound_bytes = plan.lower_bound_bytes;
    }
    figures.parallelism = parallelism(costs_.size(), call_edges(draft.model), costs_);
    figures.leaves_all = candidates_.empty() ||
                         figures.parallelism.unordered_pairs == candidates_.front().figures.parallelism.unordered_pairs;
    if (strategy == ScratchPlace::kPerLane) figures.parallelism.unordered_pairs -= pairs_kept_apart(draft.model);
    candidates_.push_back({std::move(draft), std::move(figures)});
  }

  /// The calls as so many workers would execute them; of that order, what sharing bytes needs.
  void add_ordered(ReplanDraft draft, std::uint32_t workers) {
    const std::vector<CallEdge> order = order_of_schedule(dependencies_, costs_, workers);
    set_edges(draft.model, with_order(costs_.size(), dependencies_, order));
    ReplanFigures figures{.name = workers == 0   ? "schedule of any number of workers"
                                  : workers == 1 ? "order of main"
                                                 : "schedule of " + std::to_string(workers) + " workers",
                          .parallelism = {}};
    const MemoryPlan plan = this->plan(draft);
    if (plan.arena_bytes >= smallest()) return;
    figures.arena_bytes = plan.arena_bytes;
    figures.lower_bound_bytes = plan.lower_bound_bytes;
    set_edges(draft.model, with_order(costs_.size(), dependencies_, order_of_sharing(draft.model)));
    figures.parallelism = parallelism(costs_.size(), call_edges(draft.model), costs_);
    candidates_.push_back({std::move(draft), std::move(figures)});
  }

  [[nodiscard]] std::size_t choice() const {
    const bool has_limit = limit_bytes_ != UINT64_MAX;
    std::size_t best = SIZE_MAX;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const ReplanFigures& one = candidates_[i].figures;
      if (has_limit ? one.arena_bytes > limit_bytes_ : !one.leaves_all) continue;
      if (best == SIZE_MAX || is_better(one, candidates_[best].figures, has_limit)) best = i;
    }
    if (best == SIZE_MAX) {
      throw InputError(import_.artifact.module_name, "plan",
                       "no plan within " + std::to_string(limit_bytes_) + " bytes was found; the smallest needs " +
                           std::to_string(smallest()) + "; allow as much with --arena-limit");
    }
    return best;
  }

  static bool is_better(const ReplanFigures& a, const ReplanFigures& b, bool has_limit) {
    const auto key = [&](const ReplanFigures& one) {
      const Parallelism none;
      const Parallelism& p = has_limit ? one.parallelism : none;
      const bool is_per_lane = has_limit && one.strategy == ScratchPlace::kPerLane;
      return std::tuple(p.critical_path, UINT64_MAX - p.unordered_pairs, is_per_lane, one.arena_bytes);
    };
    return key(a) < key(b);
  }

  Replan take(std::size_t taken) {
    Replan result;
    result.taken = taken;
    result.tvm_arena_bytes = tvm_arena_bytes_;
    ReplanDraft& draft = candidates_[taken].draft;
    result.stack_bytes = draft.stack_bytes;
    result.local_buffers = draft.local_buffers;
    result.moved_buffers = draft.moved_buffers;
    result.shared_in_place = static_cast<std::uint64_t>(
        std::ranges::count_if(draft.model.ops, [&](const Op& op) { return writes_over_inputs(draft.model, op); }));
    result.lower_bound_bytes = UINT64_MAX;
    for (Candidate& one : candidates_) {
      result.lower_bound_bytes = std::min(result.lower_bound_bytes, one.figures.lower_bound_bytes);
      result.plans.push_back(std::move(one.figures));
    }
    result.model = std::move(draft.model);
    return result;
  }

  const Import& import_;
  const ReplanOptions& options_;
  std::uint64_t tvm_arena_bytes_ = 0, limit_bytes_ = UINT64_MAX;
  std::vector<std::uint64_t> costs_;
  std::vector<CallEdge> dependencies_;
  std::vector<Candidate> candidates_;
};

}  // namespace

const char* scratch_place_name(ScratchPlace place) {
  switch (place) {
    case ScratchPlace::kPerCall:
      return "per call";
    case ScratchPlace::kPerLane:
      return "per worker";
    case ScratchPlace::kAsImported:
      return "in TVM's places";
  }
  return "?";
}

Replan replan_parallel(const Import& import, const ReplanOptions& options) { return Plans(import, options).make(); }

}  // namespace detent::models::tvm
