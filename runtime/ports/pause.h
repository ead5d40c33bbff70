/* One turn of a spin loop on this processor. */
#ifndef DETENT_RUNTIME_PORTS_PAUSE_H_
#define DETENT_RUNTIME_PORTS_PAUSE_H_

#include "runtime/base/compiler.h"

namespace detent {

inline void cpu_pause() {
#if DETENT_COMPILER_GNU && (defined(__x86_64__) || defined(__i386__))
  __builtin_ia32_pause();
#elif DETENT_COMPILER_GNU && (defined(__aarch64__) || defined(__arm__))
  __asm__ volatile("yield");
#elif DETENT_COMPILER_MSVC && defined(_M_X64)
  _mm_pause();
#endif
}

}  // namespace detent

#endif
