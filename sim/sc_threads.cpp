#include "sim/sc_threads.hpp"

#define SC_INCLUDE_DYNAMIC_PROCESSES  // sc_spawn
#include <functional>
#include <systemc>
#include <vector>

#include "sim/stack_bounds.hpp"

// SystemC's library holds a main() that calls this; programs that bring their own main() never reach it.
int sc_main(int /*argc*/, char** /*argv*/) { return 0; }

namespace detent::sim {
namespace {

constexpr int kStackBytes = 1 << 20;  // kernels and trace collection run on these stacks, also under sanitizers

void spawn(const std::function<void()>& body, const char* name) {
  sc_core::sc_spawn_options options;
  options.set_stack_size(kStackBytes);
  sc_core::sc_spawn(body, sc_core::sc_gen_unique_name(name), &options);
}

}  // namespace

struct ScThreads::Thread {
  sc_core::sc_event wake;
  bool has_control = false;

  void wait_for_control() {
    while (!has_control) sc_core::wait(wake);
    has_control = false;
  }
};

struct ScThreads::Pool {
  std::vector<std::unique_ptr<Thread>> threads;
  std::vector<std::unique_ptr<Thread>> abandoned;  // SystemC still refers to their events
};

ScThreads::ScThreads(Body body, void* self) : body_(body), self_(self), pool_(std::make_unique<Pool>()) {
  // A stalled or failing model is our own finding, reported with what each thread waits for.
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
}

ScThreads::~ScThreads() = default;

ScThreads::Thread& ScThreads::thread(std::uint32_t index) {
  auto& threads = pool_->threads;
  if (index >= threads.size()) threads.resize(index + 1);
  if (!threads[index]) {
    threads[index] = std::make_unique<Thread>();
    spawn(
        [this, index, thread = threads[index].get()] {
          thread->wait_for_control();
          body_(self_, index);
        },
        "detent_slot");
  }
  return *threads[index];
}

void ScThreads::run(std::uint32_t first) {
  Thread& thread = this->thread(first);
  thread.has_control = true;
  thread.wake.notify(sc_core::SC_ZERO_TIME);
  sc_core::sc_start();
  restore_stack_bounds();
}

void ScThreads::hand_over(std::uint32_t from, std::uint32_t to) {
  Thread& next = thread(to);
  next.has_control = true;
  next.wake.notify();
  pool_->threads[from]->wait_for_control();
}

void ScThreads::leave(std::uint32_t from) { pool_->threads[from]->wait_for_control(); }

void ScThreads::advance(std::uint64_t delta_ps) { sc_core::wait(sc_core::sc_time::from_value(delta_ps)); }

std::uint64_t ScThreads::systemc_time_ps() { return sc_core::sc_time_stamp().value(); }

void ScThreads::abandon_all() {
  for (auto& thread : pool_->threads) {
    if (thread) pool_->abandoned.push_back(std::move(thread));
  }
  pool_->threads.clear();
}

ScObserver::ScObserver(std::uint64_t period_ps, std::uint64_t count, Look look, void* self) {
  spawn(
      [=] {
        for (std::uint64_t i = 0; i < count; ++i) {
          sc_core::wait(sc_core::sc_time::from_value(period_ps));
          look(self, ScThreads::systemc_time_ps());
        }
      },
      "detent_observer");
}

}  // namespace detent::sim
