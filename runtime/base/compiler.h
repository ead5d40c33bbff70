/* Everything that the runtime asks of a compiler beyond ISO C++20, in one place, with a filling for each family:
 *
 *   GNU       gcc, clang, Arm Compiler 6: builtins and attributes
 *   MSVC      its intrinsics for bits, its keyword for inlining
 *   standard  ISO C++20 alone, for IAR and any other, and for all under -DDETENT_STANDARD_ONLY. Atomics are
 *             std::atomic_ref of <atomic>, which is freestanding.
 *
 * Other sources hold no builtin, attribute or pragma of a compiler. Instructions of a processor (a pause, a control
 * register, vectors) stand where they are used: runtime/ports/pause.h, float_environment.h, kernels/isa. */
#ifndef DETENT_RUNTIME_BASE_COMPILER_H_
#define DETENT_RUNTIME_BASE_COMPILER_H_

#include <detent/compiler.h>

#include "runtime/base/freestanding.h"

#if DETENT_COMPILER_GNU
#define DETENT_COMPILER_MSVC 0
#elif defined(_MSC_VER) && !defined(DETENT_STANDARD_ONLY)
#define DETENT_COMPILER_MSVC 1
#include <intrin.h>
#else
#define DETENT_COMPILER_MSVC 0
#endif
#if !DETENT_COMPILER_GNU
#include <atomic>
#endif

/// Into the caller always: code of kernels that must not become a call.
#if DETENT_COMPILER_GNU
#define DETENT_INLINE inline __attribute__((always_inline))
#define DETENT_NOINLINE __attribute__((noinline))
#elif DETENT_COMPILER_MSVC
#define DETENT_INLINE __forceinline
#define DETENT_NOINLINE __declspec(noinline)
#else
#define DETENT_INLINE inline
#define DETENT_NOINLINE
#endif

/// Before a loop of at most `count` turns, known when it is compiled: no loop is left. Without it loops stay loops.
#define DETENT_PRAGMA(text) _Pragma(#text)
#if DETENT_COMPILER_GNU
#define DETENT_UNROLL(count) DETENT_PRAGMA(GCC unroll count)
#else
#define DETENT_UNROLL(count)
#endif

namespace detent {

/// Zero bits below the lowest one. bits != 0.
inline unsigned count_trailing_zeros(std::uint64_t bits) {
#if DETENT_COMPILER_GNU
  return static_cast<unsigned>(__builtin_ctzll(bits));
#elif DETENT_COMPILER_MSVC && defined(_WIN64)
  unsigned long at = 0;
  _BitScanForward64(&at, bits);
  return at;
#else
  unsigned count = 0;
  for (unsigned step = 32; step != 0; step /= 2) {
    if ((bits & ((std::uint64_t{1} << step) - 1)) != 0) continue;
    bits >>= step;
    count += step;
  }
  return count;
#endif
}

/// Zero bits above the highest one. bits != 0.
inline unsigned count_leading_zeros(std::uint64_t bits) {
#if DETENT_COMPILER_GNU
  return static_cast<unsigned>(__builtin_clzll(bits));
#elif DETENT_COMPILER_MSVC && defined(_WIN64)
  unsigned long at = 0;
  _BitScanReverse64(&at, bits);
  return 63 - at;
#else
  unsigned count = 0;
  for (unsigned step = 32; step != 0; step /= 2) {
    if ((bits >> (64 - step)) != 0) continue;
    bits <<= step;
    count += step;
  }
  return count;
#endif
}

/// *product = a * b modulo 2^64. @return the product does not fit
inline bool multiply_overflows(std::uint64_t a, std::uint64_t b, std::uint64_t *product) {
#if DETENT_COMPILER_GNU
  return __builtin_mul_overflow(a, b, product);
#else
  *product = a * b;
  return a != 0 && *product / a != b;
#endif
}

/// *sum = a + b modulo 2^64. @return the sum does not fit
inline bool add_overflows(std::uint64_t a, std::uint64_t b, std::uint64_t *sum) {
#if DETENT_COMPILER_GNU
  return __builtin_add_overflow(a, b, sum);
#else
  *sum = a + b;
  return *sum < a;
#endif
}

/// `condition`, which hardly ever holds.
DETENT_INLINE bool is_unlikely(bool condition) {
#if DETENT_COMPILER_GNU
  return __builtin_expect(static_cast<long>(condition), 0L) != 0;
#else
  return condition;
#endif
}

/// Asks for the cache line at `address`, which need not be memory.
DETENT_INLINE void prefetch(const void *address) {
#if DETENT_COMPILER_GNU
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

/// The same for one that is needed later: beyond the first cache, which it would only crowd.
DETENT_INLINE void prefetch_later(const void *address) {
#if DETENT_COMPILER_GNU
  __builtin_prefetch(address, 0, 2);
#else
  (void)address;
#endif
}

/// Accesses that other threads see whole, to words that are plain integers or bools. Memory orders are those of C++20.
namespace atomics {

#if DETENT_COMPILER_GNU
using Order = int;
constexpr Order kRelaxed = __ATOMIC_RELAXED;
constexpr Order kAcquire = __ATOMIC_ACQUIRE;
constexpr Order kRelease = __ATOMIC_RELEASE;
constexpr Order kAcquireRelease = __ATOMIC_ACQ_REL;
constexpr Order kSeqCst = __ATOMIC_SEQ_CST;
#else
using Order = std::memory_order;
constexpr Order kRelaxed = std::memory_order_relaxed;
constexpr Order kAcquire = std::memory_order_acquire;
constexpr Order kRelease = std::memory_order_release;
constexpr Order kAcquireRelease = std::memory_order_acq_rel;
constexpr Order kSeqCst = std::memory_order_seq_cst;

template <typename T>
std::atomic_ref<T> shared(T &word) {
  static_assert(std::atomic_ref<T>::is_always_lock_free);
  return std::atomic_ref<T>(word);
}
#endif

template <Order kOrder, typename T>
T load(const T &word) {
#if DETENT_COMPILER_GNU
  return __atomic_load_n(&word, kOrder);
#else
  return shared(const_cast<T &>(word)).load(kOrder);  // atomic_ref<const T> comes with C++26; nothing is written
#endif
}

template <Order kOrder, typename T>
void store(T &word, T value) {
#if DETENT_COMPILER_GNU
  __atomic_store_n(&word, value, kOrder);
#else
  shared(word).store(value, kOrder);
#endif
}

/// The value before.
template <Order kOrder, typename T>
T exchange(T &word, T value) {
#if DETENT_COMPILER_GNU
  return __atomic_exchange_n(&word, value, kOrder);
#else
  return shared(word).exchange(value, kOrder);
#endif
}

/// Sequentially consistent whether it writes or not. @return `word` held `expected` and now holds `desired`
template <typename T>
bool compare_exchange(T &word, T expected, T desired) {
#if DETENT_COMPILER_GNU
  return __atomic_compare_exchange_n(&word, &expected, desired, false, kSeqCst, kSeqCst);
#else
  return shared(word).compare_exchange_strong(expected, desired, kSeqCst, kSeqCst);
#endif
}

/// The value before.
template <Order kOrder, typename T>
T fetch_add(T &word, T amount) {
#if DETENT_COMPILER_GNU
  return __atomic_fetch_add(&word, amount, kOrder);
#else
  return shared(word).fetch_add(amount, kOrder);
#endif
}

}  // namespace atomics
}  // namespace detent

#endif
