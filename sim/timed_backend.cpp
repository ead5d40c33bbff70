#include "sim/timed_backend.hpp"

#include <algorithm>
#include <cstring>

namespace detent::sim {
namespace {

bool is_builtin(const char* name) {
  const detent_kernel_table& table = *detent_builtin_kernels();
  return std::any_of(table.kernels, table.kernels + table.count,
                     [name](const detent_kernel& kernel) { return std::strcmp(kernel.name, name) == 0; });
}

}  // namespace

TimedBackend::TimedBackend(World& world, const detent_desc& desc, const std::vector<OpTime>& times,
                           const Options& options)
    : world_(world),
      options_(options),
      durations_(desc, times, options.jitter, options.costs),
      kernels_(detent_cpu_backend("*", detent_builtin_kernels())) {
  ops_.reserve(desc.op_count);
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    const detent_op& entry = desc.ops[op];
    ops_.push_back({entry.priority, desc.classes[entry.core_class].kind == DETENT_CLASS_ASYNC});
  }
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
  const std::uint32_t op = entity->args.op;
  const TimedOp& timed = backend.ops_[op];
  *code = backend.execute_ ? entity->run(&entity->args) : 0;
  const std::uint64_t duration_ps = backend.durations_.sample_ps(op, worker, backend.seed_);
  if (timed.async) {
    backend.answer_ = {&backend, context};
    const auto complete = [](void* target, std::uint32_t finished, std::int32_t result) {
      const Answer& answer = *static_cast<Answer*>(target);
      OpEnds* const ends = answer.backend->options_.ends;
      if (ends != nullptr) ends->note_answer(finished, answer.backend->world_.now_ps());
      static_cast<void>(detent_complete(answer.context, finished, result));
    };
    backend.world_.interrupt_later(duration_ps, timed.priority, op, {complete, &backend.answer_, *code});
    return DETENT_DISPATCH_PENDING;
  }
  if (backend.options_.chip != nullptr) {
    backend.options_.chip->execute(worker, op, timed.priority, duration_ps);
  } else {
    backend.world_.execute(duration_ps, timed.priority, op);
  }
  return DETENT_DISPATCH_DONE;
}

}  // namespace detent::sim
