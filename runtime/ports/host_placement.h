/* On which cores the started threads of the POSIX port may run: beside whoever wakes them. Where no core is idle, Linux
 * puts a woken thread onto its waker's core, and the two take turns there for milliseconds. Elsewhere: nothing. */
#ifndef DETENT_RUNTIME_PORTS_HOST_PLACEMENT_H_
#define DETENT_RUNTIME_PORTS_HOST_PLACEMENT_H_

#include <pthread.h>
#include <sched.h>

namespace detent {

/// Of one thread. Its user locks around all calls, with one lock a thread.
class Placement {
 public:
#if defined(__linux__)
  /// On the thread, when it begins.
  void begin() {
    avoided_core_ = -1;
    is_ours_ = sched_getaffinity(0, sizeof cores_, &cores_) == 0;
    set_ = cores_;
  }
  /// On the thread, before it ends: afterwards its handle would mean whoever calls.
  void end() { is_ours_ = false; }

  /// By whoever is about to wake the thread. Affinity that somebody else has given it since it began is left alone.
  void put_beside_caller(pthread_t thread) {
    const int core = sched_getcpu();
    if (!is_ours_ || core < 0 || core >= CPU_SETSIZE || core == avoided_core_) return;
    avoided_core_ = core;
    cpu_set_t changed;
    is_ours_ = pthread_getaffinity_np(thread, sizeof changed, &changed) == 0;
    if (!is_ours_) return;
    CPU_XOR(&changed, &changed, &set_);
    is_ours_ = CPU_COUNT(&changed) == 0;
    if (!is_ours_) return;
    cpu_set_t wanted = cores_;
    CPU_CLR(static_cast<unsigned>(core), &wanted);
    if (CPU_COUNT(&wanted) == 0) return;
    if (pthread_setaffinity_np(thread, sizeof wanted, &wanted) == 0) set_ = wanted;
  }

 private:
  bool is_ours_;
  int avoided_core_;  ///< of the last waker, or -1
  cpu_set_t cores_;   ///< that it was started with
  cpu_set_t set_;     ///< that it has now
#else
  void begin() {}
  void end() {}
  void put_beside_caller(pthread_t) {}
#endif
};

}  // namespace detent

#endif
