/* Probe prelude: included first by every file of an instrumented module. gcc expands these built-ins inline, behind the
 * sanitizer's back; as functions they are recorded. */
#ifndef DETENT_HARNESS_PROBE_PRELUDE_H_
#define DETENT_HARNESS_PROBE_PRELUDE_H_

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
int memcmp(const void *a, const void *b, size_t size);

/* Variables of a thread keep their value as others do: they count as those of the module. */
#ifdef DETENT_PROBE_THREAD_LOCAL
#define _Thread_local
#define __thread
#endif

#define __builtin_memcpy memcpy
#define __builtin_memmove memmove
#define __builtin_memset memset
#define __builtin_memcmp memcmp
#define __builtin___memcpy_chk(to, from, size, room) memcpy(to, from, size)
#define __builtin___memmove_chk(to, from, size, room) memmove(to, from, size)
#define __builtin___memset_chk(to, value, size, room) memset(to, value, size)

#endif
