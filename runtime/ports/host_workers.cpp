// How many workers a host gives a network. Apart from everything that firmware links: it asks the operating system.
#include <sched.h>
#include <unistd.h>

#include <cstdlib>

#include <detent/detent.h>
#include <detent/limits.h>

#include "runtime/ports/host_cores.h"

namespace {

constexpr uint32_t kMostByDefault = 3;
constexpr const char *kNumWorkers = "TVMRT_NUM_WORKERS";
constexpr const char *kOpenMpThreads = "OMP_NUM_THREADS";

uint32_t default_by_cores() {
  const uint32_t cores = detent::usable_cores();
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

/// Set, with something in it, and that is no number of workers?
bool is_ignored(const char *variable, uint32_t least, char end) {
  const char *const text = std::getenv(variable);
  return text != nullptr && *text != '\0' && number_in(variable, least, end) == DETENT_NONE;
}

}  // namespace

uint32_t detent::usable_cores() {
#if defined(__linux__)
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return static_cast<uint32_t>(CPU_COUNT(&cores));
#endif
  const long cores_online = sysconf(_SC_NPROCESSORS_ONLN);  // also beyond the 1024 cores of a cpu_set_t
  return cores_online > 0 ? static_cast<uint32_t>(cores_online) : 0;
}

extern "C" uint32_t detent_ignored_variables(void) {
  uint32_t ignored = 0;
  if (is_ignored(kNumWorkers, 0, '\0')) ignored |= DETENT_VARIABLE_NUM_WORKERS;
  if (is_ignored(kOpenMpThreads, 1, ',')) ignored |= DETENT_VARIABLE_OPENMP_THREADS;
  return ignored;
}

extern "C" uint32_t detent_worker_count_or(uint32_t otherwise) {
  const uint32_t own = number_in(kNumWorkers, 0, '\0');
  if (own != DETENT_NONE) return own;
  const uint32_t of_openmp = number_in(kOpenMpThreads, 1, ',');
  return of_openmp != DETENT_NONE ? of_openmp : otherwise;
}

extern "C" uint32_t detent_default_worker_count(void) { return detent_worker_count_or(default_by_cores()); }
