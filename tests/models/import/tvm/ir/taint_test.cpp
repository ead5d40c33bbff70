// Operators whose addresses depend on data in every way that C has, and operators that only look as if they did.
#include "models/import/tvm/ir/taint.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/input_error.hpp"
#include "models/import/tvm/ir/libllvm.hpp"
#include "tests/golden.hpp"
#include "tests/models/import/tvm/ir/text.hpp"

namespace detent::models::tvm {
namespace {

/// One operator: its text, with the name f, and what must be said of it.
struct Case {
  const char* name;
  const char* text;
  const char* verdict;  ///< how the answer begins or, behind "...", what it contains
};

/// Ten lines.
constexpr const char* kHead = R"(#include <stddef.h>
#include <stdint.h>
float expf(float); float sqrtf(float); float powf(float, float); float fmaxf(float, float); float roundf(float);
float floorf(float); float frexpf(float, int*); double exp(double); double tanh(double); double fabs(double);
double erf(double);
void* memcpy(void*, const void*, size_t); void* memmove(void*, const void*, size_t); void* memset(void*, int, size_t);
int rand(void); int printf(const char*, ...); void abort(void) __attribute__((noreturn)); void* malloc(size_t);
void free(void*);
void* TVMBackendAllocWorkspace(int, int, uint64_t, int, int);
int TVMBackendFreeWorkspace(int, int, void*);
)";

/// Each is compiled once.
const std::string& answer(const Case& one) {
  static std::map<std::string, std::string> answers;
  std::string& known = answers[one.text];
  if (known.empty()) known = ir_verdict(std::string(kHead) + one.text);
  return known;
}

bool agrees(const std::string& said, const std::string& expected) {
  const std::size_t dots = expected.find("...");
  if (dots == std::string::npos) return said.starts_with(expected);
  return said.starts_with(expected.substr(0, dots)) && said.find(expected.substr(dots + 3)) != std::string::npos;
}

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

class IrTaint : public testing::TestWithParam<Case> {};

TEST_P(IrTaint, VerdictIsTheOneStated) {
  const std::string said = answer(GetParam());
  const bool is_meant_independent = std::string(GetParam().verdict) == "independent";
  EXPECT_EQ(said == "independent", is_meant_independent) << said << "\nfor\n" << GetParam().text;
  EXPECT_TRUE(agrees(said, GetParam().verdict)) << said << "\nfor\n" << GetParam().text;
}

std::string case_name(const testing::TestParamInfo<Case>& info) { return info.param.name; }

// clang-format off
constexpr Case kIndependent[] = {
    {"Copy", "int f(float* x, float* y) { for (int i = 0; i < 8; ++i) y[i] = x[i]; return 0; }", "independent"},
    {"Convolution", R"(int f(float* x, float* w, float* y) {
      float acc[4];
      for (int i = 0; i < 8; ++i) {
        for (int k = 0; k < 4; ++k) acc[k] = 0.0f;
        for (int j = 0; j < 3; ++j) for (int k = 0; k < 4; ++k) acc[k] = acc[k] + x[i + j] * w[j * 4 + k];
        for (int k = 0; k < 4; ++k) y[i * 4 + k] = acc[k];
      }
      return 0; })", "independent"},
    {"ReluOfTemporary", R"(int f(float* x, float* y) {
      for (int i = 0; i < 8; ++i) { float a = x[i]; y[i] = ((a) > (0.0f) ? (a) : (0.0f)); }
      return 0; })", "independent"},
    {"ReluThatReadsTwice", R"(int f(float* x, float* y) {
      for (int i = 0; i < 8; ++i) y[i] = x[i] > 0.0f ? x[i] : x[i] * 0.1f;
      return 0; })", "independent"},
    {"StoreOnBothWays", R"(int f(float* x, float* y) {
      for (int i = 0; i < 8; ++i) { if (x[i] > 0.0f) y[i] = x[i]; else y[i] = 0.0f; }
      return 0; })", "independent"},
    {"StoreOverAnEarlierStore", R"(int f(float* x, float* y) {
      for (int i = 0; i < 8; ++i) { y[i] = 0.0f; if (x[i] > 0.0f) y[i] = x[i]; }
      return 0; })", "independent"},
    {"NestedChoice", R"(int f(float* x, float* y) {
      for (int i = 0; i < 8; ++i) { float a = x[i]; y[i] = a > 0 ? (a < 6 ? a : 6) : (a < -1 ? -1 : a); }
      return 0; })", "independent"},
    {"ShortCircuitOfData", R"(int f(float* x, float* y) {
      for (int i = 0; i < 8; ++i) { float a = x[i]; y[i] = (a > 0 && a < 1) || a == 5 ? 1 : 2; }
      return 0; })", "independent"},
    {"SwitchOfDataThatTouchesNothing", R"(int f(int* x, int* y) {
      for (int i = 0; i < 8; ++i) { int k; switch (x[i]) { case 0: k = 7; break; case 1: k = 9; break; default: k = 1; } y[i] = k; }
      return 0; })", "independent"},
    {"Libm", "int f(float* x, float* y) { for (int i = 0; i < 8; ++i) y[i] = expf(x[i]) + sqrtf(x[i]) + powf(x[i], 2.0f) + fmaxf(x[i], roundf(x[i])); return 0; }", "independent"},
    {"DoubleLibm", "int f(double* x, double* y) { y[0] = exp(x[0]) + tanh(x[1]) + fabs(x[2]) + erf(x[3]); return 0; }", "independent"},
    {"ConstantTable", R"(static const int table[4] = {3, 1, 2, 0};
      int f(float* x, float* y) { for (int i = 0; i < 4; ++i) y[i] = x[table[i]]; return 0; })", "independent"},
    {"BranchOnTheLoop", R"(int f(float* x, float* y) {
      for (int i = 0; i < 8; ++i) { if (i % 3 == 1 && i < 6) y[i] = x[i]; else if (i > 2) y[i] = x[i - 1]; }
      return 0; })", "independent"},
    {"PointerLoop", R"(int f(float* x, float* y) { const float* end = x + 8; while (x < end) *y++ = *x++; return 0; })", "independent"},
    {"PointerDistance", R"(int f(float* x, float* y) { float* p = x; for (p += 3; p - x < 8; ++p) y[p - x] = *p; return 0; })", "independent"},
    {"MemcpyMemsetMemmove", "int f(float* x, float* y) { memcpy(y, x, 32); memset(y + 8, 0, 16); memmove(y + 1, y, 12); return 0; }", "independent"},
    {"BuiltinMemcpy", "int f(float* x, float* y) { __builtin_memcpy(y, x, 32); return 0; }", "independent"},
    {"Workspace", R"(int f(float* x, float* y) {
      float* t = TVMBackendAllocWorkspace(1, 0, 64, 2, 32);
      if (t == NULL) return -1;
      for (int i = 0; i < 8; ++i) t[i] = x[i];
      for (int i = 0; i < 8; ++i) y[i] = t[7 - i];
      if (TVMBackendFreeWorkspace(1, 0, t) != 0) return -1;
      return 0; })", "independent"},
    {"PoolScratch", R"(int f(float* x, float* y, uint8_t* pool) {
      void* t_let = (&(pool[128]));
      for (int i = 0; i < 8; ++i) ((float*)t_let)[i] = x[i];
      for (int i = 0; i < 8; ++i) y[i] = ((float*)t_let)[i] * 2;
      return 0; })", "independent"},
    {"HelperWithConstants", R"(static int clamp(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }
      int f(float* x, float* y) { for (int i = 0; i < 8; ++i) y[i] = x[clamp(i - 2, 8)]; return 0; })", "independent"},
    {"HelperOnPointers", R"(static __attribute__((noinline)) void add(const float* a, const float* b, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = a[i] + b[i]; }
      int f(float* x, float* y) { add(x, x + 4, y, 4); add(y, x, y + 4, 2); return 0; })", "independent"},
    {"OutParameterWithoutData", R"(static void size(int* n) { *n = 5; }
      int f(float* x, float* y) { int n; size(&n); for (int i = 0; i < n; ++i) y[i] = x[i]; return 0; })", "independent"},
    {"StructOfDimensions", R"(struct dims { int h, w; float* p; };
      static void run(const struct dims* d, float* y) { for (int i = 0; i < d->h * d->w; ++i) y[i] = d->p[i]; }
      int f(float* x, float* y) { struct dims d = {2, 4, x}; run(&d, y); return 0; })", "independent"},
    {"LocalTableSetAtOnce", R"(int f(float* x, float* y) { int t[4] = {2, 3, 1, 0}; for (int i = 0; i < 4; ++i) y[i] = x[t[i]]; return 0; })", "independent"},
    {"VectorTypes", R"(typedef float float4 __attribute__((vector_size(16)));
      int f(float* x, float* y) { for (int i = 0; i < 2; ++i) ((float4*)y)[i] = ((float4*)x)[i] + ((float4*)(x + 8))[i]; return 0; })", "independent"},
    {"MinOfDataIsStored", "int f(int8_t* x, int8_t* y) { for (int i = 0; i < 8; ++i) { int v = x[i] * 3 >> 1; y[i] = (int8_t)(v > 127 ? 127 : v < -128 ? -128 : v); } return 0; }", "independent"},
    {"ScalarArgument", "int f(float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i]; return 0; }", "independent"},
    {"ErrorCodeOfConstants", "int f(float* x, float* y) { y[0] = x[0]; return 3 > 2 ? 0 : -1; }", "independent"},
    {"CountedDataLoopWithBreakOnIndex", "int f(float* x, float* y) { float s = 0; for (int i = 0;; ++i) { if (i == 5) break; s += x[i]; } y[0] = s; return 0; }", "independent"},
    {"EveryOperatorOnNumbers", "int f(int* x, int* y) { unsigned u = (unsigned)x[1]; y[0] = x[0] + x[1]; y[1] = x[0] - x[1]; y[2] = x[0] * x[1]; y[3] = x[0] / 3; y[4] = x[0] % 3; y[5] = (int)(u / 3); y[6] = (int)(u % 3); y[7] = x[0] << 2; y[8] = x[0] >> 2; y[9] = (int)(u >> 2); y[10] = x[0] & x[1]; y[11] = x[0] | x[1]; y[12] = x[0] ^ x[1]; y[13] = ~x[0]; y[14] = -x[0]; y[15] = x[0] < x[1]; return 0; }", "independent"},
    {"EveryOperatorOnRealNumbers", "int f(float* x, double* y) { y[0] = x[0] + x[1]; y[1] = x[0] - x[1]; y[2] = x[0] * x[1]; y[3] = x[0] / x[1]; y[4] = -x[0]; y[5] = x[0] < x[1] || x[0] != x[1]; return 0; }", "independent"},
    {"EveryConversion", "int f(float* x, double* y, int8_t* a, uint16_t* b, int64_t* c) { y[0] = x[0]; x[1] = (float)y[1]; a[0] = (int8_t)c[0]; c[1] = a[1]; c[2] = b[2]; a[2] = (int8_t)x[2]; b[3] = (uint16_t)x[3]; x[4] = a[4]; x[5] = b[5]; y[6] = (double)(uint64_t)c[6]; return 0; }", "independent"},
    {"BitsOfANumber", "int f(float* x, uint32_t* y) { union { float f; uint32_t u; } v; v.f = x[0]; y[0] = v.u; return 0; }", "independent"},
    {"VectorParts", R"(typedef float float4 __attribute__((vector_size(16))); typedef int int4 __attribute__((vector_size(16)));
      int f(float4* x, float4* y, int4* m) { float4 v = x[0]; v[1] = x[1][2]; y[0] = __builtin_shufflevector(v, x[2], 3, 4, 1, 6); m[0] = v > x[3]; y[1] = -v; return 0; })", "independent"},
    {"StructureReturned", R"(struct two { float a; float b; }; static __attribute__((noinline)) struct two both(const float* x) { struct two t = {x[0], x[1]}; return t; }
      int f(float* x, float* y) { struct two t = both(x); y[0] = t.a + t.b; return 0; })", "independent"},
    {"IntrinsicsOfNumbers", "int f(uint32_t* x, uint32_t* y) { y[0] = __builtin_bswap32(x[0]); y[1] = (uint32_t)__builtin_popcount(x[1]); y[2] = (uint32_t)__builtin_clz(x[2] | 1); y[3] = (uint32_t)__builtin_ctz(x[3] | 1); y[4] = (uint32_t)__builtin_abs((int)x[4]); y[5] = __builtin_expect(x[5], 1); return 0; }", "independent"},
    {"IndexOfANestedTable", "static const struct { int16_t a[2][3]; int8_t b; } t[2] = {{{{1, 2, 0}, {1, 0, 2}}, 1}, {{{2, 1, 0}, {0, 0, 1}}, 0}};\nint f(float* x, float* y) { for (int i = 0; i < 2; ++i) for (int j = 0; j < 3; ++j) y[i * 3 + j] = x[t[i].a[i][j] + t[i].b]; return 0; }", "independent"},
    {"EndCompared", "int f(float* x, float* y) { for (float* p = y; p != y + 8; ++p) *p = x[p - y]; return 0; }", "independent"},
    {"NullIsNoObject", "int f(float* x, float* y) { if (x != 0 && y != NULL) y[0] = x[0]; return 0; }", "independent"},
    {"SwitchOnTheLoop", "int f(float* x, float* y) { for (int i = 0; i < 8; ++i) switch (i % 3) { case 0: y[i] = x[i]; break; case 1: y[i] = 0; default: y[i] = 1; } return 0; }", "independent"},
    {"StoreOnBothWaysAndBefore", "int f(float* x, float* y) { y[1] = 0; if (x[0] > 0) { y[0] = 1; y[1] = 2; } else { y[0] = 2; } return 0; }", "independent"},
    {"TableOfNoNumbers", "static const float t[3] = {1, 2, __builtin_nanf(\"\")};\nint f(float* x, float* y) { for (int i = 0; i < 3; ++i) y[i] = x[i] * t[i]; return 0; }", "independent"},
    {"WorkspaceBuffersOfTwoSizes", R"(int f(float* x, float* y) {
      float* a = TVMBackendAllocWorkspace(1, 0, 64, 2, 32); float* b = TVMBackendAllocWorkspace(1, 0, 32, 2, 32);
      memcpy(a, x, 64); memmove(b, a + 4, 32); memset(a, 0, 64); for (int i = 0; i < 8; ++i) y[i] = b[i] + a[i];
      TVMBackendFreeWorkspace(1, 0, b); TVMBackendFreeWorkspace(1, 0, a); return 0; })", "independent"},
    {"DataInUnusedLocalArray", "int f(float* x, float* y) { float t[8]; for (int i = 0; i < 8; ++i) t[i] = x[i]; for (int i = 0; i < 8; ++i) y[i] = t[7 - i]; return 0; }", "independent"},
    {"ElementSetJustBefore", "int f(float* x, float* y) { for (int i = 0; i < 4; ++i) { int t[4]; t[i] = 3 - i; y[t[i]] = x[i]; } return 0; }", "independent"},
};

constexpr Case kDepends[] = {
    {"Index", "int f(float* x, int* k, float* y) { y[0] = x[k[0]]; return 0; }", "depends: line 11: the address of a load depends on data loaded at line 11"},
    {"IndexOfAStore", "int f(float* x, int* k, float* y) { y[k[0]] = x[0]; return 0; }", "depends: ...the address of a store depends on data"},
    {"Branch", "int f(float* x, float* y) { if (x[0] > 0) y[0] = 1; return 0; }", "depends: ...whether memory is accessed depends on data"},
    {"BranchOverALoad", "int f(float* x, float* y) { float a = x[0] > 0 ? x[1] : 2; y[0] = a; return 0; }", "depends: ...whether memory is accessed"},
    {"LoopBound", "int f(float* x, int* n, float* y) { for (int i = 0; i < n[0]; ++i) y[i] = x[i]; return 0; }", "depends: ...repeats or ends something depends on data"},
    {"LoopThatOnlyComputes", "int f(float* x, float* y) { float a = x[0]; while (a > 1) a /= 2; y[0] = a; return 0; }", "depends: ...repeats or ends"},
    {"BreakOnData", "int f(float* x, float* y) { for (int i = 0; i < 8; ++i) { if (x[i] == 0) break; y[i] = x[i]; } return 0; }", "depends: "},
    {"EarlyReturn", "int f(float* x, float* y) { if (x[0] < 0) return 0; y[0] = 1; return 0; }", "depends: "},
    {"CodeReturned", "int f(float* x, float* y) { y[0] = x[0]; return x[0] > 0 ? -1 : 0; }", "depends: ...the value returned"},
    {"ChosenPointer", "int f(float* x, float* y) { float* p = x[0] > 0 ? x : x + 8; y[0] = p[1]; return 0; }", "depends: ...the address of a load"},
    {"ChosenPointerForAStore", "int f(float* x, float* y, float* z) { float* p = x[0] > 0 ? y : z; *p = 1; return 0; }", "depends: ...the address of a store"},
    {"ChosenLocalOrArgument", "int f(float* x, float* y) { float l = 1; float v = x[1]; float* p = x[0] > 0 ? x + 1 : &l; y[0] = *p + v; return 0; }", "depends: ...the address of a load"},
    {"PointerLoaded", "int f(float** x, float* y) { y[0] = x[0][1]; return 0; }", "depends: ...the address of a load depends on data"},
    {"AddressThroughNumber", "int f(float* x, uintptr_t* k, float* y) { *(float*)((uintptr_t)y + (k[0] & 12)) = x[0]; return 0; }", "depends: "},
    {"Switch", "int f(int* x, float* y) { switch (x[0]) { case 0: y[0] = 1; break; case 5: y[1] = 2; break; } return 0; }", "depends: ...whether memory is accessed"},
    {"MemcpySize", "int f(int* x, float* y) { memcpy(y, x + 1, x[0]); return 0; }", "depends: ...the size of memcpy"},
    {"MemcpyPlace", "int f(int* x, float* y) { memcpy(y + x[0], x + 1, 4); return 0; }", "depends: ...the destination of memcpy"},
    {"MemmoveSource", "int f(int* x, float* y) { memmove(y, x + x[0], 4); return 0; }", "depends: ...the source of memmove"},
    {"MemsetSize", "int f(int* x, float* y) { memset(y, 0, x[0]); return 0; }", "depends: ...the size of memset"},
    {"MemcpyUnderABranch", "int f(int* x, float* y) { if (x[0]) memcpy(y, x, 4); return 0; }", "depends: ...whether memory is accessed"},
    {"FloatToIndex", "int f(float* x, float* y) { y[(int)(x[0] * 4.0f)] = 1; return 0; }", "depends: ...the address of a store"},
    {"ClampedIndex", "int f(int* k, float* x, float* y) { int i = k[0]; i = i < 0 ? 0 : i; i = i > 7 ? 7 : i; y[0] = x[i]; return 0; }", "depends: ...the address of a load"},
    {"IndexMaskedToZero", "int f(int* k, float* x, float* y) { y[0] = x[k[0] & 0 & k[1]]; return 0; }", "depends: ...the address of a load"},
    {"MathOnIndex", "int f(float* k, float* x, float* y) { y[0] = x[(int)floorf(k[0])]; return 0; }", "depends: ...the address of a load"},
    {"ChoiceOfConstants", "int f(float* x, float* y) { int k; if (x[0] > 0) k = 15; else k = 2; y[k] = 1; return 0; }", "depends: ...the address of a store"},
    {"ChoiceOfConstantsInAnExpression", "int f(float* x, float* y) { int k; x[0] > 0 ? (k = 15) : (k = 2); y[k] = 1; return 0; }", "depends: ...the address of a store"},
    {"ChoiceThroughALocalArray", "int f(float* x, float* y) { int t[2] = {0, 0}; int* p = t; if (x[0] > 0) p[1] = 5; y[p[1]] = 1; return 0; }", "depends: ...the address of a store"},
    {"LocalArray", "int f(int* x, float* y) { int t[8]; for (int i = 0; i < 8; ++i) t[i] = x[i]; for (int i = 0; i < 8; ++i) y[t[i]] = 1; return 0; }", "depends: ...the address of a store"},
    {"LocalArrayByMemcpy", "int f(int* x, float* y) { int t[8]; memcpy(t, x, 32); for (int i = 0; i < 8; ++i) y[t[i]] = 1; return 0; }", "depends: ...the address of a store"},
    {"Struct", "struct s { int a, b; }; int f(int* x, float* y) { struct s v = {1, x[0]}; struct s w = v; y[w.b] = 1; return 0; }", "depends: ...the address of a store"},
    {"StructLoaded", "struct s { int a, b; }; int f(struct s* x, float* y) { struct s v = *x; y[v.b] = 1; return 0; }", "depends: ...the address of a store"},
    {"HelperReturn", "static int pick(const int* k) { return k[1]; } int f(int* x, float* y) { y[pick(x)] = 1; return 0; }", "depends: ...the address of a store"},
    {"HelperOutParameter", "static void pick(const int* k, int* out) { *out = *k; } int f(int* x, float* y) { int i; pick(x, &i); y[i] = 1; return 0; }", "depends: ...the address of a store"},
    {"HelperOfHelper", "static int a(int v) { return v + 1; } static int b(int v) { return a(a(v)); } int f(int* x, float* y) { y[b(x[0])] = 1; return 0; }", "depends: ...the address of a store"},
    {"HelperThatBranches", "static void put(float v, float* y) { if (v > 0) *y = v; } int f(float* x, float* y) { put(x[0], y); return 0; }", "depends: ...whether memory is accessed"},
    {"StaticState", "static int next; int f(float* x, float* y) { y[next] = x[0]; next = (next + 1) % 4; return 0; }", "depends: ...the variable next, read"},
    {"LocalStatic", "int f(float* x, float* y) { static int turn = 0; turn ^= 1; y[turn] = x[0]; return 0; }", "depends: ...turn, read"},
    {"ExternVariable", "extern int choice; int f(float* x, float* y) { if (choice) y[0] = x[0]; return 0; }", "depends: ...the variable choice"},
    {"ExternConstant", "extern const int choice; int f(float* x, float* y) { y[choice] = x[0]; return 0; }", "depends: ...the variable choice"},
    {"WeakConstant", "__attribute__((weak)) const int choice = 3; int f(float* x, float* y) { y[*(const int*)&choice] = x[0]; return 0; }", "depends: "},
    {"OwnOutputReadBack", "int f(int* x, int* y) { y[0] = 3; y[y[0]] = 1; return 0; }", "depends: ...the address of a store"},
    {"WorkspaceReadBack", "int f(int* x, float* y) { int* t = TVMBackendAllocWorkspace(1, 0, 4, 0, 32); t[0] = x[0]; y[t[0]] = 1; return 0; }", "depends: ...the address of a store"},
    {"WorkspaceSize", "int f(int* x, float* y) { void* t = TVMBackendAllocWorkspace(1, 0, x[0], 0, 32); return t == 0; }", "depends: ...an argument of TVMBackendAllocWorkspace"},
    {"VariableLengthArray", "int f(int* x, float* y) { int t[x[0]]; t[0] = 1; y[0] = (float)sizeof t; return 0; }", "...the size of a local array"},
    {"WhereMemoryLies", "int f(float* x, float* y) { y[((uintptr_t)x >> 4) & 1] = x[0]; return 0; }", "place: ...where memory lies"},
    {"AlignmentOrData", "int f(float* x, float* y) { if (((uintptr_t)x & 15) == 0 || x[0] > 0) y[0] = x[1]; return 0; }", "depends: ...data loaded"},
    {"DataUnderAlignment", "int f(int* x, int* y) { int k = 0; if (((uintptr_t)x & 15) == 0) k = x[0] & 3; y[k] = 1; return 0; }", "depends: ...the address of a store depends on data loaded"},
    {"PlaceChosenByData", "int f(int* x, int* y) { int k = 0; if (x[0] > 0) k = (int)((uintptr_t)x & 4); y[k] = 1; return 0; }", "depends: ...data loaded"},
    {"Alignment", "int f(float* x, float* y) { if (((uintptr_t)x & 15) == 0) y[0] = x[0]; return 0; }", "place: ...where memory lies"},
    {"ComparedArguments", "int f(float* x, float* y) { if (x < y) y[0] = x[0]; return 0; }", "place: ...addresses of different objects"},
    {"NumberInAUnion", "int f(float* x, float* y) { union { float* p; uintptr_t n; } u; memset(&u, 0, sizeof u); u.p = x; y[(u.n >> 4) & 1] = 1; return 0; }", "unknown: ...holds addresses too"},
    {"GotoLoop", "int f(int* x, float* y) { int i = 0; again: y[i] = 1; if (++i < x[0]) goto again; return 0; }", "depends: "},
    {"DoLoop", "int f(int* x, float* y) { int i = 0; do { y[i] = 1; i += 2; } while (x[i]); return 0; }", "depends: "},
    {"EndlessOnData", "int f(int* x, float* y) { if (x[0]) for (;;) y[0] = 1; y[1] = 2; return 0; }", "depends: "},
    {"BitField", "struct s { unsigned a : 3, b : 5; }; int f(struct s* x, float* y) { y[x->b] = 1; return 0; }", "depends: "},
    {"TableByData", "static const float lut[256] = {1, 2, 3}; int f(uint8_t* x, float* y) { y[0] = lut[x[0]]; return 0; }", "depends: ...the address of a load"},
    {"TablePointers", "static const float a[2] = {1, 2}, b[2] = {3, 4}; static const float* const t[2] = {a, b}; int f(int* x, float* y) { y[0] = t[x[0] & 1][0]; return 0; }", "depends: "},
    {"StoreOnOneOfTwoWays", "int f(float* x, float* y) { if (x[0] > 0) y[0] = 1; else y[1] = 1; return 0; }", "depends: ...whether memory is accessed"},
    {"StoreOnBothWaysOfDifferentSize", "int f(float* x, float* y) { if (x[0] > 0) *(char*)y = 1; else *(double*)y = 1; return 0; }", "depends: ...whether memory is accessed"},
    {"LoadBeforeAndStoreUnderABranch", "int f(float* x, float* y) { float a = y[0]; if (x[0] > a) y[0] = a + 1; return 0; }", "depends: ...whether memory is accessed"},
    {"StoreBeforeOfAnotherRound", "int f(float* x, float* y) { y[0] = 1; for (int i = 0; i < 4; ++i) if (x[i] > 0) y[i] = 2; return 0; }", "depends: ...whether memory is accessed"},
    {"StructureWithAChosenPointer", "int f(float* x, float p[static 4], float* y) { struct { float* p; } s; float l = 1; s.p = p; if (x[0] > 0) s.p = &l; y[0] = *s.p; return 0; }", "..."},
    {"StructureWithAChosenGlobal", "static float g; int f(float* x, float* y) { struct { float* p; } s; float l = 1; s.p = &g; if (x[0] > 0) s.p = &l + 0; y[0] = *s.p; return 0; }", "..."},
    {"StoreToATableUnderABranch", "int f(float* x, float* y, int n) { int t[4] = {0}; if (x[0] > 0) t[n] = 5; y[t[n]] = 1; return 0; }", "depends: ...the address of a store"},
    {"Comparison", "int f(float* x, float* y) { int k = (x[0] > 0) + (x[1] > 0); y[k] = 1; return 0; }", "depends: ...the address of a store"},
    {"ThroughACharacter", "int f(float* x, float* y) { unsigned char b[4]; memcpy(b, x, 4); y[b[0] & 3] = 1; return 0; }", "depends: "},
};

constexpr Case kUnknown[] = {
    {"FunctionPointer", "int f(float* x, float* y, void (*g)(float*)) { g(y); return 0; }", "unknown: ...a call through a pointer"},
    {"FunctionPointerInATable", "static void a(float* y) { *y = 1; } static void (*const t[1])(float*) = {a}; int f(int* x, float* y) { t[x[0]](y); return 0; }", "unknown: ...a call through a pointer"},
    {"VolatileLoad", "int f(volatile float* x, float* y) { y[0] = x[0]; return 0; }", "unknown: line 11: a volatile access"},
    {"VolatileStore", "int f(float* x, volatile float* y) { y[0] = x[0]; return 0; }", "unknown: ...a volatile access"},
    {"VolatileLocal", "int f(float* x, float* y) { volatile int k = 1; y[k] = x[0]; return 0; }", "unknown: ...a volatile access"},
    {"Assembly", "int f(float* x, float* y) { __asm__ volatile(\"nop\"); y[0] = x[0]; return 0; }", "unknown: ...inline assembly"},
    {"AssemblyOnANumber", "int f(float* x, float* y) { int k = 0; __asm__(\"incl %0\" : \"+r\"(k)); y[k] = x[0]; return 0; }", "unknown: ...inline assembly"},
    {"AtomicLoad", "int f(_Atomic int* x, float* y) { y[0] = (float)__atomic_load_n((int*)x, __ATOMIC_SEQ_CST); return 0; }", "unknown: ...an atomic access"},
    {"AtomicAdd", "int f(int* x, float* y) { y[0] = (float)__sync_fetch_and_add(x, 1); return 0; }", "unknown: ...an atomic operation"},
    {"CompareExchange", "int f(int* x, float* y) { __sync_val_compare_and_swap(x, 0, 1); y[0] = 1; return 0; }", "unknown: ...an atomic operation"},
    {"Fence", "int f(int* x, float* y) { __sync_synchronize(); y[0] = 1; return 0; }", "unknown: ...a fence"},
    {"Rand", "int f(float* x, float* y) { y[rand() & 3] = x[0]; return 0; }", "unknown: line 11: a call of rand"},
    {"Print", "int f(float* x, float* y) { printf(\"%f\", x[0]); return 0; }", "unknown: ...a call of printf"},
    {"Malloc", "int f(float* x, float* y) { float* t = malloc(4); t[0] = x[0]; y[0] = t[0]; free(t); return 0; }", "unknown: ...a call of malloc"},
    {"PointerOfLibm", "int f(float* x, float* y) { int e; y[0] = frexpf(x[0], &e); y[e] = 1; return 0; }", "unknown: ...a call of frexpf"},
    {"LibmDeclaredWithAPointer", "#undef sinf\n#define sinf other\nfloat cbrtl2(float*);\nint f(float* x, float* y) { y[0] = cbrtl2(x); return 0; }", "unknown: ...a call of cbrtl2"},
    {"Recursion", "static void down(float* y, int n) { y[n] = 1; if (n > 0) down(y, n - 1); } int f(float* x, float* y) { down(y, 4); return 0; }", "unknown: ...a call of down, which is recursive"},
    {"RecursionOfTwo", "static void b(float*, int); static void a(float* y, int n) { if (n) b(y, n - 1); } static void b(float* y, int n) { y[n] = 1; a(y, n); } int f(float* x, float* y) { a(y, 4); return 0; }", "unknown: ...recursive"},
    {"RecursionOfTheOperator", "int f(float* x, float* y) { y[0] = 1; if (x == 0) return f(y, y); return 0; }", "unknown: ...a call of f, which is recursive"},
    {"Setjmp", "#include <setjmp.h>\nstatic jmp_buf b; int f(float* x, float* y) { if (setjmp(b) == 0) y[0] = 1; return 0; }", "unknown: ...a call of _setjmp"},
    {"Longjmp", "#include <setjmp.h>\nextern jmp_buf b; int f(float* x, float* y) { if (x[0] > 0) longjmp(b, 1); y[0] = 1; return 0; }", "unknown: "},
    {"VariableArguments", "#include <stdarg.h>\nstatic int sum(int n, ...) { va_list l; va_start(l, n); int s = va_arg(l, int); va_end(l); return s; } int f(float* x, float* y) { y[sum(1, 2)] = 1; return 0; }", "unknown: "},
    {"WeakHelper", "__attribute__((weak, noinline)) int pick(void) { return 1; } int f(float* x, float* y) { y[pick()] = 1; return 0; }", "unknown: ...a call of pick"},
    {"RenamedFunction", "float other(float) __asm__(\"sinf\"); float sinf2(float) __asm__(\"rand\"); int f(float* x, float* y) { y[0] = sinf2(x[0]); return 0; }", "unknown: ...a call of"},
    {"AliasedFunction", "static int one(void) { return 1; } int two(void) __attribute__((alias(\"one\"))); int f(float* x, float* y) { y[two()] = 1; return 0; }", "unknown: "},
    {"ComputedGoto", "int f(int* x, float* y) { static const void* const t[] = {&&a, &&b}; goto *t[x[0] & 1]; a: y[0] = 1; b: y[1] = 1; return 0; }", "unknown: ...computed label"},
    {"NeverSet", "int f(float* x, float* y) { int k; y[k] = x[0]; return 0; }", "unknown: ...never set"},
    {"SetOnOneWay", "int f(float* x, float* y, int n) { int k; if (n) k = 1; y[k] = x[0]; return 0; }", "unknown: ...never set"},
    {"SetOnOneWayOfAHelper", "static void set(int n, int* k) { if (n) *k = 1; } int f(float* x, float* y, int n) { int k; set(n, &k); y[k] = x[0]; return 0; }", "unknown: ...never set"},
    {"StructureSetInPart", "int f(float* x, float* y, int n) { struct s { int a; float b; int c[6]; } s, t; s.a = n; s.c[1] = 2; t = s; y[t.c[n]] = x[0]; return 0; }", "unknown: "},
    {"MemberNeverSetBesideAFloat", "int f(float* x, float* y, int n) { struct s { int a; float b; int c; } s; s.a = n; y[s.c] = x[0]; return 0; }", "unknown: ...never set"},
    {"FloatTableNeverSet", "int f(float* x, float* y, int n) { float t[100]; t[1] = 2; y[(int)t[n]] = x[0]; return 0; }", "unknown: ...may not be set"},
    {"PartOfAFloatTableNeverSet", "int f(float* x, float* y, int n) { struct { float a[40]; float b[40]; } t; t.a[0] = 1; for (int i = 0; i < 40; ++i) t.b[i] = 1; y[(int)(t.a[n] + t.b[n])] = x[0]; return 0; }", "unknown: ...may not be set"},
    {"ElementSetJustAfter", "int f(float* x, float* y) { for (int i = 0; i < 4; ++i) { int t[4]; y[t[i] & 3] = x[i]; t[i] = i; } return 0; }", "unknown: ...may not be set"},
    {"PointerSetOnOneWay", "int f(float* x, float* y, int n) { float* p; if (n) p = y; *p = x[0]; return 0; }", "unknown: ...never set"},
    {"FloatSetOnOneWay", "int f(float* x, float* y, int n) { float k; if (n) k = 1; y[(int)k] = x[0]; return 0; }", "unknown: ...never set"},
    {"MemberSetOnOneWay", "int f(float* x, float* y, int n) { struct { int a, b; } s; s.a = 0; if (n) s.b = 1; y[s.b + s.a] = x[0]; return 0; }", "unknown: ...never set"},
    {"LocalTableSetInPart", "int f(float* x, float* y, int n) { int t[4]; t[0] = 1; t[2] = 0; for (int i = 0; i < n; ++i) y[t[i]] = x[0]; return 0; }", "unknown: ...may not be set"},
    {"HardwareRegister", "int f(float* x, float* y) { *(float*)0x40001000 = x[0]; return 0; }", "unknown: ...a number or belongs to no object"},
    {"NullPointer", "int f(float* x, float* y) { float* p = 0; y[0] = *p; return 0; }", "unknown: "},
    {"EndOfTheProgram", "int f(float* x, float* y) { if (x[0] > 0) abort(); y[0] = 1; return 0; }", "unknown: ...a call of abort"},
    {"Unreachable", "int f(float* x, float* y) { y[0] = x[0]; __builtin_unreachable(); }", "unknown: ...ends the program"},
    {"FrameAddress", "int f(float* x, float* y) { y[(uintptr_t)__builtin_frame_address(0) & 1] = x[0]; return 0; }", "unknown: ...a call of llvm.frameaddress"},
    {"ConstantByTheOptimiser", "int f(float* x, float* y, int n) { y[__builtin_constant_p(n)] = x[0]; return 0; }", "unknown: ...llvm.is.constant"},
    {"CycleCounter", "int f(float* x, float* y) { y[__builtin_readcyclecounter() & 1] = x[0]; return 0; }", "unknown: "},
    {"Errno", "#include <errno.h>\nint f(float* x, float* y) { y[errno & 1] = x[0]; return 0; }", "unknown: ...__errno_location"},
    {"ThreadLocal", "static _Thread_local int turn; int f(float* x, float* y) { y[turn] = x[0]; return 0; }", "unknown: ...threadlocal"},
    {"WriteToAConstant", "static const float c[2] = {1, 2}; int f(float* x, float* y) { ((float*)c)[0] = x[0]; return 0; }", "unknown: ...that of a constant"},
    {"UnknownFunction", "void vendor(float*, float*); int f(float* x, float* y) { vendor(x, y); return 0; }", "unknown: ...a call of vendor"},
    {"CallUnderABranch", "void vendor(float*, float*); int f(float* x, float* y) { if (x[0] > 0) vendor(x, y); return 0; }", "unknown: ...a call of vendor"},
};
// clang-format on

INSTANTIATE_TEST_SUITE_P(Independent, IrTaint, testing::ValuesIn(kIndependent), case_name);
INSTANTIATE_TEST_SUITE_P(Depends, IrTaint, testing::ValuesIn(kDepends), case_name);
INSTANTIATE_TEST_SUITE_P(Unknown, IrTaint, testing::ValuesIn(kUnknown), case_name);

/// Every word of every answer, with its line.
TEST(IrTaintGolden, AnswersToTheLastWord) {
  std::string text;
  for (const Case& one : kIndependent) text += std::string(one.name) + ": " + answer(one) + "\n";
  for (const Case& one : kDepends) text += std::string(one.name) + ": " + answer(one) + "\n";
  for (const Case& one : kUnknown) text += std::string(one.name) + ": " + answer(one) + "\n";
  expect_golden(text, "models/import/tvm/golden/ir_verdicts.txt");
}

TEST(LibLlvm, AMissingLibraryIsNamedWithItsPackage) {
  try {
    load_libllvm("/nonexistent/libLLVM.so");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("libllvm19"), std::string::npos) << error.what();
  }
  EXPECT_THROW(load_libllvm("libm.so.6"), InputError);
}

TEST(IrModule, TextThatIsNotIrIsRefused) { EXPECT_THROW(IrModule({"int f(void);"}, {"f"}), InputError); }

TEST(IrModule, FilesAreLinked) {
  const std::vector<std::string> texts = {
      "int pick(const int*); int f(int* x, float* y) { y[pick(x)] = 1; return 0; }\n"
      "int table(int); int g(int* x, float* y) { y[table(1)] = 1; return 0; }",
      "int pick(const int* k) { return *k; }\nstatic const int t[2] = {5, 6}; int table(int i) { return t[i]; }"};
  const IrModule module(bitcode_of(texts), {"f", "g"});
  EXPECT_EQ(analyse_ir(*module.function("f")).kind, IrVerdict::Kind::kDepends);
  EXPECT_EQ(analyse_ir(*module.function("g")).kind, IrVerdict::Kind::kIndependent);
  EXPECT_FALSE(module.function("absent"));
}

TEST(IrModule, FilesThatDoNotLinkAreRefused) {
  EXPECT_THROW(IrModule(bitcode_of({"int f(void) { return 0; }", "int f(void) { return 1; }"}), {"f"}), InputError);
}

/// A name on the list of known functions means nothing when the program defines that function itself.
TEST(IrModule, OwnDefinitionsComeBeforeTheList) {
  const std::string text =
      "static int turn; float expf(float x) { return x + (float)turn; }\n"
      "int f(float* x, float* y) { y[(int)expf(1.0f)] = 1; return 0; }";
  EXPECT_EQ(ir_verdict(text).substr(0, 8), "depends:");
  const IrModule module(bitcode_of({text}), {"f"}, {"expf"});
  EXPECT_EQ(verdict_text(analyse_ir(*module.function("f"))), "independent");
}

TEST(IrModule, AStaticOperatorThatIsInlinedElsewhereIsStillThere) {
  const std::string text =
      "static int f(float* x, float* y) { y[0] = x[0]; return 0; } int g(float* x, float* y) { return f(x, y); }";
  const IrModule module(bitcode_of({text}), {"f", "g"});
  EXPECT_EQ(verdict_text(analyse_ir(*module.function("f"))), "independent");
  EXPECT_EQ(verdict_text(analyse_ir(*module.function("g"))), "independent");
}

/// 2^40 calls when they are all followed.
TEST(IrModule, CallsThatGrowTooLargeAreUnknown) {
  std::string text = "static int a0(int v) { return v + 1; }\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string before = "a" + std::to_string(i - 1);
    text += "static int a" + std::to_string(i) + "(int v) { return " + before + "(v) + " + before + "(v + 1); }\n";
  }
  text += "int f(float* x, float* y) { y[a40(1)] = 1; return 0; }";
  EXPECT_EQ(ir_verdict(text).substr(0, 8), "unknown:");
}

constexpr const char* kPackedHead = R"(#include <stdint.h>
typedef struct { int type, id; } Device; typedef struct { uint8_t code, bits; uint16_t lanes; } Type;
typedef struct { void* data; Device device; int32_t ndim; Type dtype; int64_t *shape, *strides; uint64_t byte_offset; } DLTensor;
typedef union { int64_t v_int64; double v_float64; void* v_handle; } TVMValue;
int32_t f(void* args, int32_t* codes, int32_t n, void* out, int32_t* out_code, void* resource) {
  int32_t code = codes[0]; void* a = (((TVMValue*)args)[0].v_handle); void* b = (((TVMValue*)args)[1].v_handle);
  float* x = (((DLTensor*)a)[0].data); void* shape = (((DLTensor*)a)[0].shape); float* y = (((DLTensor*)b)[0].data);
  int32_t dev = (((DLTensor*)a)[0].device.id);
)";

TEST(IrPacked, PackedDescriptionOfArgumentsIsNotData) {
  const std::string text = std::string(kPackedHead) + "if (dev == 0) y[0] = x[0]; return 0; }";
  EXPECT_EQ(ir_verdict(text, "f", {.packed = true}), "independent");
  EXPECT_EQ(ir_verdict(text, "f").substr(0, 8), "depends:");
}

TEST(IrPacked, PackedDataIsData) {
  const std::string text = std::string(kPackedHead) + "y[(int)x[0]] = 1; return 0; }";
  EXPECT_EQ(ir_verdict(text, "f", {.packed = true}).substr(0, 8), "depends:");
}

TEST(IrPacked, OperatorThatChangesItsDescriptionIsNotUnderstood) {
  const std::string text = std::string(kPackedHead) + "((DLTensor*)b)[0].data = x; return 0; }";
  EXPECT_EQ(ir_verdict(text, "f", {.packed = true}).substr(0, 8), "unknown:");
}

constexpr const char* kKernelHead = R"(#include <stdint.h>
typedef struct { uint64_t offset_bytes, size_bytes; } detent_tensor;
typedef struct { void* data; const detent_tensor* tensor; } detent_buffer;
typedef struct { const detent_buffer *inputs, *outputs; uint32_t input_count; const void* config; } detent_kernel_args;
int32_t f(const detent_kernel_args* args) {
  const float* x = (const float*)args->inputs[0].data;
  float* y = (float*)args->outputs[0].data;
)";

TEST(IrKernel, DescriptionOfItsBuffersIsNotData) {
  for (const char* const body :
       {"for (uint64_t i = 0; i < args->outputs[0].tensor->size_bytes / 4; ++i) y[i] = x[i]; return 0; }",
        "for (int i = 0; i < (int)((const double*)args->config)[1]; ++i) y[i] = x[i]; return 0; }",
        "const detent_buffer* last = &args->inputs[args->input_count - 1]; y[0] = ((float*)last->data)[1]; return 0; "
        "}"}) {
    const std::string text = std::string(kKernelHead) + body;
    EXPECT_EQ(ir_verdict(text, "f", {.kernel = true}), "independent") << body;
    EXPECT_NE(ir_verdict(text, "f"), "independent") << body;
  }
}

TEST(IrKernel, WhatItsBuffersHoldIsData) {
  for (const char* const body :
       {"y[(int)x[0]] = 1; return 0; }", "if (x[1] > 0) y[3] = 1; return 0; }",
        "float* const* table = (float* const*)x; table[1][0] = 1; return 0; }", "return x[0] > 0 ? 7 : 0; }"}) {
    EXPECT_EQ(ir_verdict(std::string(kKernelHead) + body, "f", {.kernel = true}).substr(0, 8), "depends:") << body;
  }
  const std::string changed = std::string(kKernelHead) + "((detent_buffer*)args->inputs)[0].data = y; return 0; }";
  EXPECT_EQ(ir_verdict(changed, "f", {.kernel = true}).substr(0, 8), "unknown:");
}

TEST(IrPreprocessing, TheModulesCompilerDecides) {
  const std::string text =
      "int f(int* k, float* y) {\n#if defined(__clang__) || !defined(__OPTIMIZE__)\n  y[k[0]] = 1;\n#else\n  y[0] = "
      "1;\n"
      "#endif\n  return 0; }";
  const auto said = [&](const char* compiler, const char* level) {
    const auto bitcode = harness::compile_to_bitcode({{"a.c", text}}, {.compiler = compiler, .flags = {level}});
    return verdict_text(analyse_ir(*IrModule(bitcode, {"f"}).function("f"))).substr(0, 7);
  };
  EXPECT_EQ(said("gcc", "-O2"), "indepen");
  EXPECT_EQ(said("gcc", "-O0"), "depends");
  EXPECT_EQ(said("clang-19", "-O2"), "depends");
}

/// What a function leaves in a register is no constant.
TEST(IrPreprocessing, AFunctionThatEndsWithoutItsValueIsAnError) {
  const std::string text =
      "static int pick(int n) { if (n) return 1; } int f(float* y, int n) { y[pick(n)] = 1; return 0; }";
  EXPECT_THROW(bitcode_of({text}), std::invalid_argument);
}

TEST(IrPreprocessing, AFlagThatClangDoesNotKnowIsAnError) {
  EXPECT_THROW(harness::compile_to_bitcode({{"a.c", "int f;"}}, {.compiler = "gcc", .flags = {"-fipa-pta"}}),
               std::invalid_argument);
}

}  // namespace
}  // namespace detent::models::tvm
