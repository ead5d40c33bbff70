// Ports for the engine's tests: each forwards to another port and changes one thing.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>

#include <detent/detent.h>

namespace detent::test {

/// A table for `outer` whose calls go on to the port that outer->inner() returns, with that port's settings; what is to
/// be different is then set in it.
template <typename Outer>
detent_port forwarding_port(Outer* outer) {
  detent_port port = outer->inner();
  struct In {
    const detent_port& operator()(void* self) const { return static_cast<Outer*>(self)->inner(); }
  };
  port.self = outer;
  port.now_ps = [](void* self) { return In{}(self).now_ps(In{}(self).self); };
  port.lock = [](void* self) { In{}(self).lock(In{}(self).self); };
  port.unlock = [](void* self) { In{}(self).unlock(In{}(self).self); };
  port.wait = [](void* self, std::uint32_t slot, std::uint64_t until_ps) {
    In{}(self).wait(In{}(self).self, slot, until_ps);
  };
  port.notify = [](void* self, std::uint32_t slot) { In{}(self).notify(In{}(self).self, slot); };
  port.start = [](void* self, std::uint32_t slot, void (*entry)(void*), void* arg) {
    return In{}(self).start(In{}(self).self, slot, entry, arg);
  };
  port.join = [](void* self, std::uint32_t slot) { In{}(self).join(In{}(self).self, slot); };
  port.pause = [](void* self) { In{}(self).pause(In{}(self).self); };
  port.claim = [](void* self) { return In{}(self).claim(In{}(self).self); };
  port.release = [](void* self) { In{}(self).release(In{}(self).self); };
  return port;
}

/// A posix port whose clock stands still but for advance(), and jumps to the deadline of each timed wait once
/// let_time_pass() has been called: deadlines pass without waiting. Slots from `first_failing` on cannot start. Pauses
/// and waits are counted.
class CountingPort {
 public:
  static constexpr std::uint64_t kStepPs = 1000;
  explicit CountingPort(std::uint32_t first_failing = 1000);
  [[nodiscard]] const detent_port* port() const { return &outer_; }
  detent_port& settings() { return outer_; }
  void advance(std::uint64_t steps) { now_ps_ += steps * kStepPs; }
  void let_time_pass();
  void stop_time() { passes_ = false; }
  std::atomic<std::uint32_t> started{0}, joined{0}, pauses{0}, waits{0};

 private:
  static CountingPort& of(void* self) { return *static_cast<CountingPort*>(self); }
  std::unique_ptr<std::uint8_t[]> memory_;
  detent_port inner_{};
  detent_port outer_{};
  std::uint32_t first_failing_;
  std::atomic<std::uint64_t> now_ps_{0};
  std::atomic<bool> passes_{false};
};

/// A back end that answers later: ops wait in line until answer_one. With `port()`, a single port, the engine's own
/// wait answers the oldest, as an interrupt would. Serves one class name.
class LaterBackend {
 public:
  explicit LaterBackend(const char* class_name);
  [[nodiscard]] detent_backend backend() const { return backend_; }
  [[nodiscard]] const detent_port* port() const { return &port_; }
  /// False: nothing is pending.
  bool answer_one(std::int32_t code);
  bool answer_one() { return answer_one(answer_code); }
  bool answers_on_wait = true;
  bool answers_inside_dispatch = false;
  bool is_done_at_once = false;          ///< instead of answering
  std::int32_t answer_code = 0;          ///< of every answer but those that answer_one is told
  std::function<void()> on_wait{};       ///< called before the engine's own wait answers
  std::deque<std::uint32_t> dispatched;  ///< ops, in order
  std::uint64_t now_ps = 0;

 private:
  struct Pending {
    detent_context* context;
    std::uint32_t op;
  };
  static LaterBackend& of(void* self) { return *static_cast<LaterBackend*>(self); }
  detent_port port_{};
  detent_backend backend_{};
  std::deque<Pending> pending_;
};

}  // namespace detent::test
