// BTF plan: a run -> the tasks that execute its uses.
#include "reports/trace/btf_plan.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "reports/view/desc_view.hpp"
#include "reports/view/machine_view.hpp"

namespace detent::reports {
namespace {

constexpr std::size_t kMaxBtfName = 80;
constexpr std::size_t kRecordsPerUse = 12;  // activate, release, start, execute, runnable begin and end, wait, idle

/// Records that a use takes at most.
std::size_t records_of(const detent_desc* desc, const harness::Use& use) {
  if (use.kind != harness::UseKind::kOp || use.op >= op_count(desc)) return kRecordsPerUse;
  return kRecordsPerUse + reads_of(desc, use.op).size() + writes_of(desc, use.op).size() +
         3 * std::size_t{desc->ops[use.op].mutexes.count};
}

class Planner {
 public:
  Planner(const detent_desc* desc, const TimelineRun& run, std::size_t max_events) : desc_(desc), run_(run) {
    plan_.machine = machine_of(desc, run);
    keep_uses(max_events);
    link_uses();
    find_slots();
  }

  BtfPlan finish() {
    assign_tasks();
    mark_parts();
    return std::move(plan_);
  }

 private:
  void keep_uses(std::size_t max_events) {
    std::size_t records = 0;
    for (const harness::Use& use : plan_.machine.uses) {
      const harness::ResourceKind kind = plan_.machine.resources[use.resource].kind;
      const bool is_processor = kind == harness::ResourceKind::kCore || kind == harness::ResourceKind::kAccelerator;
      if (!is_processor || use.kind == harness::UseKind::kTransfer) continue;
      records += records_of(desc_, use);
      if (records > max_events) {
        ++plan_.left_out;
      } else {
        plan_.uses.push_back({use, DETENT_NONE, DETENT_NONE, DETENT_NONE, true, true});
      }
    }
  }

  void link_uses() {
    std::vector<std::uint32_t> last(plan_.machine.resources.size(), DETENT_NONE);
    for (std::uint32_t i = 0; i < plan_.uses.size(); ++i) {
      std::uint32_t& before = last[plan_.uses[i].use.resource];
      if (before != DETENT_NONE) plan_.uses[before].next = i;
      before = i;
    }
  }

  /// Slot of every use: of ops from the spans, of runtime steps from the nearest op, rather the one that follows.
  void find_slots() {
    std::unordered_map<std::uint32_t, std::uint32_t> slot_of_op;
    for (const harness::Span& span : run_.trace.spans) slot_of_op.emplace(span.op, span.slot);
    slots_.assign(plan_.uses.size(), DETENT_NONE);
    has_ops_.assign(run_.lanes.size(), false);
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const auto at = slot_of_op.find(plan_.uses[i].use.op);
      if (plan_.uses[i].use.kind != harness::UseKind::kOp || at == slot_of_op.end()) continue;
      slots_[i] = at->second;
      if (at->second < has_ops_.size()) has_ops_[at->second] = true;
    }
    for (std::size_t i = slots_.size(); i-- > 0;) {
      const BtfUse& use = plan_.uses[i];
      const bool adjoins = use.next != DETENT_NONE && plan_.uses[use.next].use.begin_ps == use.use.end_ps;
      if (use.use.kind == harness::UseKind::kOverhead && adjoins) slots_[i] = slots_[use.next];
    }
    std::vector<std::uint32_t> latest(plan_.machine.resources.size(), DETENT_NONE);
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      std::uint32_t& known = latest[plan_.uses[i].use.resource];
      if (slots_[i] == DETENT_NONE && plan_.uses[i].use.kind == harness::UseKind::kOverhead) {
        slots_[i] = known != DETENT_NONE ? known : home_slot(plan_.uses[i].use.resource);
      }
      if (slots_[i] != DETENT_NONE) known = slots_[i];
    }
  }

  [[nodiscard]] std::uint32_t home_slot(std::uint32_t resource) const {
    const auto at = std::ranges::find(run_.lanes, plan_.machine.resources[resource].name);
    return at == run_.lanes.end() ? DETENT_NONE : static_cast<std::uint32_t>(at - run_.lanes.begin());
  }

  std::uint32_t task(const std::string& name, const std::string& stimulus = "") {
    const auto [at, is_new] = by_name_.try_emplace(name, static_cast<std::uint32_t>(plan_.tasks.size()));
    if (is_new) {
      plan_.tasks.push_back({name, stimulus, 0});
      occupied_.emplace_back();
    }
    return at->second;
  }

  std::uint32_t slot_task(SlotId slot) {
    const bool is_scheduler = slot < run_.lanes.size() && run_.lanes[slot] == "scheduler" && !has_ops_[slot];
    return task(is_scheduler ? "TASK_scheduler" : "TASK_worker" + std::to_string(slot));
  }

  /// Loads of one name may run on several cores at once: then each core has a task of its own for them.
  std::uint32_t load_task(const harness::Use& use, std::uint32_t attempt) {
    const bool is_named = use.load < plan_.machine.loads.size();
    std::string id = is_named ? std::to_string(use.load) + "_" + btf_name(plan_.machine.loads[use.load]) : "unnamed";
    if (attempt > 0) id += "_on_" + std::to_string(use.resource);
    return task("TASK_load_" + id, "STI_load_" + id);
  }

  std::uint32_t core_task(std::uint32_t resource, std::uint32_t attempt) {
    const std::string suffix = attempt == 0 ? "" : "_" + std::to_string(attempt + 1);
    return task("TASK_runtime_" + std::to_string(resource) + "_" + btf_name(plan_.machine.resources[resource].name) +
                suffix);
  }

  /// Can the use run on this task: nothing of it runs meanwhile, and an op finds no other op half done.
  [[nodiscard]] bool is_free(std::uint32_t id, const harness::Use& use) const {
    const Occupied& task = occupied_[id];
    if (task.until_ps > use.begin_ps) return false;
    if (use.kind == harness::UseKind::kOp) return task.open_op == DETENT_NONE || task.open_op == use.op;
    const auto next = std::upper_bound(task.ops.begin(), task.ops.end(), use.begin_ps,
                                       [](std::uint64_t at, const auto& op) { return at < op.second; });
    return next == task.ops.end() || next->first >= use.end_ps;
  }

  /// `preferred`, or the first task of the core's own that is free.
  std::uint32_t free_task(std::uint32_t preferred, const harness::Use& use) {
    std::uint32_t chosen = preferred;
    for (std::uint32_t attempt = 0; chosen == DETENT_NONE || !is_free(chosen, use); ++attempt) {
      chosen = core_task(use.resource, attempt);
    }
    return chosen;
  }

  /// Ops first, because all parts of an op run on one task; then whatever fits between them.
  void assign_tasks() {
    assign_ops();
    for (Occupied& task : occupied_) task.until_ps = 0;
    for (std::size_t i = 0; i < plan_.uses.size(); ++i) {
      const harness::Use& use = plan_.uses[i].use;
      if (use.kind == harness::UseKind::kOp) continue;
      if (use.kind == harness::UseKind::kLoad) {
        const std::uint32_t shared = load_task(use, 0);
        take(plan_.uses[i], is_free(shared, use) ? shared : load_task(use, 1));
      } else {
        take(plan_.uses[i], free_task(slots_[i] == DETENT_NONE ? DETENT_NONE : slot_task(slots_[i]), use));
      }
    }
  }

  void assign_ops() {
    std::unordered_map<std::uint32_t, std::uint32_t> parts_left;
    std::unordered_map<std::uint32_t, std::uint32_t> task_of_op;
    for (const BtfUse& planned : plan_.uses) {
      if (planned.use.kind == harness::UseKind::kOp) ++parts_left[planned.use.op];
    }
    for (std::size_t i = 0; i < plan_.uses.size(); ++i) {
      BtfUse& planned = plan_.uses[i];
      if (planned.use.kind != harness::UseKind::kOp) continue;
      auto known = task_of_op.find(planned.use.op);
      if (known == task_of_op.end()) {
        const std::uint32_t preferred = slots_[i] == DETENT_NONE ? DETENT_NONE : slot_task(slots_[i]);
        known = task_of_op.emplace(planned.use.op, free_task(preferred, planned.use)).first;
      }
      take(planned, known->second);
      occupied_[planned.task].open_op = --parts_left[planned.use.op] > 0 ? planned.use.op : OpId(DETENT_NONE);
      occupied_[planned.task].ops.emplace_back(planned.use.begin_ps, planned.use.end_ps);
    }
  }

  void take(BtfUse& planned, std::uint32_t id) {
    planned.task = id;
    occupied_[id].until_ps = planned.use.end_ps;
    ++plan_.tasks[id].uses;
  }

  void mark_parts() {
    std::vector<std::uint32_t> last_use(plan_.tasks.size(), DETENT_NONE);
    std::unordered_map<std::uint32_t, std::size_t> last_part;
    for (std::uint32_t i = 0; i < plan_.uses.size(); ++i) {
      std::uint32_t& before = last_use[plan_.uses[i].task];
      if (before != DETENT_NONE) plan_.uses[before].next_of_task = i;
      before = i;
      if (plan_.uses[i].use.kind != harness::UseKind::kOp) continue;
      const auto [at, is_first] = last_part.try_emplace(plan_.uses[i].use.op, i);
      plan_.uses[i].is_first = is_first;
      if (!is_first) {
        plan_.uses[at->second].is_last = false;
        at->second = i;
      }
    }
  }

  struct Occupied {
    std::uint64_t until_ps = 0;
    std::uint32_t open_op = DETENT_NONE;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ops;  // begin and end of its op parts
  };

  const detent_desc* desc_;
  const TimelineRun& run_;
  BtfPlan plan_;
  std::vector<std::uint32_t> slots_;
  std::vector<bool> has_ops_;
  std::map<std::string, std::uint32_t> by_name_;
  std::vector<Occupied> occupied_;  // per task
};

}  // namespace

std::string btf_name(std::string_view text) {
  std::string out(text.substr(0, kMaxBtfName));
  for (char& c : out) {
    const bool is_kept =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
    if (!is_kept) c = '_';
  }
  return out;
}

BtfPlan plan_btf(const detent_desc* desc, const TimelineRun& run, std::size_t max_events) {
  return Planner(desc, run, max_events).finish();
}

}  // namespace detent::reports
