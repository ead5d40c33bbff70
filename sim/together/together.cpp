#include "sim/together/together.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <stdexcept>

#include <detent/limits.h>

#include "base/interrupt.hpp"
#include "base/random.hpp"
#include "harness/instance.hpp"
#include "harness/run_native.hpp"
#include "harness/together/worker_pool.hpp"
#include "sim/chip/chip.hpp"
#include "sim/chip/cores.hpp"
#include "sim/cost/cost.hpp"
#include "sim/cost/jitter.hpp"
#include "sim/engine/desc_fault.hpp"
#include "sim/engine/systemc_port.hpp"
#include "sim/engine/timed_backend.hpp"
#include "sim/engine/timing_desc.hpp"
#include "sim/together/joint_desc.hpp"

namespace detent::sim {
namespace {

/// A third of the releases is on time, a third as late as can be.
std::uint64_t late_ps(std::uint64_t most_ps, std::uint64_t seed) {
  constexpr std::uint64_t kStream = 0x72656c65617365;  // apart from the times of ops
  RandomSource random(seed ^ kStream);
  const std::uint32_t kind = random.below(3);
  return kind == 0 ? 0 : kind == 1 ? most_ps : random.below64(most_ps);
}

/// The combination of outcomes of a run.
std::uint32_t drawn_outcome(std::size_t count, std::uint64_t seed) {
  constexpr std::uint64_t kStream = 0x6272616e6368;  // apart from the times of ops, and from releases
  RandomSource random(seed ^ kStream);
  return random.below(static_cast<std::uint32_t>(count));
}

/// What all networks share, fixed before the simulation begins.
struct SharedChip {
  const JointDesc& descs;
  const Platform& platform;
  CoreMap cores{};
  std::vector<OpWork> work{};                // of all ops
  std::vector<std::vector<OpTime>> times{};  // [network][op]
};

class Together final : public Job {
 public:
  Together(const std::vector<PeriodicNetwork>& networks, const SharedChip& shared, const TogetherOptions& options,
           std::shared_ptr<TogetherResult> result);
  void main() override;
  void on_deadlock() override;

 private:
  /// A context, its back end, and its caller's thread.
  struct Member {
    Together* job = nullptr;
    std::size_t number = 0;
    std::uint64_t executing_runs = 0;
    std::unique_ptr<TimedBackend> backend{};
    std::unique_ptr<harness::NamedPolicy> policy{};
    std::unique_ptr<harness::Instance> instance{};
  };
  bool bind();
  void call(Member& member);
  void wait_for_release(const Member& member, std::uint64_t release_ps);
  [[nodiscard]] SlotId caller(std::size_t member) const {
    return shared_.cores.worker_count + 1 + static_cast<std::uint32_t>(member);
  }
  void fail(std::size_t network, const std::string& what);

  const std::vector<PeriodicNetwork>& networks_;
  const SharedChip& shared_;
  const TogetherOptions& options_;
  std::shared_ptr<TogetherResult> result_;
  SimKernel& kernel_;
  Chip chip_;
  SystemcPort port_;
  std::unique_ptr<harness::WorkerPool> pool_;
  std::vector<std::unique_ptr<Member>> members_;
  std::uint64_t done_runs_ = 0;
  bool deadlocked_ = false;
};

Together::Together(const std::vector<PeriodicNetwork>& networks, const SharedChip& shared,
                   const TogetherOptions& options, std::shared_ptr<TogetherResult> result)
    : networks_(networks),
      shared_(shared),
      options_(options),
      result_(std::move(result)),
      kernel_(SimKernel::instance()),
      chip_(kernel_, shared.platform, shared.cores, shared.descs.ops(), shared.work, false),
      port_(kernel_, shared.platform.overheads, &chip_) {}

bool Together::bind() {
  pool_ = std::make_unique<harness::WorkerPool>(port_.port(), shared_.cores.worker_count,
                                                static_cast<std::uint32_t>(networks_.size()));
  if (pool_->status() != DETENT_OK) {
    result_->failure = std::string("no pool of workers: ") + detent_status_name(pool_->status());
    return false;
  }
  for (std::size_t i = 0; i < networks_.size(); ++i) {
    const detent_desc& desc = shared_.descs.network(i);
    auto member = std::make_unique<Member>();
    member->job = this;
    member->number = i;
    member->executing_runs = executing_runs(desc, options_.timing_only, options_.execute_runs);
    member->policy = std::make_unique<harness::NamedPolicy>(options_.engine.policy, 0, std::vector<std::uint32_t>{});
    member->backend = std::make_unique<TimedBackend>(kernel_, desc, shared_.times[i],
                                                     TimedBackend::Options{.jitter = options_.jitter,
                                                                           .with_kernels = !options_.timing_only,
                                                                           .kernels = networks_[i].backends,
                                                                           .chip = &chip_,
                                                                           .costs = networks_[i].costs,
                                                                           .first_op = shared_.descs.first_op(i)});
    harness::InstanceOptions options;
    options.worker_count = shared_.cores.worker_count;
    options.worker_classes = shared_.cores.worker_classes;
    options.policy = member->policy->policy();
    options.backends = {member->backend->backend()};
    options.trace = options_.keep_runs;
    options.worker_pool = pool_->get();
    options.worker_pool_priority = networks_[i].priority;
    member->instance = std::make_unique<harness::Instance>(desc, port_.port(), options);
    if (member->instance->status() != DETENT_OK) {
      fail(i, "cannot be bound: " + harness::describe_error(desc, member->instance->error()));
      return false;
    }
    members_.push_back(std::move(member));
  }
  return true;
}

void Together::fail(std::size_t network, const std::string& what) {
  if (result_->failure) return;
  result_->failure = what;
  result_->failed_network = network;
}

void Together::wait_for_release(const Member& member, std::uint64_t release_ps) {
  while (kernel_.now_ps() < release_ps) kernel_.park(caller(member.number), release_ps);
}

void Together::call(Member& member) {
  const PeriodicNetwork& network = networks_[member.number];
  NetworkResponses& seen = result_->networks[member.number];
  std::uint64_t wanted_ps = network.offset_ps;
  for (std::uint64_t run = 0; run < options_.runs && !result_->failure && !stop_requested(); ++run) {
    if (options_.until_ps != 0 && wanted_ps >= options_.until_ps) return;
    const bool executes = run < member.executing_runs;
    const std::uint64_t seed = run_seed(options_.seeds.schedule + member.number, run);
    member.backend->set_run(seed, executes);
    const std::vector<std::vector<bool>>& outcomes = network.outcomes;
    if (!outcomes.empty()) member.backend->leave_out(outcomes[drawn_outcome(outcomes.size(), seed)]);
    if (executes) member.instance->fill(options_.seeds.input);
    wait_for_release(member, wanted_ps + late_ps(network.release_jitter_ps, seed));
    seen.begins_ps.push_back(kernel_.now_ps());
    harness::Run done = member.instance->run();
    if (done.result.error.status != DETENT_OK) {
      fail(member.number,
           "run " + std::to_string(run) + ": " +
               (deadlocked_ ? kernel_.first_deadlock()
                            : harness::describe_error(shared_.descs.network(member.number), done.result.error)));
      return;
    }
    const std::uint64_t end_ps = done.result.end_ps;
    seen.responses_ps.push_back(end_ps - wanted_ps);
    if (executes) seen.digests.push_back(done.digest);
    if (options_.keep_runs) seen.traces.push_back(std::move(done));
    result_->end_ps = std::max(result_->end_ps, end_ps);
    if (options_.progress) options_.progress(++done_runs_, options_.runs * networks_.size());
    wanted_ps = network.period_ps == 0 ? end_ps : wanted_ps + network.period_ps;
    if (end_ps > wanted_ps) ++seen.overruns;
  }
}

void Together::main() {
  struct Unbind {  // workers are joined on this simulated thread, whatever happens
    Together& job;
    ~Unbind() {
      job.members_.clear();
      job.pool_.reset();
    }
  } const unbind{*this};
  if (!bind()) return;
  kernel_.settle();
  port_.begin_run();
  chip_.begin_run(options_.seeds.schedule, nullptr);
  for (const std::unique_ptr<Member>& member : members_) {
    kernel_.start(
        caller(member->number),
        [](void* arg) {
          Member& me = *static_cast<Member*>(arg);
          me.job->call(me);
        },
        member.get());
  }
  for (const std::unique_ptr<Member>& member : members_) kernel_.join(caller(member->number));
  chip_.end_run();
  kernel_.clock().sync();
  if (kernel_.clock().overflowed()) fail(0, "the clock of the simulation passes 2^64 ps; simulate fewer runs");
  kernel_.settle();  // nobody is under a scheduler role any more
}

void Together::on_deadlock() {
  deadlocked_ = true;
  for (const std::unique_ptr<Member>& member : members_) {
    if (member->instance && member->instance->status() == DETENT_OK) detent_cancel(member->instance->context());
  }
}

void check_together(const std::vector<PeriodicNetwork>& networks, const TogetherOptions& options) {
  const auto refuse = [](const std::string& what) { throw std::invalid_argument("together: " + what); };
  constexpr std::uint64_t kMostRuns = 10'000'000;
  if (networks.empty() || networks.size() > DETENT_MAX_POOL_MEMBERS) {
    refuse(std::to_string(networks.size()) + " networks; give 1 to " + std::to_string(DETENT_MAX_POOL_MEMBERS));
  }
  if (options.runs == 0 || options.runs > kMostRuns) refuse("runs: give 1 to " + std::to_string(kMostRuns));
  if (options.engine.mode != DETENT_MODE_CLOSED_LOOP || options.engine.scheduler != DETENT_SCHEDULER_ROLE) {
    refuse("only the closed loop with the scheduler role shares workers");
  }
  for (const PeriodicNetwork& network : networks) {
    if (!network.outcomes.empty() && !options.timing_only)
      refuse("kernels that execute take their branches themselves");
    for (const std::vector<bool>& runs : network.outcomes) {
      if (runs.size() != network.desc->op_count) refuse("outcomes are of as many ops as the network has");
    }
  }
  if (options.engine.policy == "random" || options.engine.policy == "given") {
    refuse("policy " + options.engine.policy + " is of one network; choose id, priority or critical-path");
  }
}

/// Slot 0 runs no ops: the callers have slots behind those of the workers.
CoreMap shared_cores(const detent_desc& ops, const Platform& platform, const TogetherOptions& options) {
  SimOptions wanted;
  wanted.engine = options.engine;
  wanted.engine.scheduler = DETENT_SCHEDULER_THREAD;  // which lays out the slots in this way
  CoreMap cores = map_cores(ops, platform, wanted);
  if (cores.worker_count > DETENT_MAX_POOL_WORKERS) {
    throw std::invalid_argument("together: " + std::to_string(cores.worker_count) +
                                " workers over all classes; a pool has at most " +
                                std::to_string(DETENT_MAX_POOL_WORKERS));
  }
  return cores;
}

}  // namespace

TogetherResult simulate_together(const std::vector<PeriodicNetwork>& networks, const Platform& platform,
                                 const TogetherOptions& options) {
  check_together(networks, options);
  const std::lock_guard lock(SimKernel::one_session());
  const auto result = std::make_shared<TogetherResult>();
  result->networks.resize(networks.size());
  std::uint64_t memory_left = platform.memory_bytes;
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const auto fault = find_fault(*networks[i].desc, platform.memory_bytes != 0 ? &memory_left : nullptr);
    if (!fault) continue;
    result->failure = "cannot be bound: " + *fault;
    result->failed_network = i;
    return *result;
  }
  std::vector<std::unique_ptr<TimingDesc>> timing;
  std::vector<const detent_desc*> parts;
  for (const PeriodicNetwork& network : networks) {
    if (options.timing_only) timing.push_back(std::make_unique<TimingDesc>(*network.desc));
    parts.push_back(options.timing_only ? &timing.back()->desc() : network.desc);
  }
  const JointDesc descs(parts);
  SharedChip shared{descs, platform, shared_cores(descs.ops(), platform, options)};
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const std::vector<OpWork> work = op_work(descs.network(i), platform, options.jitter, networks[i].costs);
    shared.times.emplace_back();
    for (const OpWork& op : work) shared.times.back().push_back(op.time);
    shared.work.insert(shared.work.end(), work.begin(), work.end());
  }
  std::unique_ptr<Job> job = std::make_unique<Together>(networks, shared, options, result);
  const Session session = SimKernel::instance().run(job);
  TogetherResult done = std::move(*result);
  if (!session.finished && !done.failure) {
    done.failure = session.deadlocks.front() + "; the simulated threads could not be ended";
  }
  const auto first = shared.cores.slot_names.begin() + 1;
  done.slot_names.assign(first, first + shared.cores.worker_count);
  for (NetworkResponses& network : done.networks) {
    std::ranges::sort(network.digests);
    network.digests.erase(std::unique(network.digests.begin(), network.digests.end()), network.digests.end());
  }
  return done;
}

}  // namespace detent::sim
