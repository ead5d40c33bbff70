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

/// The number of workers that an environment variable holds, or DETENT_NONE. `least` to DETENT_MAX_WORKERS; OpenMP
/// lists one number for each level of nesting, of which the first counts.
uint32_t number_in(const char *variable, uint32_t least, char end) {
  const char *text = std::getenv(variable);
  if (text == nullptr || *text == '\0' || *text == end) return DETENT_NONE;
  uint32_t count = 0;
  for (; *text != '\0' && *text != end; ++text) {
    if (*text < '0' || *text > '9') return DETENT_NONE;
    count = count * 10 + static_cast<uint32_t>(*text - '0');
    if (count > DETENT_MAX_WORKERS) return DETENT_NONE;
  }
  return count >= least ? count : DETENT_NONE;
}

}  // namespace

extern "C" uint32_t detent_worker_count_or(uint32_t otherwise) {
  const uint32_t own = number_in("TVMRT_NUM_WORKERS", 0, '\0');
  if (own != DETENT_NONE) return own;
  const uint32_t of_openmp = number_in("OMP_NUM_THREADS", 1, ',');
  return of_openmp != DETENT_NONE ? of_openmp : otherwise;
}

extern "C" uint32_t detent_default_worker_count(void) { return detent_worker_count_or(default_by_cores()); }
