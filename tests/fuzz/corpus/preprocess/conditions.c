#include "input.h"
#if (defined A && 0x7fu % 3 < -1 >> 2 || !__has_include("input.h")) ? '\n' : 1 << 3
A // a
#elif 1
/* 
 */ B
#else
don't /*
#endif
#pragma pack(push, 1)
#include <stdint.h>
#line 4 "o.c"
__LINE__
#ifndef H
#define H
#define A f(1)
#define f(x) x f(x) A
#endif
