#include "app/calibrate/answer.hpp"

#include <fmt/format.h>

#include "base/units.hpp"

namespace detent::app {
namespace {

Json times_json(const sim::MeasuredTimes& times) {
  return {{"min_ps", times.min_ps}, {"median_ps", times.median_ps}, {"p99_ps", times.p99_ps}, {"max_ps", times.max_ps}};
}

Json op_errors_json(const OpErrors& errors) {
  Json ops = Json::array();
  for (const OpErrors::Op& op : errors.ops) {
    ops.push_back({{"op", op.name},
                   {"kernel", op.kernel},
                   {"basis", op.basis},
                   {"predicted_ps", op.predicted_ps},
                   {"measured_ps", op.measured_ps}});
  }
  return {{"model", errors.model}, {"median_error", errors.median}, {"p90_error", errors.p90}, {"ops", ops}};
}

}  // namespace

Json table_json(const sim::CostTable& table) {
  Json ops = Json::array();
  for (const sim::MeasuredOp& op : table.ops) {
    ops.push_back(
        {{"op", op.name}, {"kernel", op.kernel}, {"warm", times_json(op.warm)}, {"cold", times_json(op.cold)}});
  }
  return ops;
}

Json host_json(const sim::Platform& platform) {
  const sim::CoreClass& cpu = platform.classes.front();
  const sim::Overheads& o = platform.overheads;
  Json efficiency = Json::object();
  for (const auto& [kernel, value] : cpu.kernel_efficiency) efficiency[kernel] = value;
  return {{"cpus", cpu.count},
          {"clock_hz", cpu.clock_hz},
          {"flops_per_cycle", cpu.flops_per_cycle},
          {"kernel_efficiency", efficiency},
          {"l1_bytes", cpu.l1_bytes},
          {"l2_bytes", cpu.l2_bytes},
          {"cache_bytes_per_cycle", cpu.cache_bytes_per_cycle},
          {"core_bytes_per_s", cpu.dram_bytes_per_s},
          {"dram_bytes_per_s", platform.dram_bytes_per_s},
          {"threads_per_core", cpu.threads_per_core},
          {"corun_rate", cpu.corun_rate},
          {"overheads_ps",
           {{"dispatch", o.dispatch_ps},
            {"queue", o.queue_ps},
            {"lock", o.lock_ps},
            {"lock_contended", o.lock_contended_ps},
            {"wake", o.wake_ps},
            {"interrupt", o.interrupt_ps},
            {"log", o.log_ps}}}};
}

Lines host_lines(const sim::Platform& platform) {
  Lines lines;
  const sim::CoreClass& cpu = platform.classes.front();
  const sim::Overheads& o = platform.overheads;
  lines.push_back(fmt::format(
      "{} CPUs at {:.2f} GHz, {:.1f} flops per cycle, memory {:.1f} GB/s by one, {:.1f} by all{}", cpu.count,
      static_cast<double>(cpu.clock_hz) * 1e-9, cpu.flops_per_cycle, static_cast<double>(cpu.dram_bytes_per_s) * 1e-9,
      static_cast<double>(platform.dram_bytes_per_s) * 1e-9,
      cpu.threads_per_core > 1 ? fmt::format(", pairs at {:.2f} speed", cpu.corun_rate) : ""));
  lines.push_back(fmt::format("dispatch {}  queue {}  lock {} / {}  wake {}  interrupt {}  log {}",
                              format_time(o.dispatch_ps), format_time(o.queue_ps), format_time(o.lock_ps),
                              format_time(o.lock_contended_ps), format_time(o.wake_ps), format_time(o.interrupt_ps),
                              format_time(o.log_ps)));
  return lines;
}

Json validation_json(const Validation& validation) {
  Json rows = Json::array();
  for (const ValidationRow& row : validation.rows) {
    rows.push_back({{"model", row.model},
                    {"workers", row.workers},
                    {"fitted_on", row.fitted_on},
                    {"predicted_ps", row.predicted_ps},
                    {"measured_ps", row.measured_ps},
                    {"measured_min_ps", row.measured_min_ps},
                    {"error", row.error()}});
  }
  Json ops = Json::array();
  for (const OpErrors& errors : validation.ops) ops.push_back(op_errors_json(errors));
  return {{"source", describe_host()}, {"rows", rows}, {"ops", ops}, {"platform", host_json(validation.platform)}};
}

Lines validation_lines(const Validation& validation) {
  Lines lines;
  lines.push_back(fmt::format("{:<14} {:>7}  {:<26} {:>10} {:>10} {:>7}", "model", "workers", "fitted on", "predicted",
                              "measured", "error"));
  for (const ValidationRow& row : validation.rows) {
    lines.push_back(fmt::format("{:<14} {:>7}  {:<26} {:>10} {:>10} {:>+6.1f} %", row.model, row.workers, row.fitted_on,
                                format_time(row.predicted_ps), format_time(row.measured_ps), 100 * row.error()));
  }
  for (const OpErrors& errors : validation.ops) {
    lines.push_back(fmt::format("{}: {} single ops, error median {:.1f} %, 90 % of them below {:.1f} %", errors.model,
                                errors.ops.size(), 100 * errors.median, 100 * errors.p90));
  }
  return lines;
}

}  // namespace detent::app
