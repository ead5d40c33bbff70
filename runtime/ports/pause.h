/* One turn of a spin loop on this processor. */
#ifndef DETENT_RUNTIME_PORTS_PAUSE_H_
#define DETENT_RUNTIME_PORTS_PAUSE_H_

namespace detent {

inline void cpu_pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

}  // namespace detent

#endif
