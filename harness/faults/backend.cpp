#include "harness/faults/backend.hpp"

#include <utility>

#include "base/ids.hpp"
#include "harness/faults/spoil.hpp"

namespace detent::harness {

FaultyBackend::FaultyBackend(FaultInjector& injector, std::vector<detent_backend> inner, const detent_port& port)
    : injector_(injector), inner_(std::move(inner)), port_(port) {
  inner_.push_back(detent_cpu_backend("*", detent_builtin_kernels()));
}

detent_backend FaultyBackend::backend() {
  const auto resolve = [](void* self, const char* name, detent_entity* entity) {
    return static_cast<FaultyBackend*>(self)->resolve(name, entity);
  };
  const auto dispatch = [](void* self, detent_context* context, const detent_entity* entity, std::uint32_t,
                           std::int32_t* code) {
    return static_cast<FaultyBackend*>(self)->execute(context, *entity, code);
  };
  return {this, "*", resolve, dispatch};
}

detent_status FaultyBackend::resolve(const char* name, detent_entity* entity) const {
  for (const detent_backend& backend : inner_) {
    if (backend.dispatch == nullptr && backend.resolve(backend.self, name, entity) == DETENT_OK) return DETENT_OK;
  }
  return DETENT_UNKNOWN_KERNEL;
}

detent_dispatch FaultyBackend::execute(detent_context* context, const detent_entity& entity, std::int32_t* code) {
  const OpId op = entity.args.op;
  OpFault fault = injector_.begin(context, op, port_.now_ps(port_.self));
  fault.give_up(0);  // what takes time here is late
  *code = fault.code != 0 ? fault.code : entity.run(&entity.args);
  if (fault.code != 0) spoil_outputs(entity.args);
  const std::uint64_t now_ps = port_.now_ps(port_.self);
  if (fault.delay_ps != 0) {
    const std::uint64_t due_ps = fault.delay_ps > UINT64_MAX - now_ps ? UINT64_MAX : now_ps + fault.delay_ps;
    injector_.keep_back(context, op, *code, due_ps);
    return DETENT_DISPATCH_PENDING;
  }
  injector_.end(context, op, *code, now_ps);
  if (!fault.twice) return DETENT_DISPATCH_DONE;
  injector_.answer(context, op, *code);
  return DETENT_DISPATCH_PENDING;
}

}  // namespace detent::harness
