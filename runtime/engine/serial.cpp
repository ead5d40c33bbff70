// Serial mode: the ops one after another on the caller's thread, in topological order, best rank first.
#include "runtime/engine/engine.h"

namespace detent {

namespace {

struct SerialRun {
  detent_context &c;
  Worker &me;
  Outcome outcome;
};

/// False: the run ends here.
bool run_one(SerialRun &run, std::uint32_t op) {
  detent_context &c = run.c;
  const std::uint64_t deadline_ps = c.config.op_deadline_ps;
  const std::uint64_t begin_ps = deadline_ps != 0 ? c.port->now_ps(c.port->self) : 0;
  std::int32_t code = 0;
  const Executed executed = execute(c, run.me, op, run.outcome.ops_run + std::uint64_t{1}, &code);
  const bool late = deadline_ps != 0 && executed == Executed::kDone &&
                    c.port->now_ps(c.port->self) - begin_ps > deadline_ps;
  if (executed == Executed::kAbandoned || late) {
    run.outcome.error = make_error(DETENT_TIMEOUT, {.op = op});
  } else if (code != 0) {
    run.outcome.error = make_error(DETENT_KERNEL_FAILED, {.op = op, .code = code});
  } else {
    ++run.outcome.ops_run;
  }
  return run.outcome.error.status == DETENT_OK;
}

}  // namespace

Outcome run_serial(detent_context &c) {
  SerialRun run{c, c.workers[0], {make_error(DETENT_OK), 0}};
  for (std::uint32_t i = 0; i < c.desc->op_count; ++i) {
    if (load_relaxed(run.me.site, c.cancelled) != 0) {
      run.outcome.error = make_error(DETENT_CANCELLED);
      break;
    }
    if (!run_one(run, c.serial_order[i])) break;
  }
  return run.outcome;
}

}  // namespace detent
