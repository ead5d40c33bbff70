#include "tests/runtime/engine/ports.hpp"

#include "tests/runtime/engine/graph.hpp"

namespace detent::test {

CountingPort::CountingPort(std::uint32_t first_failing)
    : memory_(std::make_unique<std::uint8_t[]>(detent_port_posix_bytes() + DETENT_CACHE_LINE)),
      first_failing_(first_failing) {
  void* state = memory_.get();
  std::size_t room = detent_port_posix_bytes() + DETENT_CACHE_LINE;
  std::align(DETENT_CACHE_LINE, detent_port_posix_bytes(), state, room);
  if (detent_port_posix(state, room, &inner_) != DETENT_OK) inner_ = detent_port_single();
  outer_ = inner_;
  outer_.self = this;
  outer_.spin_limit = 16;
  outer_.now_ps = [](void* self) { return of(self).now_ps_.load(); };
  outer_.lock = [](void* self) { of(self).inner_.lock(of(self).inner_.self); };
  outer_.unlock = [](void* self) { of(self).inner_.unlock(of(self).inner_.self); };
  outer_.wait = [](void* self, std::uint32_t slot, std::uint64_t deadline_ps) {
    CountingPort& port = of(self);
    ++port.waits;
    if (deadline_ps == UINT64_MAX || !port.passes_) {
      port.inner_.wait(port.inner_.self, slot, UINT64_MAX);
    } else if (port.now_ps_ < deadline_ps) {
      port.now_ps_ = deadline_ps;
    }
  };
  outer_.notify = [](void* self, std::uint32_t slot) { of(self).inner_.notify(of(self).inner_.self, slot); };
  outer_.start = [](void* self, std::uint32_t slot, void (*entry)(void*), void* arg) {
    CountingPort& port = of(self);
    if (slot >= port.first_failing_) return DETENT_WORKER_FAILED;
    ++port.started;
    return port.inner_.start(port.inner_.self, slot, entry, arg);
  };
  outer_.join = [](void* self, std::uint32_t slot) {
    ++of(self).joined;
    of(self).inner_.join(of(self).inner_.self, slot);
  };
  outer_.pause = [](void* self) {
    ++of(self).pauses;
    of(self).inner_.pause(of(self).inner_.self);
  };
  outer_.claim = [](void* self) { return of(self).inner_.claim(of(self).inner_.self); };
  outer_.release = [](void* self) { of(self).inner_.release(of(self).inner_.self); };
}

void CountingPort::let_time_pass() {
  passes_ = true;
  inner_.notify(inner_.self, 0);
}

LaterBackend::LaterBackend(const char* class_name) : port_(detent_port_single()) {
  port_.self = this;
  port_.now_ps = [](void* self) { return of(self).now_ps += 1000; };
  port_.wait = [](void* self, std::uint32_t, std::uint64_t) {
    if (of(self).on_wait) of(self).on_wait();
    if (of(self).answers_on_wait) of(self).answer_one();
  };
  backend_.self = this;
  backend_.class_name = class_name;
  backend_.resolve = [](void*, const char* name, detent_entity* entity) {
    const detent_backend direct = detent_cpu_backend("*", &watch_kernels());
    return direct.resolve(direct.self, name, entity);
  };
  backend_.dispatch = [](void* self, detent_context* context, const detent_entity* entity, std::uint32_t,
                         std::int32_t* code) {
    LaterBackend& later = of(self);
    later.dispatched.push_back(entity->args.op);
    *code = entity->run(&entity->args);
    if (later.is_done_at_once) return *code = later.answer_code, DETENT_DISPATCH_DONE;
    later.pending_.push_back({context, entity->args.op});
    if (later.answers_inside_dispatch) later.answer_one();
    return DETENT_DISPATCH_PENDING;
  };
}

bool LaterBackend::answer_one(std::int32_t code) {
  if (pending_.empty()) return false;
  const Pending oldest = pending_.front();
  pending_.pop_front();
  return detent_complete(oldest.context, oldest.op, code) == DETENT_OK;
}

}  // namespace detent::test
