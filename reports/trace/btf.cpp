// BTF: a run -> Best Trace Format 2.2.1.
#include "reports/trace/btf.hpp"

#include <algorithm>
#include <queue>
#include <tuple>

#include "reports/trace/btf_plan.hpp"
#include "reports/view/desc_view.hpp"
#include "reports/view/machine_view.hpp"

namespace detent::reports {
namespace {

constexpr std::uint64_t kLargestTime = INT64_MAX;  // tools read signed 64-bit numbers
constexpr std::uint64_t kPsPerNanosecond = 1000;

/// One line after the other; times of one file have one unit.
class BtfLines {
 public:
  BtfLines(const std::string& version, bool is_ns) : unit_ps_(is_ns ? kPsPerNanosecond : 1) {
    text_ = "#version 2.2.1\n#creator detent_" + btf_name(version) + "\n#timeScale " + (is_ns ? "ns" : "ps") + "\n";
  }

  struct Entity {
    std::string_view name;
    std::uint64_t instance = 0;
  };
  void add(std::uint64_t time_ps, Entity source, const char* type, Entity target, const char* event,
           std::string_view note = {}) {
    text_ += std::to_string(time_ps / unit_ps_);
    append(source);
    text_ += ',';
    text_ += type;
    append(target);
    text_ += ',';
    text_ += event;
    if (!note.empty()) {
      text_ += ',';
      text_ += note;
    }
    text_ += '\n';
  }
  void tag(std::uint64_t time_ps, std::string_view note) { add(time_ps, {"SIM", 0}, "SIM", {"SIM", 0}, "tag", note); }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void append(Entity entity) {
    text_ += ',';
    text_ += entity.name;
    text_ += ',';
    text_ += std::to_string(entity.instance);
  }

  std::uint64_t unit_ps_;
  std::string text_;
};

/// Walks through the uses in time and keeps the state of every task and core.
class BtfEmitter {
 public:
  BtfEmitter(const detent_desc* desc, const TimelineRun& run, const BtfPlan& plan, std::size_t max_delays,
             BtfLines& lines)
      : desc_(desc), plan_(plan), lines_(lines), tasks_(plan.tasks.size()), core_busy_(plan.machine.resources.size()) {
    for (const harness::Resource& resource : plan.machine.resources) {
      cores_.push_back("Core_" + btf_name(resource.name));
    }
    make_unique(cores_);
    for (const harness::Span& span : run.trace.spans) {
      if (is_delay(desc, span.op)) delays_.emplace_back(span.end_ps, span.op);
    }
    std::sort(delays_.begin(), delays_.end());
    if (delays_.size() > max_delays) delays_.resize(max_delays);
  }

  void emit() {
    activate_workers();
    for (std::uint32_t i = 0; i < plan_.uses.size(); ++i) {
      advance(plan_.uses[i].use.begin_ps);
      begin(i);
    }
    advance(UINT64_MAX);
  }

 private:
  enum class State : std::uint8_t { kTerminated, kActive, kRunning, kReady, kWaiting };
  struct TaskState {
    State state = State::kTerminated;
    std::uint64_t instance = 0;
    std::uint64_t activations = 0;
    std::uint32_t done = 0;  // uses
  };
  using Entity = BtfLines::Entity;

  static void make_unique(std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
          names.begin() + static_cast<std::ptrdiff_t>(i)) {
        names[i] += "_part" + std::to_string(i);
      }
    }
  }

  [[nodiscard]] Entity task_entity(std::uint32_t task) const { return {plan_.tasks[task].name, tasks_[task].instance}; }
  [[nodiscard]] Entity core_entity(const harness::Use& use) const { return {cores_[use.resource], 0}; }
  [[nodiscard]] std::string op_entity(OpId op) const {
    return "op" + std::to_string(op) + "_" + btf_name(op_name(desc_, op));
  }

  void activate_workers() {
    lines_.add(0, {"STI_infer", 0}, "STI", {"STI_infer", 0}, "trigger");
    for (std::uint32_t task = 0; task < tasks_.size(); ++task) {
      if (!plan_.tasks[task].stimulus.empty()) continue;
      lines_.add(0, {"STI_infer", 0}, "T", task_entity(task), "activate");
      tasks_[task].state = State::kActive;
    }
  }

  /// End whatever ends, and report every delay, up to and including `time_ps`.
  void advance(std::uint64_t time_ps) {
    while (true) {
      const std::uint64_t end_ps = open_.empty() ? UINT64_MAX : open_.top().first;
      const std::uint64_t delay_ps = next_delay_ < delays_.size() ? delays_[next_delay_].first : UINT64_MAX;
      if (end_ps <= delay_ps && !open_.empty() && end_ps <= time_ps) {
        const std::uint32_t ended = open_.top().second;
        open_.pop();
        end(ended);
      } else if (next_delay_ < delays_.size() && delay_ps <= time_ps) {
        const std::string name = "STI_" + op_entity(delays_[next_delay_++].second);
        lines_.add(delay_ps, {name, 0}, "STI", {name, 0}, "trigger");
      } else {
        return;
      }
    }
  }

  void begin(std::uint32_t index) {
    const BtfUse& planned = plan_.uses[index];
    const std::uint64_t now = planned.use.begin_ps;
    if (tasks_[planned.task].state == State::kTerminated) activate_burst(planned.task, now);
    run_task(planned, now);
    if (!core_busy_[planned.use.resource]) {
      lines_.add(now, core_entity(planned.use), "C", core_entity(planned.use), "execute");
      core_busy_[planned.use.resource] = true;
    }
    if (planned.use.kind == harness::UseKind::kOp) begin_op(planned);
    if (planned.use.kind == harness::UseKind::kOverhead) {
      lines_.add(now, task_entity(planned.task), "R", {"runtime", index}, "start");
    }
    open_.emplace(planned.use.end_ps, index);
  }

  void activate_burst(std::uint32_t task, std::uint64_t now) {
    TaskState& state = tasks_[task];
    state.instance = state.activations++;
    const Entity stimulus = {plan_.tasks[task].stimulus, state.instance};
    lines_.add(now, stimulus, "STI", stimulus, "trigger");
    lines_.add(now, stimulus, "T", task_entity(task), "activate");
    state.state = State::kActive;
  }

  void run_task(const BtfUse& planned, std::uint64_t now) {
    TaskState& state = tasks_[planned.task];
    const auto say = [&](const char* event) {
      lines_.add(now, core_entity(planned.use), "T", task_entity(planned.task), event);
    };
    if (state.state == State::kRunning) return;
    if (state.state == State::kWaiting) say("release");
    say(state.state == State::kActive ? "start" : "resume");
    state.state = State::kRunning;
  }

  void begin_op(const BtfUse& planned) {
    const std::uint64_t now = planned.use.begin_ps;
    const OpId op = planned.use.op;
    const Entity task = task_entity(planned.task);
    if (!planned.is_first) {
      if (op != running_on(planned.task)) lines_.add(now, task, "R", {op_entity(op), 0}, "resume");
      set_running(planned.task, op);
      return;
    }
    for (const std::string& name : mutexes_of(op)) {
      lines_.add(now, task, "SEM", {name, 0}, "requestsemaphore");
      lines_.add(now, task, "SEM", {name, 0}, "assigned");
    }
    lines_.add(now, task, "R", {op_entity(op), 0}, "start");
    set_running(planned.task, op);
    for (const TensorId tensor : reads_of(desc_, op)) signal(now, task, tensor, "read", {});
  }

  void end(std::uint32_t index) {
    const BtfUse& planned = plan_.uses[index];
    const harness::Use& use = planned.use;
    const std::uint64_t now = use.end_ps;
    TaskState& state = tasks_[planned.task];
    const bool is_final = ++state.done == plan_.tasks[planned.task].uses;
    const BtfUse* next = planned.next == DETENT_NONE ? nullptr : &plan_.uses[planned.next];
    const bool is_followed = next != nullptr && next->use.begin_ps == now;
    const bool goes_on = is_followed && planned.next == planned.next_of_task && use.kind != harness::UseKind::kLoad;
    if (use.kind == harness::UseKind::kOp) end_op(planned, goes_on && next->use.op == use.op);
    if (use.kind == harness::UseKind::kOverhead) {
      lines_.add(now, task_entity(planned.task), "R", {"runtime", index}, "terminate");
    }
    if (!goes_on) stop_task(planned, is_final, is_followed && next->use.kind == harness::UseKind::kLoad);
    if (is_followed) return;
    lines_.add(now, core_entity(use), "C", core_entity(use), "idle");
    core_busy_[use.resource] = false;
  }

  void end_op(const BtfUse& planned, bool goes_on) {
    const std::uint64_t now = planned.use.end_ps;
    const OpId op = planned.use.op;
    const Entity task = task_entity(planned.task);
    if (!planned.is_last) {
      if (goes_on) return;
      lines_.add(now, task, "R", {op_entity(op), 0}, "suspend");
      set_running(planned.task, DETENT_NONE);
      return;
    }
    for (const TensorId tensor : writes_of(desc_, op)) signal(now, task, tensor, "write", std::to_string(op));
    lines_.add(now, task, "R", {op_entity(op), 0}, "terminate");
    set_running(planned.task, DETENT_NONE);
    for (const std::string& name : mutexes_of(op)) lines_.add(now, task, "SEM", {name, 0}, "released");
  }

  /// A burst ends; a worker ends after its last use, is preempted by a burst or amid its op, and else waits.
  void stop_task(const BtfUse& planned, bool is_final, bool meets_load) {
    TaskState& state = tasks_[planned.task];
    const bool is_burst = planned.use.kind == harness::UseKind::kLoad;
    const char* event = "wait";
    State after = State::kWaiting;
    if (is_burst || is_final) {
      event = "terminate";
      after = State::kTerminated;
    } else if (meets_load || (planned.use.kind == harness::UseKind::kOp && !planned.is_last)) {
      event = "preempt";
      after = State::kReady;
    }
    lines_.add(planned.use.end_ps, core_entity(planned.use), "T", task_entity(planned.task), event);
    state.state = after;
  }

  void signal(std::uint64_t now, Entity task, TensorId tensor, const char* event, const std::string& value) {
    const detent_tensor& found = desc_->tensors[tensor];
    if (found.region < desc_->region_count && desc_->regions[found.region].kind == DETENT_REGION_WEIGHTS) return;
    const std::string name = "sid_" + std::to_string(tensor) + "_" + btf_name(tensor_name(desc_, tensor));
    lines_.add(now, task, "SIG", {name, 0}, event, value);
  }

  [[nodiscard]] std::vector<std::string> mutexes_of(OpId op) const {
    std::vector<std::string> names;
    if (op >= op_count(desc_) || desc_->mutex_refs == nullptr) return names;
    const detent_slice& slice = desc_->ops[op].mutexes;
    if (slice.first > desc_->mutex_ref_count || slice.count > desc_->mutex_ref_count - slice.first) return names;
    for (std::uint32_t i = 0; i < slice.count; ++i) {
      const std::uint32_t mutex = desc_->mutex_refs[slice.first + i];
      const bool is_named =
          desc_->mutex_names != nullptr && mutex < desc_->mutex_count && desc_->mutex_names[mutex] != nullptr;
      names.push_back("mutex" + std::to_string(mutex) + (is_named ? "_" + btf_name(desc_->mutex_names[mutex]) : ""));
    }
    return names;
  }

  [[nodiscard]] std::uint32_t running_on(std::uint32_t task) const {
    return task < op_of_task_.size() ? op_of_task_[task] : DETENT_NONE;
  }
  void set_running(std::uint32_t task, OpId op) {
    if (op_of_task_.size() < tasks_.size()) op_of_task_.resize(tasks_.size(), DETENT_NONE);
    op_of_task_[task] = op;
  }

  using Ending = std::pair<std::uint64_t, std::uint32_t>;
  const detent_desc* desc_;
  const BtfPlan& plan_;
  BtfLines& lines_;
  std::vector<TaskState> tasks_;
  std::vector<bool> core_busy_;
  std::vector<std::uint32_t> op_of_task_;  // runnable that runs, DETENT_NONE when none does
  std::vector<std::string> cores_;
  std::vector<Ending> delays_;  // end, op
  std::size_t next_delay_ = 0;
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> open_;  // end, use
};

/// A note is the rest of its line: no comma, no line break, ASCII.
std::string note_text(const std::string& text) {
  std::string out = text.substr(0, 4000);
  for (char& c : out) {
    if (c < ' ' || c > '~' || c == ',') c = '_';
  }
  return out;
}

}  // namespace

std::string btf_of_run(const ReportData& data, const TimelineRun* run, std::size_t max_events) {
  std::uint64_t last_ps = 0;
  if (run != nullptr) {
    last_ps = run->makespan_ps;
    for (const harness::Span& span : run->trace.spans) last_ps = std::max(last_ps, span.end_ps);
  }
  BtfLines lines(data.version, last_ps > kLargestTime);
  lines.tag(0, note_text("model " + data.model));
  if (!data.platform.empty()) lines.tag(0, note_text("platform " + data.platform));
  if (run == nullptr) {
    lines.tag(0, "nothing ran");
    return lines.take();
  }
  lines.tag(0, note_text("run " + run->title));
  for (const std::string& tag : run->tags) lines.tag(0, note_text(tag));
  const std::size_t max_delays = max_events / 4;
  const BtfPlan plan = plan_btf(data.desc, *run, max_events - max_delays);
  if (plan.left_out > 0) lines.tag(0, "truncated: " + std::to_string(plan.left_out) + " later uses of cores left out");
  const auto delays = std::ranges::count_if(run->trace.spans, [&](const auto& s) { return is_delay(data.desc, s.op); });
  if (static_cast<std::size_t>(delays) > max_delays) {
    lines.tag(0,
              "truncated: " + std::to_string(static_cast<std::size_t>(delays) - max_delays) + " later delays left out");
  }
  BtfEmitter(data.desc, *run, plan, max_delays, lines).emit();
  return lines.take();
}

std::string btf_trace(const ReportData& data, std::size_t max_events) {
  return btf_of_run(data, data.timelines.empty() ? nullptr : data.timelines.data(), max_events);
}

}  // namespace detent::reports
