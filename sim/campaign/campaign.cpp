#include "sim/campaign/campaign.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/ids.hpp"
#include "base/interrupt.hpp"
#include "harness/instance.hpp"
#include "harness/run_native.hpp"
#include "sim/campaign/lanes.hpp"
#include "sim/campaign/run_search.hpp"
#include "sim/campaign/statistics.hpp"
#include "sim/chip/chip.hpp"
#include "sim/chip/op_ends.hpp"
#include "sim/cost/jitter.hpp"
#include "sim/engine/systemc_port.hpp"
#include "sim/engine/timed_backend.hpp"

namespace detent::sim {
namespace {

constexpr std::uint32_t kProgressOps = 25'600;      // a few milliseconds of simulation between two reports
constexpr std::uint32_t kMaxRecordedOps = 200'000;  // about five uses of 40 bytes each

std::optional<OpEnds> keep_ends(const CampaignPlan& plan, SimResult& result) {
  if (!plan.options.keep_ends) return std::nullopt;
  result.ends.resize(plan.desc.op_count);
  return OpEnds(plan.desc, plan.options.engine.mode, result.ends);
}

class Campaign final : public Job {
 public:
  Campaign(const CampaignPlan& plan, std::shared_ptr<SimResult> result);
  void main() override;
  void on_deadlock() override;

 private:
  void check_chosen() const;
  void run_single();
  void run_many();
  bool bind(bool trace);
  void take_known();
  bool run_plain(std::uint64_t run);
  void search_long_runs();
  bool run_chosen(RunSearch& search, const ChosenRun& run);
  bool run_traced(std::uint64_t run, harness::Run& kept);
  bool run_traced(std::uint64_t run, const ChosenRun& what, harness::Run& kept);
  void run_with_faults();
  bool run_faulty(std::uint64_t run);
  harness::Run run_injected(std::uint64_t run);
  bool fail_start(harness::FaultRecord& record);
  harness::RunAgain run_again(std::uint64_t run);
  void schedule_cancel();
  void end_run(std::uint64_t run, std::uint64_t makespan_ps, std::uint64_t digest, bool has_digest);
  [[nodiscard]] ChosenRun what_of(std::uint64_t run) const;
  void prepare(const ChosenRun& what, bool execute, ChipRecorder* recorder);
  bool accept(const std::string& run, const detent_result& outcome);
  bool fail(const std::string& run, const std::string& what);
  bool end_at_limit(const std::string& run);
  [[nodiscard]] std::string name_of(std::uint64_t run) const;
  void note_digest(std::uint64_t digest);
  void report_progress(std::uint64_t done) const;
  [[nodiscard]] bool executes(std::uint64_t run) const { return run < plan_.executing_runs; }
  /// Those of the search, too, where kernels decide which ops run.
  [[nodiscard]] bool all_execute() const { return plan_.executing_runs == UINT64_MAX; }
  [[nodiscard]] std::uint64_t seed_of(std::uint64_t run) const { return seed_of_run(plan_.options, run); }

  const CampaignPlan& plan_;
  std::shared_ptr<SimResult> result_;
  SimKernel& kernel_;
  std::optional<ChipRecorder> recorder_;  // of the last traced run; workers that are joined still pay on the chip
  std::optional<OpEnds> ends_;
  Chip chip_;
  std::unique_ptr<harness::FaultInjector> injector_;  // null: no faults, no deadline
  SystemcPort port_;
  TimedBackend backend_;
  RunRange part_;
  std::uint64_t progress_stride_;
  detent_random_state random_{};
  std::unique_ptr<harness::NamedPolicy> named_;
  detent_policy policy_{};
  std::unique_ptr<harness::Instance> instance_;
  ChosenRun what_;  // of the run that goes on
  bool deadlocked_ = false;
};

Campaign::Campaign(const CampaignPlan& plan, std::shared_ptr<SimResult> result)
    : plan_(plan),
      result_(std::move(result)),
      kernel_(SimKernel::instance()),
      ends_(keep_ends(plan, *result_)),
      chip_(kernel_, plan.platform, plan.cores, plan.desc, plan.work, plan.options.migrating),
      injector_(plan.options.faults.empty() ? nullptr
                                            : std::make_unique<harness::FaultInjector>(plan.options.faults, plan.desc)),
      port_(kernel_, plan.platform.overheads, &chip_, ends_ ? &*ends_ : nullptr),
      backend_(kernel_, plan.desc, plan.times,
               {plan.options.jitter, !plan.options.timing_only, plan.options.backends, &chip_, plan.options.costs,
                ends_ ? &*ends_ : nullptr, injector_.get()}),
      part_(part_of(plan.options)),
      progress_stride_(std::clamp<std::uint32_t>(kProgressOps / std::max(plan.desc.op_count, 1U), 1, 256)) {
  check_chosen();
  if (plan.options.engine.policy == "random") {  // its seed is the run's, so that any run can be repeated alone
    policy_ = detent_policy_random(&random_);
    return;
  }
  named_ = std::make_unique<harness::NamedPolicy>(plan.options.engine.policy, 0, plan.options.engine.order);
  policy_ = named_->policy();
}

void Campaign::main() {
  struct Unbind {  // workers are joined on this simulated thread, whatever happens
    std::unique_ptr<harness::Instance>& instance;
    ~Unbind() { instance.reset(); }
  } const unbind{instance_};
  take_known();
  if (injector_) {
    run_with_faults();
  } else if (part_.count == 1 && result_->makespans_ps.empty() && plan_.options.with_traces) {
    run_single();
  } else {
    run_many();
  }
  if (!result_->failure && plan_.options.search_runs != 0) search_long_runs();
  if (!result_->failure) result_->use = measure_use(plan_.platform, plan_.cores, chip_, result_->worst);
}

void Campaign::on_deadlock() {
  deadlocked_ = true;
  if (instance_ && instance_->status() == DETENT_OK) detent_cancel(instance_->context());
}

void Campaign::take_known() {
  if (plan_.options.known == nullptr) return;
  result_->makespans_ps = std::move(plan_.options.known->makespans_ps);
  for (const std::uint64_t digest : plan_.options.known->digests) note_digest(digest);
  *plan_.options.known = {};
}

/// Traced at once: a very large graph is bound and run only once.
void Campaign::run_single() {
  if (!bind(true) || !run_traced(part_.first, result_->worst)) return;
  const harness::Run& run = result_->worst;
  end_run(part_.first, run.makespan_ps, run.digest, executes(part_.first));
  result_->typical = run;
}

void Campaign::run_many() {
  std::uint64_t done = result_->makespans_ps.size();
  if (done < part_.count && !bind(false)) return;
  result_->makespans_ps.reserve(part_.count);
  for (; done < part_.count && (done == 0 || !stop_requested()); ++done) {
    report_progress(done);
    if (!run_plain(part_.first + done)) return;
  }
  report_progress(done);
  if (!plan_.options.with_traces) return;
  const Summary summary = summarize(result_->makespans_ps);
  if (!bind(true) || !run_traced(part_.first + summary.worst_run, result_->worst)) return;
  if (summary.median_run == summary.worst_run) {
    result_->typical = result_->worst;
  } else {
    static_cast<void>(run_traced(part_.first + summary.median_run, result_->typical));
  }
}

/// As many as wanted, and the longest of them once more, with a trace, where it is the longest of all.
void Campaign::search_long_runs() {
  const Jitter& jitter = plan_.options.jitter;
  const std::uint64_t budget = jitter.core_correlation == 1 ? 1 : plan_.options.search_runs;
  RunSearch search(backend_.ranges(), budget, plan_.options.seeds.schedule);
  result_->search = SearchResult{.ranges = backend_.ranges()};
  SearchResult& found = *result_->search;
  if (ends_) ends_->stop();  // a seed alone does not repeat these runs
  if (!bind(false)) return;
  while (!stop_requested() || search.runs() == 0) {
    const std::optional<ChosenRun> run = search.next();
    if (!run) break;
    report_progress(part_.count + search.runs());
    found.longest = *run;
    found.failed = !run_chosen(search, *run);
    if (found.failed) return;
  }
  report_progress(part_.count + plan_.options.search_runs);
  found.runs = search.runs();
  found.all_worst_ps = search.all_worst_ps();
  found.longest_ps = search.longest_ps();
  found.longest = search.longest();
  const std::uint64_t drawn_ps = *std::ranges::max_element(result_->makespans_ps);
  result_->is_longest_found = found.longest_ps > drawn_ps;
  if (!result_->is_longest_found || !plan_.options.with_traces) return;
  harness::Run traced;
  if (!bind(true) || !run_traced(part_.first, found.longest, traced)) return;
  result_->worst = std::move(traced);
  if (result_->worst.makespan_ps != found.longest_ps) {
    static_cast<void>(fail("the longest run of the search", "took " + std::to_string(found.longest_ps) +
                                                                " ps and, repeated with a trace, " +
                                                                std::to_string(result_->worst.makespan_ps) + " ps"));
  }
}

bool Campaign::run_chosen(RunSearch& search, const ChosenRun& run) {
  prepare(run, all_execute(), nullptr);
  SeenTimes seen;
  seen.begin_ps.assign(plan_.desc.op_count, SeenTimes::kNever);
  seen.end_ps = seen.begin_ps;
  backend_.note_times(&seen, kernel_.now_ps());
  const detent_result outcome = instance_->run_untraced();
  backend_.note_times(nullptr, 0);
  const std::string name = "run " + std::to_string(search.runs()) + " of the search (its replay line repeats it)";
  if (!accept(name, outcome)) return false;
  if (all_execute()) note_digest(instance_->digest());
  search.tell(outcome.end_ps - outcome.begin_ps, seen);
  return true;
}

/// @throws std::invalid_argument  times of a chosen run that its ops cannot take
void Campaign::check_chosen() const {
  if (!plan_.options.chosen || plan_.options.chosen->times_ps.empty()) return;
  const ChosenRun& run = *plan_.options.chosen;
  const std::vector<OpTime> ranges = backend_.ranges();
  if (run.times_ps.size() != ranges.size()) {
    throw std::invalid_argument("chosen times: " + std::to_string(run.times_ps.size()) + " for " +
                                std::to_string(ranges.size()) + " ops; give one for each");
  }
  for (OpId op = 0; op < ranges.size(); ++op) {
    if (ranges[op].best_ps <= run.times_ps[op] && run.times_ps[op] <= ranges[op].worst_ps) continue;
    throw std::invalid_argument("chosen times: op " + std::to_string(op) + " takes " +
                                std::to_string(ranges[op].best_ps) + " to " + std::to_string(ranges[op].worst_ps) +
                                " ps here, not " + std::to_string(run.times_ps[op]) +
                                "; model, platform, jitter and costs must be those of the run");
  }
  for (const OpId op : run.ties) {
    if (op >= ranges.size()) throw std::invalid_argument("ties: there is no op " + std::to_string(op));
  }
}

bool Campaign::bind(bool trace) {
  instance_.reset();
  harness::InstanceOptions options;
  set_engine(plan_.options.engine, options);
  options.worker_count = plan_.cores.worker_count;  // with those that bring commands to NPUs
  options.worker_classes = plan_.cores.worker_classes;
  options.policy = policy_;
  options.backends = {backend_.backend()};
  options.trace = trace;
  options.events = trace;  // the length of the ready queue
  options.memory_limit_bytes = plan_.platform.memory_bytes;
  options.op_deadline_ps = plan_.options.faults.op_deadline_ps;
  instance_ = std::make_unique<harness::Instance>(plan_.desc, port_.port(), options);
  if (instance_->status() == DETENT_OK) return true;
  result_->failure = "cannot be bound: " + harness::describe_error(plan_.desc, instance_->error());
  return false;
}

/// Every run begins with all workers asleep, as a run alone does, so it does not depend on the runs before it.
void Campaign::prepare(const ChosenRun& what, bool execute, ChipRecorder* recorder) {
  kernel_.settle();
  what_ = what;
  random_.seed = what_.seed;
  port_.begin_run();
  if (ends_) ends_->begin_run(kernel_.now_ps(), random_.seed);
  chip_.begin_run(random_.seed, recorder);
  backend_.set_run(what_, execute);
  if (execute) instance_->fill(plan_.options.seeds.input);
}

ChosenRun Campaign::what_of(std::uint64_t run) const {
  return plan_.options.chosen ? *plan_.options.chosen : ChosenRun{.seed = seed_of(run)};
}

bool Campaign::run_plain(std::uint64_t run) {
  prepare(what_of(run), executes(run), nullptr);
  const detent_result outcome = instance_->run_untraced();
  if (!accept(name_of(run), outcome)) return false;
  end_run(run, outcome.end_ps - outcome.begin_ps, executes(run) ? instance_->digest() : 0, executes(run));
  return true;
}

bool Campaign::run_traced(std::uint64_t run, harness::Run& kept) {
  if (!run_traced(run, what_of(run), kept)) return false;
  const std::uint64_t place = run - part_.first;
  const bool repeated = place >= result_->makespans_ps.size() || kept.makespan_ps == result_->makespans_ps[place];
  return repeated ||
         fail(name_of(run), "took " + std::to_string(result_->makespans_ps[place]) +
                                " ps and, repeated with a trace, " + std::to_string(kept.makespan_ps) + " ps");
}

bool Campaign::run_traced(std::uint64_t run, const ChosenRun& what, harness::Run& kept) {
  if (plan_.desc.op_count <= kMaxRecordedOps) recorder_.emplace(plan_.platform, chip_.cores());
  prepare(what, executes(run), recorder_ ? &*recorder_ : nullptr);
  kept = instance_->run();
  chip_.end_run();
  if (recorder_) kept.machine = recorder_->finish(kept.result.end_ps);
  move_queued_ops(plan_.platform, plan_.cores, chip_, kept.trace);
  move_delays(plan_.desc, plan_.cores, kept.trace);
  if (!accept(name_of(run), kept.result)) return false;
  if (executes(run)) {
    note_digest(kept.digest);
  } else {
    kept.digest = 0;
  }
  return true;
}

void Campaign::run_with_faults() {
  result_->makespans_ps.reserve(part_.count);
  std::uint64_t done = 0;
  for (; done < part_.count && (done == 0 || !stop_requested()); ++done) {
    report_progress(done);
    if (!run_faulty(part_.first + done)) return;
  }
  report_progress(done);
  result_->typical = result_->worst;
}

/// The run with its faults, and then the same context without them.
bool Campaign::run_faulty(std::uint64_t run) {
  harness::Run faulty;
  faulty.faults.emplace();
  if (!fail_start(*faulty.faults)) {
    if (result_->failure) return false;
    if (!instance_ && !bind(true)) return false;
    faulty = run_injected(run);
  } else if (!bind(true)) {
    return false;
  }
  harness::FaultRecord& record = *faulty.faults;
  record.slots = std::max(1U, plan_.cores.worker_count);
  record.exact_times = port_.port().checkpoint_mask == 0 && plan_.platform.overheads.wake_ps == 0;
  record.again = run_again(run);
  kernel_.clock().sync();
  if (deadlocked_) return fail(name_of(run), kernel_.first_deadlock());
  if (kernel_.clock().overflowed()) return end_at_limit(name_of(run));
  end_run(run, faulty.makespan_ps, faulty.digest, executes(run) && record.error.status == DETENT_OK);
  if (plan_.options.on_faults) plan_.options.on_faults(run, record);
  const bool is_longest = result_->makespans_ps.size() == 1 || faulty.makespan_ps > result_->worst.makespan_ps;
  if (is_longest) result_->worst = std::move(faulty);
  return true;
}

/// True: the start of the context failed as it should, with what `record` says.
bool Campaign::fail_start(harness::FaultRecord& record) {
  if (plan_.options.faults.failing_start == 0) return false;
  port_.fail_start_of(plan_.options.faults.failing_start);
  const bool failed = !bind(true) && instance_->status() == DETENT_WORKER_FAILED;
  port_.fail_start_of(0);
  if (!failed) return false;
  record.error = instance_->error();
  result_->failure.reset();
  return true;
}

harness::Run Campaign::run_injected(std::uint64_t run) {
  const bool recorded = plan_.desc.op_count <= kMaxRecordedOps;
  if (recorded) recorder_.emplace(plan_.platform, chip_.cores());
  prepare(what_of(run), executes(run), recorded ? &*recorder_ : nullptr);
  injector_->begin_run(true, kernel_.now_ps());
  schedule_cancel();
  harness::Run faulty = instance_->run();
  chip_.end_run();
  if (recorded) faulty.machine = recorder_->finish(faulty.result.end_ps);
  move_delays(plan_.desc, plan_.cores, faulty.trace);
  faulty.faults = injector_->finish(faulty.result, kernel_.now_ps());
  return faulty;
}

/// What hangs answers now, what is late comes to its end; then the context must be ready for a run.
harness::RunAgain Campaign::run_again(std::uint64_t run) {
  injector_->release(kernel_.now_ps());
  prepare(what_of(run), executes(run), nullptr);
  injector_->begin_run(false, kernel_.now_ps());
  const detent_result outcome = instance_->run_untraced();
  harness::RunAgain again = injector_->finish_again(outcome.error.status);
  if (again.status == DETENT_OK && executes(run)) again.digest = instance_->digest();
  kernel_.settle();  // an op that is late without any fault ends, too: the context can be taken down
  return again;
}

void Campaign::schedule_cancel() {
  const auto& cancel = plan_.options.faults.cancel_at;
  if (!cancel || cancel->moment != harness::CancelAt::Moment::kTime) return;
  const auto now = [](void* self, std::uint32_t, std::int32_t) {
    Campaign& campaign = *static_cast<Campaign*>(self);
    campaign.injector_->cancel_now(campaign.instance_->context(), campaign.kernel_.now_ps());
  };
  kernel_.ops().interrupt_later(cancel->time_ps, INT32_MIN, 0, {now, this});
}

/// A run of the part that was simulated for the first time. @param digest  counts if its kernels were executed
void Campaign::end_run(std::uint64_t run, std::uint64_t makespan_ps, std::uint64_t digest, bool has_digest) {
  result_->makespans_ps.push_back(makespan_ps);
  RunOutcome outcome{run, makespan_ps, {}};
  if (has_digest) {
    note_digest(digest);
    outcome.digest = digest;
  }
  if (plan_.options.on_run) plan_.options.on_run(outcome);
}

/// A run counts when the engine is content, nothing deadlocked and the clock did not overflow.
bool Campaign::accept(const std::string& run, const detent_result& outcome) {
  kernel_.clock().sync();
  if (deadlocked_) return fail(run, kernel_.first_deadlock());
  if (kernel_.clock().overflowed()) return end_at_limit(run);
  if (outcome.error.status != DETENT_OK) return fail(run, harness::describe_error(plan_.desc, outcome.error));
  return true;
}

std::string Campaign::name_of(std::uint64_t run) const {
  return "run " + std::to_string(run) + " (repeat it with --runs 1 --seed " + std::to_string(seed_of(run)) + ")";
}

bool Campaign::fail(const std::string& run, const std::string& what) {
  result_->failure = run + ": " + what;
  return false;
}

/// The clock counts all runs of a campaign.
bool Campaign::end_at_limit(const std::string& run) {
  result_->at_limit = true;
  result_->failure = "the clock of the simulation passes 2^64 ps in " + run.substr(0, run.find(" (")) +
                     "; simulate fewer runs at once, or shorten op times";
  return false;
}

void Campaign::note_digest(std::uint64_t digest) {
  auto& digests = result_->digests;
  const auto place = std::lower_bound(digests.begin(), digests.end(), digest);
  if (place == digests.end() || *place != digest) digests.insert(place, digest);
}

void Campaign::report_progress(std::uint64_t done) const {
  const auto& progress = plan_.options.progress;
  const std::uint64_t all = part_.count + plan_.options.search_runs;
  if (progress && (done % progress_stride_ == 0 || done == all)) progress(done, all);
}

}  // namespace

RunRange part_of(const SimOptions& options) {
  return options.part.count == 0 ? RunRange{0, options.runs} : options.part;
}

std::uint64_t seed_of_run(const SimOptions& options, std::uint64_t run) {
  return options.run_seeds.empty() ? run_seed(options.seeds.schedule, run) : options.run_seeds[run];
}

std::unique_ptr<Job> make_campaign(const CampaignPlan& plan, std::shared_ptr<SimResult> result) {
  return std::make_unique<Campaign>(plan, std::move(result));
}

}  // namespace detent::sim
