/* What the runtime uses of the C and C++ libraries, from freestanding headers alone: the integers of <stdint.h> and
 * <stddef.h>, also as std::, and four functions on memory and strings. Included instead of <cstdint>, <cstddef> and
 * <cstring>, because toolchains for bare metal come without a C++ library, some without a C library: Debian's
 * gcc-riscv64-unknown-elf has neither. */
#ifndef DETENT_RUNTIME_FREESTANDING_H_
#define DETENT_RUNTIME_FREESTANDING_H_

#include <stddef.h>
#include <stdint.h>

#if __has_include(<string.h>)
#include <string.h>
#else
// The application provides them; a freestanding gcc wants memcpy, memmove and memset of every program anyway.
extern "C" {
void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *at, int value, size_t count);
int strcmp(const char *a, const char *b);
}
#endif

#if __has_include(<cstdint>)
#include <cstddef>
#include <cstdint>
#else
// The freestanding headers that the toolchain lacks.
namespace std {
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::ptrdiff_t;
using ::size_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
using ::uintptr_t;
}  // namespace std
#endif

#endif
