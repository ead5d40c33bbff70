/* Probe recorder: the hooks that -fsanitize=thread calls at every access -> one bit per byte of an observed block.
 *
 * Linked into an instrumented module in place of the sanitizer's library, and itself compiled without instrumentation.
 * Not re-entrant: one thread at a time. Outside the block writes to the module's own variables are counted; other
 * accesses there (stack, constants of the code, what the allocator gave) are ignored. */
#include <stddef.h>
#include <stdint.h>

#define EXPORTED __attribute__((visibility("default")))

static uintptr_t block_base;
static uint64_t block_bytes; /* 0: nothing is recorded */
static uint64_t *read_bits;  /* read at all */
static uint64_t *write_bits; /* written at all */
static uint64_t *early_bits; /* read before it was written */
static uint8_t *dirty;       /* one byte per 64 words: some bit of them is set */
static uintptr_t own_base;   /* variables of the instrumented code; our own among them, which no hook sees */
static uint64_t own_bytes;
static uint64_t *own_writes; /* counts them; not of this module, whose variables are compared */

/* Count writes to these bytes from now on, while a block is attached. */
EXPORTED void detent_probe_watch(uintptr_t base, uint64_t bytes, uint64_t *writes) {
  own_base = base;
  own_bytes = bytes;
  own_writes = writes;
}

/* Record from now on. Each bitmap has a bit per byte of the block, rounded up to 64 words. */
EXPORTED void detent_probe_attach(uintptr_t base, uint64_t bytes, uint64_t *reads, uint64_t *writes, uint64_t *early,
                                  uint8_t *dirty_words) {
  block_base = base;
  block_bytes = bytes;
  read_bits = reads;
  write_bits = writes;
  early_bits = early;
  dirty = dirty_words;
}

static inline void set_bits(uint64_t word, uint64_t mask, int is_write) {
  dirty[word >> 6] = 1;
  if (is_write) {
    write_bits[word] |= mask;
  } else {
    early_bits[word] |= mask & ~read_bits[word] & ~write_bits[word];
    read_bits[word] |= mask;
  }
}

/* [at, at + size) lies inside the block. */
static void record_slowly(uint64_t at, uint64_t size, int is_write) {
  while (size != 0) {
    const uint64_t first = at & 63;
    const uint64_t count = size < 64 - first ? size : 64 - first;
    const uint64_t ones = count == 64 ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1;
    set_bits(at >> 6, ones << first, is_write);
    at += count;
    size -= count;
  }
}

static void record_range(const void *address, uint64_t size, int is_write) {
  const uintptr_t begin = (uintptr_t)address;
  const uintptr_t block_end = block_base + block_bytes;
  const uintptr_t end = size > UINTPTR_MAX - begin ? UINTPTR_MAX : begin + size;
  const uintptr_t from = begin > block_base ? begin : block_base;
  const uintptr_t to = end < block_end ? end : block_end;
  if (from < to) record_slowly(from - block_base, to - from, is_write);
  if (is_write && block_bytes != 0 && size != 0 && begin < own_base + own_bytes && end > own_base) ++*own_writes;
}

/* The fast path: all bits are set already. */
static inline void record(const void *address, unsigned size, int is_write) {
  const uint64_t at = (uintptr_t)address - block_base;
  if (at >= block_bytes) {
    if (is_write) record_range(address, size, is_write);
    return;
  }
  const unsigned first = at & 63;
  const uint64_t mask = (((uint64_t)1 << size) - 1) << first;
  const uint64_t *const bits = is_write ? write_bits : read_bits;
  if (first + size <= 64 && (bits[at >> 6] & mask) == mask) return;
  record_range(address, size, is_write);
}

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
void __tsan_vptr_update(void **at, void *value) {
  (void)value;
  record(at, sizeof *at, 1);
}
void __tsan_vptr_read(void **at) { record(at, sizeof *at, 0); }

#define HOOKS(size)                                                                              \
  void __tsan_read##size(void *at) { record(at, size, 0); }                                      \
  void __tsan_write##size(void *at) { record(at, size, 1); }                                     \
  void __tsan_read_write##size(void *at) { record(at, size, 0), record(at, size, 1); }           \
  void __tsan_read##size##_pc(void *at, void *pc) { (void)pc, record(at, size, 0); }             \
  void __tsan_write##size##_pc(void *at, void *pc) { (void)pc, record(at, size, 1); }            \
  void __tsan_unaligned_read##size(void *at) { record(at, size, 0); }                            \
  void __tsan_unaligned_write##size(void *at) { record(at, size, 1); }                           \
  void __tsan_unaligned_read_write##size(void *at) { record(at, size, 0), record(at, size, 1); } \
  void __tsan_volatile_read##size(void *at) { record(at, size, 0); }                             \
  void __tsan_volatile_write##size(void *at) { record(at, size, 1); }                            \
  void __tsan_unaligned_volatile_read##size(void *at) { record(at, size, 0); }                   \
  void __tsan_unaligned_volatile_write##size(void *at) { record(at, size, 1); }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

void __tsan_read_range(void *at, size_t size) { record_range(at, size, 0); }
void __tsan_write_range(void *at, size_t size) { record_range(at, size, 1); }
void __tsan_read_range_pc(void *at, size_t size, void *pc) { (void)pc, record_range(at, size, 0); }
void __tsan_write_range_pc(void *at, size_t size, void *pc) { (void)pc, record_range(at, size, 1); }

/* Atomic accesses: recorded and performed with the strongest order. */
#define ATOMIC_FETCH(bits, type, name)                                       \
  type __tsan_atomic##bits##_fetch_##name(type *at, type value, int order) { \
    (void)order;                                                             \
    record(at, sizeof *at, 0), record(at, sizeof *at, 1);                    \
    return __atomic_fetch_##name(at, value, __ATOMIC_SEQ_CST);               \
  }
#define ATOMIC_EXCHANGE(bits, type, strength, weak)                                                                  \
  int __tsan_atomic##bits##_compare_exchange_##strength(type *at, type *expected, type value, int order, int fail) { \
    (void)order, (void)fail;                                                                                         \
    record(at, sizeof *at, 0);                                                                                       \
    const int done = __atomic_compare_exchange_n(at, expected, value, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);     \
    if (done) record(at, sizeof *at, 1);                                                                             \
    return done;                                                                                                     \
  }
#define ATOMICS(bits, type)                                              \
  type __tsan_atomic##bits##_load(const type *at, int order) {           \
    (void)order;                                                         \
    record(at, sizeof *at, 0);                                           \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);                        \
  }                                                                      \
  void __tsan_atomic##bits##_store(type *at, type value, int order) {    \
    (void)order;                                                         \
    record(at, sizeof *at, 1);                                           \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                       \
  }                                                                      \
  type __tsan_atomic##bits##_exchange(type *at, type value, int order) { \
    (void)order;                                                         \
    record(at, sizeof *at, 0), record(at, sizeof *at, 1);                \
    return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);             \
  }                                                                      \
  ATOMIC_FETCH(bits, type, add)                                          \
  ATOMIC_FETCH(bits, type, sub)                                          \
  ATOMIC_FETCH(bits, type, and)                                          \
  ATOMIC_FETCH(bits, type, or)                                           \
  ATOMIC_FETCH(bits, type, xor)                                          \
  ATOMIC_FETCH(bits, type, nand)                                         \
  ATOMIC_EXCHANGE(bits, type, strong, 0)                                 \
  ATOMIC_EXCHANGE(bits, type, weak, 1)
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
void __tsan_atomic_thread_fence(int order) { (void)order, __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int order) { (void)order, __atomic_signal_fence(__ATOMIC_SEQ_CST); }

/* Library functions that move bytes: linked with --wrap, so that calls from the module come here. */
void *__real_memcpy(void *to, const void *from, size_t size);
void *__real_memmove(void *to, const void *from, size_t size);
void *__real_memset(void *to, int value, size_t size);
int __real_memcmp(const void *a, const void *b, size_t size);

void *__wrap_memcpy(void *to, const void *from, size_t size) {
  record_range(from, size, 0), record_range(to, size, 1);
  return __real_memcpy(to, from, size);
}
void *__wrap_memmove(void *to, const void *from, size_t size) {
  record_range(from, size, 0), record_range(to, size, 1);
  return __real_memmove(to, from, size);
}
void *__wrap_memset(void *to, int value, size_t size) {
  record_range(to, size, 1);
  return __real_memset(to, value, size);
}
int __wrap_memcmp(const void *a, const void *b, size_t size) {
  record_range(a, size, 0), record_range(b, size, 0);
  return __real_memcmp(a, b, size);
}
void *__tsan_memcpy(void *to, const void *from, size_t size) { return __wrap_memcpy(to, from, size); }
void *__tsan_memmove(void *to, const void *from, size_t size) { return __wrap_memmove(to, from, size); }
void *__tsan_memset(void *to, int value, size_t size) { return __wrap_memset(to, value, size); }
