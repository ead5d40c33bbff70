#include "sim/engine/timed_backend.hpp"

#include <algorithm>
#include <cstring>

#include "harness/faults/spoil.hpp"

namespace detent::sim {
namespace {

bool is_builtin(const char* name) {
  const detent_kernel_table& table = *detent_builtin_kernels();
  return std::any_of(table.kernels, table.kernels + table.count,
                     [name](const detent_kernel& kernel) { return std::strcmp(kernel.name, name) == 0; });
}

}  // namespace

TimedBackend::TimedBackend(SimKernel& kernel, const detent_desc& desc, const std::vector<OpTime>& times,
                           const Options& options)
    : kernel_(kernel),
      options_(options),
      durations_(desc, times, options.jitter, options.costs),
      kernels_(detent_cpu_backend("*", detent_builtin_kernels())) {
  ops_.reserve(desc.op_count);
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_op& entry = desc.ops[op];
    ops_.push_back({entry.priority, desc.classes[entry.core_class].kind == DETENT_CLASS_ASYNC});
  }
}

void TimedBackend::set_run(const ChosenRun& run, bool execute) {
  set_run(run.seed, execute);
  if (run.times_ps.empty()) return;
  chosen_ = &run;
  chosen_priorities_.clear();
  for (const TimedOp& op : ops_) chosen_priorities_.push_back(op.priority);
  for (std::size_t i = 0; i < run.ties.size(); ++i) {
    chosen_priorities_[run.ties[i]] = INT32_MIN + static_cast<std::int32_t>(i);
  }
}

std::vector<OpTime> TimedBackend::ranges() const {
  std::vector<OpTime> ranges;
  for (OpId op = 0; op < ops_.size(); ++op) ranges.push_back(durations_.range(op));
  return ranges;
}

detent_backend TimedBackend::backend() { return {this, "*", &TimedBackend::resolve, &TimedBackend::dispatch}; }

detent_status TimedBackend::resolve(void* self, const char* name, detent_entity* entity) {
  const TimedBackend& backend = *static_cast<TimedBackend*>(self);
  for (const detent_backend& kernels : backend.options_.kernels) {
    if (kernels.resolve(kernels.self, name, entity) == DETENT_OK) return DETENT_OK;
  }
  if (backend.options_.with_kernels) return backend.kernels_.resolve(backend.kernels_.self, name, entity);
  entity->run = [](const detent_kernel_args*) -> std::int32_t { return 0; };
  return is_builtin(name) ? DETENT_OK : DETENT_UNKNOWN_KERNEL;
}

detent_dispatch TimedBackend::dispatch(void* self, detent_context* context, const detent_entity* entity,
                                       std::uint32_t worker, std::int32_t* code) {
  TimedBackend& backend = *static_cast<TimedBackend*>(self);
  backend.context_ = context;
  if (backend.options_.faults != nullptr) return backend.dispatch_with_faults(context, *entity, worker, code);
  const OpId op = entity->args.op;
  *code = backend.execute_ ? entity->run(&entity->args) : 0;
  const std::uint64_t duration_ps = backend.duration_of(op, worker);
  if (backend.seen_ != nullptr) backend.seen_->begin_ps[op] = backend.kernel_.now_ps() - backend.seen_from_ps_;
  if (backend.ops_[op].async) {
    backend.kernel_.ops().interrupt_later(duration_ps, backend.priority_of(op), op,
                                          {&TimedBackend::complete, self, *code});
    return DETENT_DISPATCH_PENDING;
  }
  backend.pass_time(op, worker, duration_ps, 0);
  if (backend.seen_ != nullptr) backend.seen_->end_ps[op] = backend.kernel_.now_ps() - backend.seen_from_ps_;
  return DETENT_DISPATCH_DONE;
}

/// On the interrupt thread.
void TimedBackend::complete(void* self, std::uint32_t op, std::int32_t code) {
  const TimedBackend& backend = *static_cast<TimedBackend*>(self);
  if (backend.options_.ends != nullptr) backend.options_.ends->note_answer(op, backend.kernel_.now_ps());
  if (backend.seen_ != nullptr) backend.seen_->end_ps[op] = backend.kernel_.now_ps() - backend.seen_from_ps_;
  if (backend.options_.faults != nullptr) {
    backend.options_.faults->end(backend.context_, op, code, backend.kernel_.now_ps());
    backend.options_.faults->answer(backend.context_, op, code);
  } else {
    static_cast<void>(detent_complete(backend.context_, op, code));
  }
}

/// The slot is busy with the op. Its delay is time in which it does nothing on the chip and does not answer.
void TimedBackend::pass_time(OpId op, SlotId worker, std::uint64_t duration_ps, std::uint64_t delay_ps) {
  if (options_.chip != nullptr) {
    options_.chip->execute(worker, options_.first_op + op, priority_of(op), duration_ps);
  } else {
    kernel_.ops().execute(duration_ps, priority_of(op), op);
  }
  if (delay_ps != 0) kernel_.ops().execute(delay_ps, priority_of(op), op);
}

detent_dispatch TimedBackend::dispatch_with_faults(detent_context* context, const detent_entity& entity, SlotId worker,
                                                   std::int32_t* code) {
  harness::FaultInjector& faults = *options_.faults;
  const OpId op = entity.args.op;
  harness::OpFault fault = faults.begin(context, op, kernel_.now_ps());
  const std::uint64_t own_ps = duration_of(op, worker);
  const std::uint64_t duration_ps = fault.give_up(own_ps) ? 0 : own_ps;  // it computes, but nothing comes of it
  *code = fault.code != 0 ? fault.code : execute_ ? entity.run(&entity.args) : 0;
  if (fault.code != 0 && execute_) harness::spoil_outputs(entity.args);
  if (fault.delay_ps == harness::LateOp::kNever) {
    faults.keep_back(context, op, *code, fault.delay_ps);
    return DETENT_DISPATCH_PENDING;
  }
  if (ops_[op].async) {
    const std::uint64_t all_ps = duration_ps > UINT64_MAX - fault.delay_ps ? UINT64_MAX : duration_ps + fault.delay_ps;
    kernel_.ops().interrupt_later(all_ps, priority_of(op), op, {&TimedBackend::complete, this, *code});
    return DETENT_DISPATCH_PENDING;
  }
  pass_time(op, worker, duration_ps, fault.delay_ps);
  faults.end(context, op, *code, kernel_.now_ps());
  if (!fault.twice) return DETENT_DISPATCH_DONE;
  faults.answer(context, op, *code);
  return DETENT_DISPATCH_PENDING;
}

}  // namespace detent::sim
