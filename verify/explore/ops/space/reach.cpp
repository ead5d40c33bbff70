// Search over the orders in which a list scheduler's completions can come.
#include "verify/explore/ops/space/reach.hpp"

#include <algorithm>
#include <set>

#include "base/ids.hpp"

namespace detent::verify::explore {
namespace {

/// What has started and ended. Ops by id.
struct Progress {
  std::vector<std::uint32_t> waiting;  ///< predecessors not yet ended
  std::set<std::uint32_t> ready;
  std::vector<std::uint32_t> running;  ///< ascending
  std::vector<bool> took_effect, mutex_held;
  std::uint32_t busy_workers = 0;
};

class ReachSearch {
 public:
  ReachSearch(const OpSpace& space, const std::vector<std::uint32_t>& schedule, const ReachOptions& options)
      : space_(space), desc_(space.desc()), options_(options), earlier_(desc_.op_count) {
    std::vector<std::uint32_t> place(desc_.op_count);
    for (std::uint32_t i = 0; i < schedule.size(); ++i) place[schedule[i]] = i;
    for (const OpPair& pair : space.pairs()) {
      const bool in_order = place[pair.op_a] < place[pair.op_b];
      earlier_[in_order ? pair.op_b : pair.op_a].push_back(in_order ? pair.op_a : pair.op_b);
    }
  }

  Reach search() {
    Progress start;
    start.took_effect.resize(desc_.op_count);
    start.mutex_held.resize(desc_.mutex_count);
    for (OpId op = 0; op < desc_.op_count; ++op) {
      start.waiting.push_back(desc_.ops[op].entry_count);
      if (desc_.ops[op].entry_count == 0) start.ready.insert(op);
    }
    std::vector<Progress> stack{std::move(start)};
    while (!stack.empty()) {
      Progress at = std::move(stack.back());
      stack.pop_back();
      start_ops(at);
      take_effects(at);
      if (open_effects(at) == space_.open_ops().size()) return Reach::kYes;
      if (!seen_.insert(key(at)).second) continue;
      if (seen_.size() > options_.max_states) return Reach::kUnknown;
      push_completions(at, stack);
    }
    return Reach::kNo;
  }

 private:
  [[nodiscard]] bool is_async(OpId op) const {
    return desc_.classes[desc_.ops[op].core_class].kind == DETENT_CLASS_ASYNC;
  }
  template <typename Visit>
  void for_each_mutex(OpId op, Visit&& visit) const {
    const detent_slice& slice = desc_.ops[op].mutexes;
    for (std::uint32_t k = 0; k < slice.count; ++k) visit(desc_.mutex_refs[slice.first + k]);
  }
  [[nodiscard]] bool may_start(const Progress& at, OpId op) const {
    bool free = is_async(op) || at.busy_workers < options_.workers;
    for_each_mutex(op, [&](std::uint32_t mutex) { free = free && !at.mutex_held[mutex]; });
    return free;
  }

  void start_ops(Progress& at) const {
    for (auto next = at.ready.begin(); next != at.ready.end();) {
      const OpId op = *next;
      if (!may_start(at, op)) {
        ++next;
        continue;
      }
      next = at.ready.erase(next);
      at.running.insert(std::lower_bound(at.running.begin(), at.running.end(), op), op);
      for_each_mutex(op, [&](std::uint32_t mutex) { at.mutex_held[mutex] = true; });
      if (!is_async(op)) ++at.busy_workers;
    }
  }

  /// Everything that runs and may take effect does.
  void take_effects(Progress& at) const {
    for (bool again = true; again;) {
      again = false;
      for (const OpId op : at.running) {
        if (at.took_effect[op]) continue;
        const bool may = std::all_of(earlier_[op].begin(), earlier_[op].end(),
                                     [&](std::uint32_t before) { return at.took_effect[before]; });
        if (!may) continue;
        at.took_effect[op] = again = true;
      }
    }
  }

  [[nodiscard]] std::size_t open_effects(const Progress& at) const {
    return static_cast<std::size_t>(
        std::count_if(space_.open_ops().begin(), space_.open_ops().end(), [&](OpId op) { return at.took_effect[op]; }));
  }

  /// What is running and what has ended decide everything else: an op is neither exactly if it has not started.
  [[nodiscard]] std::vector<std::uint32_t> key(const Progress& at) const {
    std::vector<std::uint32_t> words = at.running;
    words.push_back(DETENT_NONE);
    for (OpId op = 0; op < desc_.op_count; ++op) {
      if (at.took_effect[op]) words.push_back(op);
    }
    return words;
  }

  void push_completions(const Progress& at, std::vector<Progress>& stack) const {
    for (const OpId op : at.running) {
      if (!at.took_effect[op]) continue;
      Progress next = at;
      next.running.erase(std::find(next.running.begin(), next.running.end(), op));
      for_each_mutex(op, [&](std::uint32_t mutex) { next.mutex_held[mutex] = false; });
      if (!is_async(op)) --next.busy_workers;
      const detent_slice& slice = desc_.ops[op].successors;
      for (std::uint32_t k = 0; k < slice.count; ++k) {
        const std::uint32_t successor = desc_.successors[slice.first + k];
        if (--next.waiting[successor] == 0) next.ready.insert(successor);
      }
      stack.push_back(std::move(next));
    }
  }

  const OpSpace& space_;
  const detent_desc& desc_;
  ReachOptions options_;
  std::vector<std::vector<std::uint32_t>> earlier_;  // by op: ops whose effect the trace puts before its own
  std::set<std::vector<std::uint32_t>> seen_;
};

}  // namespace

Reach is_trace_reachable(const OpSpace& space, const std::vector<std::uint32_t>& schedule,
                         const ReachOptions& options) {
  if (options.workers == 0) return Reach::kNo;
  return ReachSearch(space, schedule, options).search();
}

}  // namespace detent::verify::explore
