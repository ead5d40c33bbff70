#include "app/tasks/judge_tasks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "app/deadline/deadline.hpp"
#include "app/deadline/period_use.hpp"
#include "app/simulate/jitter_text.hpp"
#include "app/simulate/time_grounds.hpp"
#include "app/simulate/together.hpp"
#include "app/tasks/chain_latency.hpp"
#include "app/tasks/task_timing.hpp"
#include "base/counted.hpp"
#include "base/units.hpp"
#include "reports/json/deadline_json.hpp"
#include "reports/json/op_times_json.hpp"
#include "sim/together/together.hpp"

namespace detent::app {
namespace {

constexpr std::uint64_t kMostTaskRuns = 1'000'000;  ///< of all tasks in one simulation

constexpr const char* kByClock =
    "if no op exceeds its worst time and one clock releases all tasks at their offsets, each late by its jitter at "
    "most";

/// What two simulations showed of one member.
struct Seen {
  std::vector<ChainRun> drawn{}, worst{};  ///< with drawn times of ops, and all at their worst
  std::uint64_t runs = 0, overruns = 0;
  std::uint64_t longest_ps = 0, longest_at_worst_ps = 0;  ///< responses
};

class TaskJudge {
 public:
  TaskJudge(const TasksRequest& wanted, const OnProgress& on_progress)
      : wanted_(wanted),
        on_progress_(on_progress),
        set_(read_task_set(wanted.request.model)),
        platform_(simulated_platform(wanted.simulation)) {
    ModelOptions options{.accelerator = accelerator_of(wanted.simulation, platform_), .weights = false};
    tasks_ = load_tasks(wanted.request.model, set_, options);
    for (const TaskMember& member : tasks_.members) horizon_ps_ = std::max(horizon_ps_, member.period_ps);
    if (wanted.simulation.runs > (UINT64_MAX >> 1U) / horizon_ps_) refuse_horizon();
    horizon_ps_ *= wanted.simulation.runs;
    std::uint64_t runs = 0;
    for (const TaskMember& member : tasks_.members) {
      runs += horizon_ps_ / member.period_ps + 1;
      if (runs > kMostTaskRuns) refuse_horizon();
    }
    total_runs_ = runs;
  }

  Answer answer() {
    simulate(false);
    simulate(true);
    timing_ = task_timing(tasks_, platform_,
                          {.jitter = parse_jitter(wanted_.simulation.jitter),
                           .workers = wanted_.schedule.engine.workers,
                           .policy = wanted_.schedule.engine.policy,
                           .max_states = wanted_.max_states});
    begin();
    for (std::size_t task = 0; task < tasks_.tasks.size(); ++task) add_task(task);
    made_.json["tasks"] = std::move(rows_);
    add_classes();
    add_chains();
    if (!failure_.empty()) {
      made_.json["failure"] = failure_;
      made_.lines.push_back("FAILED: " + failure_);
    }
    made_.json["verdicts"] = verdicts_json(verdicts_);
    append(made_.lines, std::move(grounds_));
    made_.lines.push_back(std::string("assumes ") + kTogetherAssumes);
    made_.outcome = outcome_of(verdicts_);
    if (!failure_.empty() || is_violated_) made_.outcome = verify::Outcome::kViolated;
    if (made_.outcome == verify::Outcome::kHolds && is_open_) made_.outcome = verify::Outcome::kUnknown;
    return std::move(made_);
  }

 private:
  [[noreturn]] static void refuse_horizon() {
    throw std::invalid_argument(
        fmt::format("--runs: more than {} runs of all tasks, or 2^63 ps; give fewer", kMostTaskRuns));
  }

  [[nodiscard]] sim::Jitter jitter(bool at_worst) const {
    sim::Jitter jitter = parse_jitter(wanted_.simulation.jitter);
    if (!at_worst) return jitter;
    jitter.kind = sim::Jitter::Kind::kWorst;
    for (sim::Jitter::Rule& rule : jitter.rules) rule.kind = sim::Jitter::Kind::kWorst;
    return jitter;
  }

  void simulate(bool at_worst) {
    std::vector<sim::PeriodicNetwork> networks;
    for (const TaskMember& member : tasks_.members) {
      const Task& task = tasks_.tasks[member.task];
      networks.push_back({.desc = &task.loaded.desc(),
                          .backends = {any_kernel_backend()},
                          .costs = task.loaded.costs.get(),
                          .priority = task.row.priority,
                          .period_ps = member.period_ps,
                          .offset_ps = member.offset_ps,
                          .release_jitter_ps = task.row.jitter_ps,
                          .outcomes = task.outcomes});
    }
    sim::TogetherOptions options{.engine = wanted_.schedule.engine,
                                 .runs = kMostTaskRuns,
                                 .until_ps = horizon_ps_,
                                 .seeds = wanted_.request.seeds,
                                 .jitter = jitter(at_worst),
                                 .timing_only = true};
    if (on_progress_) {
      options.progress = [&, before = at_worst ? total_runs_ : 0](std::uint64_t done, std::uint64_t) {
        on_progress_(before + done, 2 * total_runs_);
      };
    }
    const sim::TogetherResult result = sim::simulate_together(networks, platform_, options);
    slot_names_ = result.slot_names;
    seen_.resize(tasks_.members.size());
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      const sim::NetworkResponses& of = result.networks[i];
      Seen& seen = seen_[i];
      std::uint64_t nominal_ps = tasks_.members[i].offset_ps;
      for (std::size_t run = 0; run < of.responses_ps.size(); ++run) {
        (at_worst ? seen.worst : seen.drawn).push_back({of.begins_ps[run], nominal_ps + of.responses_ps[run]});
        std::uint64_t& longest_ps = at_worst ? seen.longest_at_worst_ps : seen.longest_ps;
        longest_ps = std::max(longest_ps, of.responses_ps[run]);
        nominal_ps += tasks_.members[i].period_ps;
      }
      seen.runs += of.responses_ps.size();
      seen.overruns += of.overruns;
    }
    if (!result.failure || !failure_.empty()) return;
    const TaskMember& failed = tasks_.members[result.failed_network];
    failure_ = tasks_.tasks[failed.task].row.name + ": " + *result.failure;
  }

  void begin() {
    made_.json = json_header("tasks", wanted_.request);
    made_.json["platform"] = platform_.name;
    made_.json["policy"] = wanted_.schedule.engine.policy;
    made_.json["jitter"] = wanted_.simulation.jitter;
    made_.json["workers"] = slot_names_;
    made_.json["horizon_ps"] = horizon_ps_;
    made_.json["states"] = timing_.states;
    made_.json["assumes"] = {kTogetherAssumes};
    made_.lines.push_back(fmt::format("{} on {} of {}, policy {}: {} simulated, twice (drawn and worst times of ops)",
                                      counted(tasks_.tasks.size(), "task"),
                                      counted(slot_names_.size(), "shared worker"), platform_.name,
                                      wanted_.schedule.engine.policy, format_time(horizon_ps_)));
    made_.lines.push_back(fmt::format("{:>5} {:>8} {:>9} {:>9} {:>9} {:>9} {:>5}  {}", "prio", "period", "deadline",
                                      "seen", "exact", "at most", "late", "task"));
  }

  /// The largest of a kind of bound over the members of a task; what is not known of one is not known of the task.
  [[nodiscard]] std::vector<verify::Bound> bounds_of(std::size_t task) const {
    std::vector<verify::Bound> bounds;
    for (std::size_t i = 0; i < tasks_.members.size(); ++i) {
      if (tasks_.members[i].task != task) continue;
      const std::vector<verify::Bound>& more = timing_.bounds[i];
      if (bounds.empty()) bounds = more;
      for (std::size_t k = 0; k < more.size(); ++k) {
        if (more[k].bound_ps > bounds[k].bound_ps) bounds[k] = more[k];
      }
    }
    return bounds;
  }

  [[nodiscard]] Seen seen_of(std::size_t task) const {
    Seen sum;
    for (std::size_t i = 0; i < tasks_.members.size(); ++i) {
      if (tasks_.members[i].task != task) continue;
      const Seen& seen = seen_[i];
      sum.drawn.insert(sum.drawn.end(), seen.drawn.begin(), seen.drawn.end());
      sum.worst.insert(sum.worst.end(), seen.worst.begin(), seen.worst.end());
      sum.runs += seen.runs;
      sum.overruns += seen.overruns;
      sum.longest_ps = std::max(sum.longest_ps, seen.longest_ps);
      sum.longest_at_worst_ps = std::max(sum.longest_at_worst_ps, seen.longest_at_worst_ps);
    }
    return sum;
  }

  /// Simulation, exact values and bounds must stand in this order.
  void add_sandwich(const std::string& name, std::uint64_t longest_ps, const std::vector<verify::Bound>& bounds) {
    verify::Verdict verdict = verify::check_bound(longest_ps, bounds);
    if (bounds.size() == 2 && bounds[1].exact && bounds[1].bound_ps > bounds[0].bound_ps) {
      verdict.outcome = verify::Outcome::kViolated;
      verdict.summary =
          fmt::format("the exact response of {} ps is above the bound of {} ps, which is a fault of Detent",
                      bounds[1].bound_ps, bounds[0].bound_ps);
      verdict.witnesses.push_back({verdict.summary, {}, {}});
    }
    if (verdict.outcome == verify::Outcome::kUnknown) return;
    verdict.summary = name + ": " + verdict.summary;
    verdicts_.push_back(std::move(verdict));
  }

  void add_task(std::size_t number) {
    const Task& task = tasks_.tasks[number];
    const std::vector<verify::Bound> bounds = bounds_of(number);
    const Seen seen = seen_of(number);
    reports::TimeGrounds times = time_grounds(task.loaded, platform_, wanted_.simulation.jitter, task.row.model);
    if (times.are_assumed()) {
      times.remedy =
          fmt::format("detent calibrate {} -o costs.toml, then costs = \"costs.toml\" in its table", task.row.model);
    }
    // What holds on any phases is asked first.
    const bool needs_clock = bounds[0].bound_ps > task.deadline_ps;
    DeadlineEvidence evidence{
        .bounds = needs_clock ? bounds : std::vector{bounds[0]},
        .failure = failure_,
        .are_times_assumed = times.are_assumed(),
        .condition = needs_clock ? kByClock : "",
        .more = bounds[0].bound_ps == verify::kUnknownPs
                    ? bounds[0].assumptions
                    : "other priorities, fewer ops beside it, or more --max-states may tell more"};
    const std::uint64_t longest_ps = std::max(seen.longest_ps, seen.longest_at_worst_ps);
    if (seen.runs != 0) evidence.seen = LongestSeen{longest_ps, ""};
    JudgedDeadline judged = judge_deadline({task.deadline_ps, task.deadline_source}, evidence);
    judged.verdict.summary = task.row.name + ": " + judged.verdict.summary;
    const auto known = [](const verify::Bound& bound) {
      return bound.bound_ps == verify::kUnknownPs ? Json(nullptr) : Json(bound.bound_ps);
    };
    Json list = Json::array();
    for (const verify::Bound& bound : bounds) {
      list.push_back({{"name", bound.name},
                      {"bound_ps", known(bound)},
                      {"exact", bound.exact},
                      {"assumptions", bound.assumptions}});
    }
    rows_.push_back({{"name", task.row.name},
                     {"model", task.row.model},
                     {"priority", task.row.priority},
                     {"period_ps", task.period_ps},
                     {"offset_ps", task.row.offset_ps},
                     {"jitter_ps", task.row.jitter_ps},
                     {"contexts", task.row.contexts},
                     {"ops", task.loaded.desc().op_count},
                     {"runs", seen.runs},
                     {"overruns", seen.overruns},
                     {"longest_seen_ps", longest_ps},
                     {"longest_at_worst_ps", seen.longest_at_worst_ps},
                     {"bounds", std::move(list)},
                     {"deadline", reports::deadline_json(judged.figures)},
                     {"op_times", reports::op_times_json(times)}});
    if (!task.branches.empty()) {
      rows_.back()["outcomes"] = {{"combinations", task.outcomes.size()}, {"all", task.has_every_outcome}};
      grounds_.push_back(fmt::format("{}: {}, drawn for each simulated run; {}", task.row.name, task.branches,
                                     task.has_every_outcome
                                         ? "its bound counts the longest of them for its own run, and for every other "
                                           "run the one with most work"
                                         : "its bound counts every op as if it ran"));
    }
    const auto cell = [&](std::size_t k) {
      if (k >= bounds.size() || bounds[k].bound_ps == verify::kUnknownPs) return std::string("-");
      return format_time_up(bounds[k].bound_ps);
    };
    made_.lines.push_back(fmt::format("{:>5} {:>8} {:>9} {:>9} {:>9} {:>9} {:>5}  {}{}", task.row.priority,
                                      format_time(task.period_ps), format_time(task.deadline_ps),
                                      format_time(longest_ps), cell(1), cell(0), seen.overruns, task.row.name,
                                      task.row.contexts > 1 ? fmt::format(", {} contexts", task.row.contexts) : ""));
    for (const std::string& line : deadline_lines(judged)) after_.push_back(line);
    for (const std::string& line : ground_lines(times)) grounds_.push_back(task.row.name + ": " + line);
    verdicts_.push_back(std::move(judged.verdict));
    add_sandwich(task.row.name, longest_ps, bounds);
    if (number + 1 == tasks_.tasks.size()) append(made_.lines, std::move(after_));
  }

  void add_classes() {
    append(made_.lines, use_lines(timing_.classes));
    made_.json["utilisation"] = reports::class_uses_json(timing_.classes);
    is_violated_ = is_violated_ || std::ranges::any_of(timing_.classes, &reports::ClassUse::is_overloaded);
  }

  /// By the bound that holds on any phases, if it is known.
  [[nodiscard]] ChainLink link_of(std::size_t task) const {
    const std::vector<verify::Bound> bounds = bounds_of(task);
    const bool is_known = bounds[0].bound_ps != verify::kUnknownPs;
    return {tasks_.tasks[task].period_ps, is_known ? bounds[0].bound_ps : bounds.back().bound_ps};
  }
  [[nodiscard]] bool needs_clock(const ChainRow& chain) const {
    return std::ranges::any_of(chain.tasks,
                               [&](std::size_t task) { return bounds_of(task)[0].bound_ps == verify::kUnknownPs; });
  }

  void add_chains() {
    Json list = Json::array();
    for (const ChainRow& chain : set_.chains) {
      std::vector<ChainLink> links;
      std::vector<std::vector<ChainRun>> drawn, worst;
      Json names = Json::array();
      for (const std::size_t task : chain.tasks) {
        links.push_back(link_of(task));
        Seen seen = seen_of(task);
        drawn.push_back(std::move(seen.drawn));
        worst.push_back(std::move(seen.worst));
        names.push_back(tasks_.tasks[task].row.name);
      }
      const std::optional<std::uint64_t> bound = latency_bound_ps(links);
      std::optional<std::uint64_t> seen = longest_latency_ps(drawn);
      if (const auto other = longest_latency_ps(worst); other && (!seen || *other > *seen)) seen = other;
      add_chain(chain, std::move(names), bound, seen, list);
    }
    made_.json["chains"] = std::move(list);
  }

  void add_chain(const ChainRow& chain, Json names, const std::optional<std::uint64_t>& bound,
                 const std::optional<std::uint64_t>& seen, Json& list) {
    const char* outcome = "none is demanded";
    if (chain.latency_ps) {
      outcome = seen && *seen > *chain.latency_ps      ? "violated"
                : bound && *bound <= *chain.latency_ps ? "holds"
                                                       : "unknown";
      is_violated_ = is_violated_ || std::string_view(outcome) == "violated";
      is_open_ = is_open_ || std::string_view(outcome) == "unknown";
    }
    const auto json_of = [](const std::optional<std::uint64_t>& time) { return time ? Json(*time) : Json(nullptr); };
    Json row = {{"name", chain.name},
                {"tasks", std::move(names)},
                {"longest_seen_ps", json_of(seen)},
                {"bound_ps", json_of(bound)},
                {"latency_ps", json_of(chain.latency_ps)}};
    if (chain.latency_ps) row["outcome"] = outcome;
    if (bound) row["condition"] = needs_clock(chain) ? kByClock : "if no op exceeds its worst time";
    if (bound && seen && *seen > *bound) {
      row["fault"] = "a latency that was seen is above the bound, which is a fault of Detent";
      is_violated_ = true;
    }
    list.push_back(std::move(row));
    made_.lines.push_back(fmt::format(
        "chain          {:>12}  at most{}, longest seen {}, {}: {}", bound ? format_time_up(*bound) : "unknown",
        bound && needs_clock(chain) ? " where one clock releases all tasks" : "", seen ? format_time(*seen) : "none",
        chain.latency_ps ? fmt::format("demanded {} {}", format_time(*chain.latency_ps), outcome) : outcome,
        chain.name));
  }

  const TasksRequest& wanted_;
  const OnProgress& on_progress_;
  TaskSet set_;
  sim::Platform platform_;
  LoadedTasks tasks_{};
  std::uint64_t horizon_ps_ = 0, total_runs_ = 0;
  std::vector<std::string> slot_names_{};
  std::vector<Seen> seen_{};  ///< by member
  TaskTiming timing_{};
  Answer made_{};
  Json rows_ = Json::array();
  Lines after_{}, grounds_{};
  std::vector<verify::Verdict> verdicts_{};
  std::string failure_{};
  bool is_violated_ = false, is_open_ = false;
};

}  // namespace

Answer judge_tasks(const TasksRequest& wanted, const OnProgress& on_progress) {
  if (wanted.simulation.runs == 0) throw std::invalid_argument("--runs: give at least 1");
  return TaskJudge(wanted, on_progress).answer();
}

}  // namespace detent::app
