#include "bench/simgrid/loop.hpp"

#include <cmath>
#include <deque>
#include <functional>
#include <mutex>
#include <queue>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

#include "bench/sim/session.hpp"

namespace detent::bench {
namespace {

namespace s4u = simgrid::s4u;

constexpr std::uint32_t kNothing = UINT32_MAX;
constexpr double kSecondsPerPs = 1e-6;  // simulated: SimGrid's clock is exact to 1e-9 s, so a ps lasts a microsecond

/// SimGrid's leanest way to wait for another actor.
class SemaphoreGate {
 public:
  void wait() { semaphore_->acquire(); }
  void open() { semaphore_->release(); }

 private:
  s4u::SemaphorePtr semaphore_ = s4u::Semaphore::create(0);
};

/// What a threaded runtime becomes when its mutexes and condition variables are mapped to SimGrid's.
class LockedGate {
 public:
  void wait() {
    std::unique_lock<s4u::Mutex> lock(*mutex_);
    condition_->wait(lock, [this] { return opened_ != 0; });
    --opened_;
  }
  void open() {
    const std::scoped_lock<s4u::Mutex> lock(*mutex_);
    ++opened_;
    condition_->notify_one();
  }

 private:
  s4u::MutexPtr mutex_ = s4u::Mutex::create();
  s4u::ConditionVariablePtr condition_ = s4u::ConditionVariable::create();
  std::uint32_t opened_ = 0;
};

/// Actors run one at a time, as SC_THREADs do: what they share needs no further lock.
template <typename Gate>
class Loop {
 public:
  Loop(const sim::bare::Dag& dag, std::uint32_t cores)
      : dag_(dag), op_of_(cores, kNothing), wakes_(cores), left_(op_count()) {
    missing_.assign(op_count(), 0);
    for (const std::uint32_t to : dag.targets) ++missing_[to];
    for (std::uint32_t op = 0; op < op_count(); ++op) {
      if (missing_[op] == 0) ready_.push(op);
    }
    for (std::uint32_t core = 0; core < cores; ++core) idle_.push_back(core);
  }

  void schedule() {
    hand_out();
    while (left_ != 0) {
      something_completed_.wait();
      const std::uint32_t worker = completed_.front();
      completed_.pop_front();
      settle(worker);
      hand_out();
    }
    for (Gate& wake : wakes_) wake.open();
  }

  void work(std::uint32_t self) {
    for (;;) {
      wakes_[self].wait();
      if (op_of_[self] == kNothing) return;
      s4u::this_actor::sleep_for(static_cast<double>(dag_.durations_ps[op_of_[self]]) * kSecondsPerPs);
      completed_.push_back(self);
      something_completed_.open();
    }
  }

 private:
  [[nodiscard]] std::size_t op_count() const { return dag_.durations_ps.size(); }

  void settle(std::uint32_t worker) {
    const std::uint32_t op = op_of_[worker];
    op_of_[worker] = kNothing;
    idle_.push_back(worker);
    --left_;
    for (std::uint32_t i = dag_.first[op]; i < dag_.first[op + 1]; ++i) {
      if (--missing_[dag_.targets[i]] == 0) ready_.push(dag_.targets[i]);
    }
  }

  void hand_out() {
    while (!idle_.empty() && !ready_.empty()) {
      const std::uint32_t worker = idle_.back();
      idle_.pop_back();
      op_of_[worker] = ready_.top();
      ready_.pop();
      wakes_[worker].open();
    }
  }

  const sim::bare::Dag& dag_;
  std::vector<std::uint32_t> op_of_;
  std::vector<Gate> wakes_;
  std::size_t left_;
  std::vector<std::uint32_t> missing_;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready_;
  std::deque<std::uint32_t> completed_;
  std::vector<std::uint32_t> idle_;
  Gate something_completed_;
};

template <typename Gate>
SimgridTime run_loop(s4u::Engine& engine, const sim::bare::Dag& dag, const std::vector<s4u::Host*>& hosts) {
  const auto cores = static_cast<std::uint32_t>(hosts.size() - 1);
  Loop<Gate> loop(dag, cores);
  s4u::Actor::create("scheduler", hosts[cores], [&loop] { loop.schedule(); });
  for (std::uint32_t core = 0; core < cores; ++core) {
    s4u::Actor::create("worker" + std::to_string(core), hosts[core], [&loop, core] { loop.work(core); });
  }
  const double start = s4u::Engine::get_clock();
  const double begin = cpu_seconds();
  engine.run();
  const double seconds = cpu_seconds() - begin;
  return {seconds, static_cast<std::uint64_t>(std::llround((s4u::Engine::get_clock() - start) / kSecondsPerPs))};
}

}  // namespace

SimgridTimes run_simgrid_loops(const sim::bare::Dag& dag, std::uint32_t cores) {
  int argc = 1;
  char name[] = "bench_simgrid";
  char* argv[] = {name, nullptr};
  s4u::Engine engine(&argc, argv);
  s4u::NetZone* const zone = s4u::create_full_zone("chip");
  std::vector<s4u::Host*> hosts;
  for (std::uint32_t core = 0; core <= cores; ++core) {
    hosts.push_back(zone->create_host("core" + std::to_string(core), 1e9));
  }
  zone->seal();
  SimgridTimes times;
  times.semaphores = run_loop<SemaphoreGate>(engine, dag, hosts);
  times.locks = run_loop<LockedGate>(engine, dag, hosts);
  return times;
}

}  // namespace detent::bench
