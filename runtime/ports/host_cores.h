/* How many cores a POSIX host gives this process. */
#ifndef DETENT_RUNTIME_PORTS_HOST_CORES_H_
#define DETENT_RUNTIME_PORTS_HOST_CORES_H_

#include <cstdint>

namespace detent {

/// Cores that this process may run on; 0 where the system does not say.
std::uint32_t usable_cores();

}  // namespace detent

#endif
