/* The floating-point environment in which kernels are executed, on every slot and in every mode: round to nearest (ties
 * to even), subnormal operands and results kept, no traps. It belongs to a thread, so each thread that executes kernels
 * sets it first and gives back afterwards what it found: the bytes of a run depend neither on what the caller has set
 * nor on the number of workers. Without <fenv.h>, which knows no flush to zero and is missing where there is no libc.
 *
 *   x86       MXCSR, where SSE does the arithmetic (always in 64-bit mode). x87 is left alone.
 *   AArch64   FPCR
 *   Arm       FPSCR, where there is a floating-point unit. Other fields, such as LTPSIZE, are left alone.
 *   RISC-V    fcsr, where there are the F or Zfinx instructions: it rounds, and never flushes.
 *   others    nothing: floating point by software, a compiler that reaches no control register (the standard filling of
 *             compiler.h), or a unit whose environment the port sets before detent_run.
 */
#ifndef DETENT_RUNTIME_FLOAT_ENVIRONMENT_H_
#define DETENT_RUNTIME_FLOAT_ENVIRONMENT_H_

#include "runtime/base/compiler.h"

#if DETENT_COMPILER_MSVC && defined(_M_X64)
#include <xmmintrin.h>
#endif

namespace detent {

/// The control register as it was found.
struct FloatEnvironment {
  std::uint64_t bits;
};

namespace floats {

#if (DETENT_COMPILER_GNU && defined(__SSE__)) || (DETENT_COMPILER_MSVC && defined(_M_X64))
// Bits 0 to 5 are flags; 0x1f80: every exception masked, round to nearest, neither FTZ nor DAZ.
constexpr std::uint64_t kControlBits = 0xffc0;
constexpr std::uint64_t kWanted = 0x1f80;
#if DETENT_COMPILER_GNU
inline std::uint64_t read() { return __builtin_ia32_stmxcsr(); }
inline void write(std::uint64_t bits) { __builtin_ia32_ldmxcsr(static_cast<std::uint32_t>(bits)); }
#else
inline std::uint64_t read() { return _mm_getcsr(); }
inline void write(std::uint64_t bits) { _mm_setcsr(static_cast<std::uint32_t>(bits)); }
#endif
#elif DETENT_COMPILER_GNU && defined(__aarch64__)
// FPCR holds control bits only: NEP, AH, FIZ, trap enables, FZ16, rounding, FZ, DN, AHP.
constexpr std::uint64_t kControlBits = 0x07ff'ff07;
constexpr std::uint64_t kWanted = 0;
inline std::uint64_t read() {
  std::uint64_t bits = 0;
  __asm__ volatile("mrs %0, fpcr" : "=r"(bits) : : "memory");
  return bits;
}
inline void write(std::uint64_t bits) { __asm__ volatile("msr fpcr, %0" : : "r"(bits) : "memory"); }
#elif DETENT_COMPILER_GNU && defined(__arm__) && defined(__ARM_FP) && !defined(__SOFTFP__)
// AHP 26, DN 25, FZ 24, rounding 23:22, FZ16 19, trap enables 15 and 12:8.
constexpr std::uint64_t kControlBits = 0x07c8'9f00;
constexpr std::uint64_t kWanted = 0;
inline std::uint64_t read() {
  std::uint32_t bits = 0;
  __asm__ volatile("vmrs %0, fpscr" : "=r"(bits) : : "memory");
  return bits;
}
inline void write(std::uint64_t bits) {
  __asm__ volatile("vmsr fpscr, %0" : : "r"(static_cast<std::uint32_t>(bits)) : "memory");
}
#elif DETENT_COMPILER_GNU && defined(__riscv) && (defined(__riscv_flen) || defined(__riscv_zfinx))
// Rounding mode in bits 7:5, flags below.
constexpr std::uint64_t kControlBits = 0xe0;
constexpr std::uint64_t kWanted = 0;
inline std::uint64_t read() {
  unsigned long bits = 0;
  __asm__ volatile("frcsr %0" : "=r"(bits) : : "memory");
  return bits;
}
inline void write(std::uint64_t bits) {
  __asm__ volatile("fscsr %0" : : "r"(static_cast<unsigned long>(bits)) : "memory");
}
#else
constexpr std::uint64_t kControlBits = 0;
constexpr std::uint64_t kWanted = 0;
inline std::uint64_t read() { return 0; }
inline void write(std::uint64_t) {}
#endif

inline bool is_wanted(std::uint64_t bits) { return (bits & kControlBits) == kWanted; }

}  // namespace floats

/// Set the environment of kernels on this thread. Returns what was set before.
inline FloatEnvironment set_float_environment() {
  const FloatEnvironment found{floats::read()};
  if (!floats::is_wanted(found.bits)) floats::write((found.bits & ~floats::kControlBits) | floats::kWanted);
  return found;
}

/// Give back what set_float_environment has found on this thread. Flags that kernels raised stay where nothing had to
/// be set, and are forgotten otherwise.
inline void restore_float_environment(FloatEnvironment found) {
  if (!floats::is_wanted(found.bits)) floats::write(found.bits);
}

/// The environment of kernels for as long as it lives: for worlds that execute all slots on one thread, whose switches
/// from slot to slot leave the register alone.
class FloatEnvironmentScope {
 public:
  FloatEnvironmentScope() : callers_(set_float_environment()) {}
  ~FloatEnvironmentScope() { restore_float_environment(callers_); }
  FloatEnvironmentScope(const FloatEnvironmentScope &) = delete;
  FloatEnvironmentScope &operator=(const FloatEnvironmentScope &) = delete;

 private:
  FloatEnvironment callers_;
};

}  // namespace detent

#endif
