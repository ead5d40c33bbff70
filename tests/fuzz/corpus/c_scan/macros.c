// comment
#include "x.h"
#define N (0x10UL)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#ifdef __cplusplus
extern "C" {
#endif
static const int t[] = {1, 2, 3};
#if defined(A) && 1
int f(int a) { return a == N ? MAX(a, 2) : *"s\"t"; }
#else
int f(int a) { return 'x'; }
#endif
