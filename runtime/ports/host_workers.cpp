// How many workers a host gives a network. Apart from everything that firmware links: it asks the operating system.
#include <sched.h>
#include <unistd.h>

#include <cstdlib>

#include <detent/detent.h>
#include <detent/limits.h>

namespace {

constexpr uint32_t kMostByDefault = 3;

/// Cores that this process may run on; 0 where the system does not say.
uint32_t usable_cores() {
#if defined(__linux__)
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return static_cast<uint32_t>(CPU_COUNT(&cores));
#endif
  const long cores_online = sysconf(_SC_NPROCESSORS_ONLN);  // also beyond the 1024 cores of a cpu_set_t
  return cores_online > 0 ? static_cast<uint32_t>(cores_online) : 0;
}

uint32_t default_by_cores() {
  const uint32_t cores = usable_cores();
  if (cores == 0) return 1;
  return cores < kMostByDefault ? cores : kMostByDefault;
}

/// The number that TVMRT_NUM_WORKERS holds, or DETENT_NONE.
uint32_t asked_for() {
  const char *text = std::getenv("TVMRT_NUM_WORKERS");
  if (text == nullptr || *text == '\0') return DETENT_NONE;
  uint32_t count = 0;
  for (; *text != '\0'; ++text) {
    if (*text < '0' || *text > '9') return DETENT_NONE;
    count = count * 10 + static_cast<uint32_t>(*text - '0');
    if (count > DETENT_MAX_WORKERS) return DETENT_NONE;
  }
  return count;
}

}  // namespace

extern "C" uint32_t detent_worker_count_or(uint32_t otherwise) {
  const uint32_t count = asked_for();
  return count != DETENT_NONE ? count : otherwise;
}

extern "C" uint32_t detent_default_worker_count(void) { return detent_worker_count_or(default_by_cores()); }
