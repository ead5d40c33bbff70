// Signals and steps -> the file that SystemC's own VCD tracing writes.
#include "sim/systemc/vcd.hpp"

#define SC_INCLUDE_DYNAMIC_PROCESSES  // sc_spawn
#include <memory>
#include <systemc>

namespace detent::sim {
namespace {

constexpr int kReplayStackBytes = 1 << 18;

/// The signals' values, at addresses that stay, as SystemC's tracing looks at them.
class TracedValues {
 public:
  TracedValues(sc_core::sc_trace_file* file, const std::vector<TracedSignal>& signals) {
    for (const TracedSignal& signal : signals) {
      values_.push_back(std::make_unique<sc_dt::sc_lv_base>(sc_dt::sc_logic('0'), signal.width));
      sc_core::sc_trace(file, *values_.back(), signal.name);
    }
  }

  void set(const TracedChange& change) {
    sc_dt::sc_lv_base& value = *values_[change.signal];
    if (change.has_value) {
      value = sc_dt::uint64{change.value};
    } else {
      value = sc_dt::sc_lv_base(sc_dt::sc_logic('z'), value.length());
    }
  }

 private:
  std::vector<std::unique_ptr<sc_dt::sc_lv_base>> values_;
};

}  // namespace

std::uint64_t write_vcd(const std::vector<TracedSignal>& signals, const std::vector<TracedChange>& changes,
                        const std::vector<TracedStep>& steps, const std::string& path) {
  // Said on standard output otherwise: that the time scale is the default one.
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file(path.c_str());
  TracedValues values(file, signals);
  const auto play = [&](const TracedStep& step) {
    for (std::size_t i = step.begin; i < step.end; ++i) values.set(changes[i]);
  };
  // Before SystemC looks for the first time: it does so before any process runs when this is its first simulation.
  if (!steps.empty()) play(steps.front());
  std::uint64_t begin_ps = 0;
  const auto replay = [&] {
    begin_ps = sc_core::sc_time_stamp().value();
    for (std::size_t i = 1; i < steps.size(); ++i) {
      sc_core::wait(sc_core::sc_time::from_value(1));
      play(steps[i]);
    }
    sc_core::wait(sc_core::sc_time::from_value(1));
  };
  sc_core::sc_spawn_options options;
  options.set_stack_size(kReplayStackBytes);
  sc_core::sc_spawn(replay, sc_core::sc_gen_unique_name("detent_replay"), &options);
  sc_core::sc_start();
  sc_core::sc_close_vcd_trace_file(file);
  return begin_ps;
}

}  // namespace detent::sim
