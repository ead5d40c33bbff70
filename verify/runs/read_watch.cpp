// A wrapping back end that tells a ReadCheck when ops begin and end.
#include "verify/runs/read_watch.hpp"

#include <utility>

namespace detent::verify {

ReadWatch::ReadWatch(const detent_desc& desc, const ValueTables* tables, std::vector<detent_backend> inner)
    : inner_(std::move(inner)), check_(desc, tables) {
  inner_.push_back(detent_cpu_backend("*", detent_builtin_kernels()));
}

detent_backend ReadWatch::backend() {
  const auto resolve = [](void* self, const char* name, detent_entity* entity) {
    return static_cast<const ReadWatch*>(self)->resolve(name, entity);
  };
  const auto dispatch = [](void* self, detent_context*, const detent_entity* entity, std::uint32_t,
                           std::int32_t* code) {
    *code = static_cast<ReadWatch*>(self)->execute(*entity);
    return DETENT_DISPATCH_DONE;
  };
  return {this, "*", resolve, dispatch};
}

detent_status ReadWatch::resolve(const char* name, detent_entity* entity) const {
  for (const detent_backend& backend : inner_) {
    if (backend.dispatch == nullptr && backend.resolve(backend.self, name, entity) == DETENT_OK) return DETENT_OK;
  }
  return DETENT_UNKNOWN_KERNEL;
}

std::int32_t ReadWatch::execute(const detent_entity& entity) {
  {
    const std::lock_guard lock(mutex_);
    check_.begin(entity.args.op);
  }
  const std::int32_t code = entity.run(&entity.args);
  const std::lock_guard lock(mutex_);
  check_.end(entity.args.op);
  return code;
}

}  // namespace detent::verify
