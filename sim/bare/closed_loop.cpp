#include "sim/bare/closed_loop.hpp"

#define SC_INCLUDE_DYNAMIC_PROCESSES  // sc_spawn
#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <systemc>

#include "base/ids.hpp"

// SystemC's library holds a main() that calls this; programs that bring their own main() never reach it.
int sc_main(int /*argc*/, char** /*argv*/) { return 0; }

namespace detent::sim::bare {
namespace {

constexpr std::uint32_t kNothing = UINT32_MAX;

/// Threads are spawned once and armed again for each run, as Detent's are.
class Loop {
 public:
  explicit Loop(std::uint32_t cores) : op_of_(cores, kNothing), wakes_(cores) {
    sc_core::sc_spawn([this] { schedule(); }, sc_core::sc_gen_unique_name("bare_scheduler"));
    for (std::uint32_t i = 0; i < cores; ++i) {
      sc_core::sc_spawn([this, i] { work(i); }, sc_core::sc_gen_unique_name("bare_worker"));
    }
  }

  std::uint64_t run(const Dag& dag) {
    dag_ = &dag;
    arm();
    begin_.notify(sc_core::SC_ZERO_TIME);
    const sc_core::sc_time start = sc_core::sc_time_stamp();
    sc_core::sc_start();
    return (sc_core::sc_time_stamp() - start).value();
  }

 private:
  void arm() {
    const std::size_t count = dag_->durations_ps.size();
    missing_.assign(count, 0);
    for (const std::uint32_t to : dag_->targets) ++missing_[to];
    for (OpId op = 0; op < count; ++op) {
      if (missing_[op] == 0) ready_.push(op);
    }
    left_ = count;
    idle_.clear();
    for (std::uint32_t i = 0; i < op_of_.size(); ++i) idle_.push_back(i);
  }

  void schedule() {
    for (;;) {
      while (left_ == 0) sc_core::wait(begin_);
      hand_out();
      while (left_ != 0) {
        while (completed_.empty()) sc_core::wait(something_completed_);
        while (!completed_.empty()) {
          const SlotId worker = completed_.front();
          completed_.pop_front();
          settle(worker);
          hand_out();
        }
      }
    }
  }

  void settle(SlotId worker) {
    const OpId op = op_of_[worker];
    op_of_[worker] = kNothing;
    idle_.push_back(worker);
    --left_;
    for (std::uint32_t i = dag_->first[op]; i < dag_->first[op + 1]; ++i) {
      if (--missing_[dag_->targets[i]] == 0) ready_.push(dag_->targets[i]);
    }
  }

  void hand_out() {
    while (!idle_.empty() && !ready_.empty()) {
      const SlotId worker = idle_.back();
      idle_.pop_back();
      op_of_[worker] = ready_.top();
      ready_.pop();
      wakes_[worker].notify();
    }
  }

  void work(std::uint32_t self) {
    for (;;) {
      while (op_of_[self] == kNothing) sc_core::wait(wakes_[self]);
      sc_core::wait(sc_core::sc_time::from_value(dag_->durations_ps[op_of_[self]]));
      completed_.push_back(self);
      something_completed_.notify();
      sc_core::wait(wakes_[self]);
    }
  }

  const Dag* dag_ = nullptr;
  std::vector<std::uint32_t> missing_;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready_;
  std::deque<std::uint32_t> completed_;
  std::vector<std::uint32_t> op_of_;
  std::vector<std::uint32_t> idle_;
  std::vector<sc_core::sc_event> wakes_;
  sc_core::sc_event begin_;
  sc_core::sc_event something_completed_;
  std::size_t left_ = 0;
};

}  // namespace

std::uint64_t run_closed_loop(const Dag& dag, std::uint32_t cores) {
  static std::vector<std::unique_ptr<Loop>> loops(65);
  if (!loops.at(cores)) loops[cores] = std::make_unique<Loop>(cores);
  return loops[cores]->run(dag);
}

}  // namespace detent::sim::bare
