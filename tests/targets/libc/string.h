/* Four functions in place of a C library. */
#ifndef DETENT_TESTS_TARGETS_STRING_H_
#define DETENT_TESTS_TARGETS_STRING_H_

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *at, int value, size_t count);
int strcmp(const char *a, const char *b);

#endif
