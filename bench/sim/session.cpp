#include "bench/sim/session.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <vector>

#include "harness/instance.hpp"
#include "sim/chip/chip.hpp"
#include "sim/chip/cores.hpp"
#include "sim/cost/cost.hpp"
#include "sim/cost/jitter.hpp"
#include "sim/engine/systemc_port.hpp"
#include "sim/engine/timed_backend.hpp"
#include "sim/kernel/sim_kernel.hpp"
#include "sim/simulate.hpp"

namespace detent::bench {
namespace {

class Session final : public sim::Job {
 public:
  Session(const detent_desc& desc, const sim::Platform& platform, std::uint64_t runs, SessionTime& time)
      : desc_(desc), platform_(platform), runs_(runs), time_(time) {}

  void main() override {
    sim::SimKernel& kernel = sim::SimKernel::instance();
    const sim::CoreMap cores = sim::map_cores(desc_, platform_, {});
    const std::vector<sim::OpWork> work = sim::op_work(desc_, platform_, {});
    sim::Chip chip(kernel, platform_, cores, desc_, work, false);
    sim::SystemcPort port(kernel, platform_.overheads, &chip);
    sim::TimedBackend backend(kernel, desc_, sim::op_times(desc_, platform_, {}),
                              {.with_kernels = false, .chip = &chip});
    harness::InstanceOptions options;
    options.worker_count = cores.worker_count;
    options.worker_classes = cores.worker_classes;
    options.backends = {backend.backend()};
    options.trace = false;
    harness::Instance instance(desc_, port.port(), options);
    const auto run_one = [&](std::uint64_t run) {
      kernel.settle();
      port.begin_run();
      chip.begin_run(sim::run_seed(1, run), nullptr);
      backend.set_run(sim::run_seed(1, run), false);
      const detent_result result = instance.run_untraced();
      kernel.clock().sync();
      if (result.error.status != DETENT_OK) fail(result.error.status);
      time_.makespan_ps = result.end_ps - result.begin_ps;
    };
    if (instance.status() != DETENT_OK) fail(instance.status());
    run_one(0);
    const std::uint64_t switches = kernel.switches();
    const double start = cpu_seconds();
    for (std::uint64_t run = 1; run <= runs_; ++run) run_one(run);
    time_.seconds_per_run = (cpu_seconds() - start) / static_cast<double>(runs_);
    time_.switches_per_run = (kernel.switches() - switches) / runs_;
  }

 private:
  [[noreturn]] static void fail(detent_status status) {
    std::fprintf(stderr, "bench_sim: a run failed: %s\n", detent_status_name(status));
    std::exit(1);
  }

  const detent_desc& desc_;
  const sim::Platform& platform_;
  std::uint64_t runs_;
  SessionTime& time_;
};

}  // namespace

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

SessionTime time_session(const detent_desc& desc, const sim::Platform& platform, std::uint64_t runs) {
  SessionTime time;
  std::unique_ptr<sim::Job> session = std::make_unique<Session>(desc, platform, runs, time);
  sim::SimKernel::instance().run(session);
  return time;
}

}  // namespace detent::bench
