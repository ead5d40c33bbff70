/* All that firmware must bring along itself, where its toolchain has no C library (docs/PORTING.md, "What it links
 * to"). */
#include "tests/targets/libc/string.h"

/* Or gcc makes of each loop a call of the function that it stands in. */
#pragma GCC optimize("no-tree-loop-distribute-patterns")

void *memcpy(void *to, const void *from, size_t count) {
  unsigned char *t = to;
  const unsigned char *f = from;
  for (size_t i = 0; i < count; ++i) t[i] = f[i];
  return to;
}

void *memmove(void *to, const void *from, size_t count) {
  unsigned char *t = to;
  const unsigned char *f = from;
  if (t < f) return memcpy(to, from, count);
  for (size_t i = count; i > 0; --i) t[i - 1] = f[i - 1];
  return to;
}

void *memset(void *at, int value, size_t count) {
  unsigned char *t = at;
  for (size_t i = 0; i < count; ++i) t[i] = (unsigned char)value;
  return at;
}

int strcmp(const char *a, const char *b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return (unsigned char)*a - (unsigned char)*b;
}
