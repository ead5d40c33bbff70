/* Arena: a bump allocator over memory of the caller. No frees; sealed once the context is bound.
 *
 * The same binding code runs twice: over a measuring arena, which only counts, and over the real one. Offsets depend
 * on the order of take() calls alone, never on the address of the memory, because the base is aligned once, up front,
 * to the largest alignment that the measuring pass met. Sizes come in 64 bits whatever the addresses have: what is
 * larger than the address space does not fit, it does not wrap.
 */
#ifndef DETENT_RUNTIME_ARENA_H_
#define DETENT_RUNTIME_ARENA_H_

#include "runtime/base/freestanding.h"

namespace detent {

class Arena {
 public:
  /// Counts only: take() returns null and never fails unless the sum wraps.
  static Arena measuring();

  /// @param base        memory of the caller, any alignment   @param bytes  its size
  /// @param base_align  power of two: max_align() of the measuring pass
  Arena(void *base, std::size_t bytes, std::size_t base_align);

  /// `bytes` bytes aligned to `align` (power of two), not initialised. Null when they do not fit (ok() is false from
  /// then on), when the arena is sealed, and always while measuring. bytes == 0 takes nothing and returns null.
  void *take(std::uint64_t bytes, std::size_t align);

  /// Room for `count` objects of T, not initialised. T is trivial.
  template <typename T>
  T *take_array(std::uint64_t count, std::size_t align = alignof(T)) {
    if (count > UINT64_MAX / sizeof(T)) {
      failed_ = true;
      return nullptr;
    }
    return static_cast<T *>(take(count * sizeof(T), align));
  }

  /// Nothing can be taken after this.
  void seal() { sealed_ = true; }

  [[nodiscard]] bool ok() const { return !failed_; }
  [[nodiscard]] bool is_measuring() const { return base_ == nullptr && measuring_; }
  /// Largest alignment asked for so far.
  [[nodiscard]] std::size_t max_align() const { return max_align_; }
  /// Bytes taken, with padding, from the aligned base.
  [[nodiscard]] std::size_t used() const { return used_; }
  /// Bytes that memory of any alignment must have to serve the same calls; 0 when the sum wraps.
  [[nodiscard]] std::size_t needed() const;

 private:
  Arena() = default;

  std::uint8_t *base_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t used_ = 0;
  std::size_t max_align_ = 1;
  bool measuring_ = false;
  bool failed_ = false;
  bool sealed_ = false;
};

}  // namespace detent

#endif
