// How many workers the user of a host asks for. Apart from everything that firmware links: it reads the environment.
#include <cstdlib>

#include <detent/detent.h>
#include <detent/limits.h>

extern "C" uint32_t detent_default_worker_count(void) {
  constexpr uint32_t kDefault = 3;
  const char *text = std::getenv("TVMRT_NUM_WORKERS");
  if (text == nullptr || *text == '\0') return kDefault;
  uint32_t count = 0;
  for (; *text != '\0'; ++text) {
    if (*text < '0' || *text > '9') return kDefault;
    count = count * 10 + static_cast<uint32_t>(*text - '0');
    if (count > DETENT_MAX_WORKERS) return kDefault;
  }
  return count;
}
