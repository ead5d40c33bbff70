// The pool of threads on SC_THREADs, and the table of what this shared object offers.
#define SC_INCLUDE_DYNAMIC_PROCESSES  // sc_spawn
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "sim/systemc/library.hpp"
#include "sim/systemc/vcd.hpp"

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

struct Thread {
  sc_core::sc_event wake;
  bool has_control = false;

  void wait_for_control() {
    while (!has_control) sc_core::wait(wake);
    has_control = false;
  }
};

class Pool final : public ScThreads {
 public:
  Pool(Body body, void* self) : body_(body), self_(self) {
    // A stalled or failing model is our own finding, reported with what each thread waits for.
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
  }

  void run(std::uint32_t first) override {
    give_control(first).wake.notify(sc_core::SC_ZERO_TIME);
    sc_core::sc_start();
  }

  void hand_over(std::uint32_t from, std::uint32_t to) override {
    give_control(to).wake.notify();
    threads_[from]->wait_for_control();
  }

  void leave(std::uint32_t from) override { threads_[from]->wait_for_control(); }

  void advance(std::uint64_t delta_ps) override { sc_core::wait(sc_core::sc_time::from_value(delta_ps)); }

  void abandon_all() override {
    for (auto& thread : threads_) {
      if (thread) abandoned_.push_back(std::move(thread));
    }
    threads_.clear();
  }

 private:
  Thread& give_control(std::uint32_t index) {
    if (index >= threads_.size()) threads_.resize(index + 1);
    if (!threads_[index]) {
      threads_[index] = std::make_unique<Thread>();
      spawn(
          [this, index, thread = threads_[index].get()] {
            thread->wait_for_control();
            body_(self_, index);
          },
          "detent_slot");
    }
    threads_[index]->has_control = true;
    return *threads_[index];
  }

  Body body_;
  void* self_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::vector<std::unique_ptr<Thread>> abandoned_;  // SystemC still refers to their events
};

std::unique_ptr<ScThreads> make_threads(ScThreads::Body body, void* self) { return std::make_unique<Pool>(body, self); }

std::uint64_t time_ps() { return sc_core::sc_time_stamp().value(); }

void observe(std::uint64_t period_ps, std::uint64_t count, ScLook look, void* self) {
  spawn(
      [=] {
        for (std::uint64_t i = 0; i < count; ++i) {
          sc_core::wait(sc_core::sc_time::from_value(period_ps));
          look(self, time_ps());
        }
      },
      "detent_observer");
}

}  // namespace

extern "C" {
extern const ScLibrary detent_sc_library;
const ScLibrary detent_sc_library = {
    .make_threads = make_threads, .time_ps = time_ps, .write_vcd = write_vcd, .observe = observe};
}

}  // namespace detent::sim
