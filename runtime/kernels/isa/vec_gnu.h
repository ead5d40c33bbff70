/* Vec as a vector of gcc and clang: arithmetic and comparisons lane by lane are part of the type. */
#ifndef DETENT_RUNTIME_OPS_ISA_VEC_GNU_H_
#define DETENT_RUNTIME_OPS_ISA_VEC_GNU_H_

#include "runtime/kernels/isa/vec_shape.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#if defined(__FMA__) || defined(__FP_FAST_FMAF) || defined(__aarch64__)
#define DETENT_OPS_HARDWARE_FMA 1
#endif

DETENT_ISA_BEGIN
namespace {

typedef float Vec __attribute__((vector_size(4 * kLanes)));
typedef int32_t VecBits __attribute__((vector_size(4 * kLanes)));
typedef float VecUnaligned __attribute__((vector_size(4 * kLanes), aligned(4), may_alias));

DETENT_INLINE Vec load(const float *p) { return *reinterpret_cast<const VecUnaligned *>(p); }
DETENT_INLINE void store(float *p, Vec v) { *reinterpret_cast<VecUnaligned *>(p) = v; }

#if defined(DETENT_OPS_HARDWARE_FMA)
DETENT_INLINE float fma1(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
#else
typedef float Single2 __attribute__((vector_size(8)));
typedef double Double2 __attribute__((vector_size(16)));
typedef int64_t Bits2 __attribute__((vector_size(16)));
typedef uint64_t UnsignedBits2 __attribute__((vector_size(16)));

/** a * b + c rounded once. The product is exact in double; the sum is rounded to odd, so that rounding it again to
 *  float (24 <= 53 / 2 - 2 bits) is right. After Boldo and Melquiond, "Emulation of FMA and correctly rounded sums",
 *  2008. No branches: whether a sum is exact is as good as random. */
DETENT_INLINE Single2 emulate_fma(Single2 a, Single2 b, Single2 c) {
  const Double2 product = __builtin_convertvector(a, Double2) * __builtin_convertvector(b, Double2);
  const Double2 addend = __builtin_convertvector(c, Double2);
  const Double2 sum = product + addend;
  const Double2 part = sum - product;
  const Double2 error = (product - (sum - part)) + (addend - part);
  const Double2 zero = {};
  const Bits2 inexact = (error < zero) | (error > zero);  // false for the NaN that an infinite sum leaves
  const Bits2 bits = reinterpret_cast<Bits2>(sum);
  const Bits2 even = (bits & 1) - 1;
  const Bits2 opposite =
      reinterpret_cast<Bits2>(reinterpret_cast<UnsignedBits2>(bits ^ reinterpret_cast<Bits2>(error)) >> 63);
  const Bits2 odd = bits + (inexact & even & (1 - (opposite + opposite)));
  return __builtin_convertvector(reinterpret_cast<Double2>(odd), Single2);
}

DETENT_INLINE float fma1(float a, float b, float c) {
  return emulate_fma(Single2{a, a}, Single2{b, b}, Single2{c, c})[0];
}
#endif

/** The square root of a double by the processor's instruction: the builtin of the language may call libm. */
#if defined(__SSE2__)
#define DETENT_OPS_HARDWARE_SQRT 1
typedef double Pair __attribute__((vector_size(16)));
DETENT_INLINE double square_root1(double x) { return __builtin_ia32_sqrtsd(Pair{x, x})[0]; }
#elif defined(__aarch64__)
#define DETENT_OPS_HARDWARE_SQRT 1
DETENT_INLINE double square_root1(double x) {
  double root = 0.0;
  __asm__("fsqrt %d0, %d1" : "=w"(root) : "w"(x));
  return root;
}
#endif

#if defined(__AVX512F__)
DETENT_INLINE Vec splat(float x) { return _mm512_set1_ps(x); }
DETENT_INLINE Vec fma(Vec a, Vec b, Vec c) { return _mm512_fmadd_ps(a, b, c); }
#elif defined(__AVX2__) && defined(__FMA__)
DETENT_INLINE Vec splat(float x) { return _mm256_set1_ps(x); }
DETENT_INLINE Vec fma(Vec a, Vec b, Vec c) { return _mm256_fmadd_ps(a, b, c); }
#else
DETENT_INLINE Vec splat(float x) { return Vec{x, x, x, x}; }
#if defined(DETENT_OPS_HARDWARE_FMA)
DETENT_INLINE Vec fma(Vec a, Vec b, Vec c) {
  Vec r = c;
  for (int i = 0; i < kLanes; ++i) r[i] = fma1(a[i], b[i], c[i]);
  return r;
}
#else
DETENT_INLINE Vec fma(Vec a, Vec b, Vec c) {
  const Single2 low = emulate_fma(Single2{a[0], a[1]}, Single2{b[0], b[1]}, Single2{c[0], c[1]});
  const Single2 high = emulate_fma(Single2{a[2], a[3]}, Single2{b[2], b[3]}, Single2{c[2], c[3]});
  return Vec{low[0], low[1], high[0], high[1]};
}
#endif
#endif

/** Is some lane below `limit`, or a NaN? */
#if defined(__AVX512F__)
DETENT_INLINE bool any_below_or_nan(Vec x, float limit) {
  return _mm512_cmp_ps_mask(x, splat(limit), _CMP_NGE_UQ) != 0;
}
#elif defined(__AVX2__) && defined(__FMA__)
DETENT_INLINE bool any_below_or_nan(Vec x, float limit) {
  return _mm256_movemask_ps(_mm256_cmp_ps(x, splat(limit), _CMP_NGE_UQ)) != 0;
}
#else
DETENT_INLINE bool any_below_or_nan(Vec x, float limit) {
  const VecBits at_least = x >= splat(limit);
  return (at_least[0] & at_least[1] & at_least[2] & at_least[3]) == 0;
}
#endif

/** The larger; `b` where they compare as neither. */
#if defined(__AVX512F__)
DETENT_INLINE Vec larger(Vec a, Vec b) { return _mm512_maskz_max_ps(0xffff, a, b); }
DETENT_INLINE Vec smaller(Vec a, Vec b) { return _mm512_maskz_min_ps(0xffff, a, b); }
#elif defined(__AVX2__) && defined(__FMA__)
DETENT_INLINE Vec larger(Vec a, Vec b) { return _mm256_max_ps(a, b); }
DETENT_INLINE Vec smaller(Vec a, Vec b) { return _mm256_min_ps(a, b); }
#elif defined(__SSE__)
DETENT_INLINE Vec larger(Vec a, Vec b) { return _mm_max_ps(a, b); }
DETENT_INLINE Vec smaller(Vec a, Vec b) { return _mm_min_ps(a, b); }
#else
DETENT_INLINE Vec larger(Vec a, Vec b) { return a > b ? a : b; }
DETENT_INLINE Vec smaller(Vec a, Vec b) { return a < b ? a : b; }
#endif

DETENT_INLINE float first_lane(Vec v) { return v[0]; }

/** Lane i has lane (i + kBy) modulo kLanes of v. */
template <int kBy>
DETENT_INLINE Vec rotated(Vec v) {
#if defined(__AVX512F__)
  return __builtin_shufflevector(v, v, kBy, kBy + 1, kBy + 2, kBy + 3, kBy + 4, kBy + 5, kBy + 6, kBy + 7, kBy + 8,
                                 kBy + 9, kBy + 10, kBy + 11, kBy + 12, kBy + 13, kBy + 14, kBy + 15);
#elif defined(__AVX2__) && defined(__FMA__)
  return __builtin_shufflevector(v, v, kBy, kBy + 1, kBy + 2, kBy + 3, kBy + 4, kBy + 5, kBy + 6, kBy + 7);
#else
  return Vec{v[kBy % 4], v[(kBy + 1) % 4], v[(kBy + 2) % 4], v[(kBy + 3) % 4]};
#endif
}

#if defined(__AVX512F__)
#define DETENT_OPS_LANE_MASK 1
DETENT_INLINE __mmask16 first_lanes(uint64_t count) {
  return static_cast<__mmask16>(count < kLanes ? (1U << count) - 1U : 0xffffU);
}
/** The first `count` floats at p, those of `others` in the other lanes. Reads nothing beyond them. */
DETENT_INLINE Vec load_masked(const float *p, uint64_t count, Vec others) {
  return _mm512_mask_loadu_ps(others, first_lanes(count), p);
}
/** Writes the first `count` lanes. */
DETENT_INLINE void store_masked(float *p, uint64_t count, Vec v) { _mm512_mask_storeu_ps(p, first_lanes(count), v); }
#endif

DETENT_INLINE VecBits bits_of(Vec v) { return reinterpret_cast<VecBits>(v); }
DETENT_INLINE Vec from_bits(VecBits v) { return reinterpret_cast<Vec>(v); }

/** Lane by lane `a` where the mask is all ones, `b` where it is zero. */
DETENT_INLINE Vec select(VecBits mask, Vec a, Vec b) { return mask ? a : b; }

/** I8 elements of the channels of a C16 block. */
typedef int8_t Elements __attribute__((vector_size(kBlock)));

DETENT_INLINE Elements larger_elements(Elements a, Elements b) { return a > b ? a : b; }

#if defined(__SSE2__) && (!defined(__AVX512F__) || defined(__AVX512BW__))
#define DETENT_OPS_PAIRS 1
/** Words, each an integer or a pair of 16-bit integers. Arithmetic wraps. */
typedef uint32_t Words __attribute__((vector_size(4 * kLanes)));
typedef uint32_t WordsUnaligned __attribute__((vector_size(4 * kLanes), aligned(1), may_alias));
typedef uint32_t WordUnaligned __attribute__((aligned(1), may_alias));
typedef int16_t Wide __attribute__((vector_size(2 * kBlock)));
typedef int16_t WideUnaligned __attribute__((vector_size(2 * kBlock), aligned(2), may_alias));

DETENT_INLINE Words load_words(const void *p) { return *static_cast<const WordsUnaligned *>(p); }
DETENT_INLINE void store_words(void *p, Words v) { *static_cast<WordsUnaligned *>(p) = v; }
DETENT_INLINE Words splat_word(const void *p) { return Words{} + *static_cast<const WordUnaligned *>(p); }

/** In each word, the sum of two products: of the first integers of both pairs and of the second ones. */
DETENT_INLINE Words pair_products(Words a, Words b) {
#if defined(__AVX512F__)
  return reinterpret_cast<Words>(_mm512_madd_epi16(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#elif defined(__AVX2__) && defined(__FMA__)
  return reinterpret_cast<Words>(_mm256_madd_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#else
  return reinterpret_cast<Words>(_mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#endif
}

#if defined(__AVX512VNNI__) && defined(__AVX512BW__)
#define DETENT_OPS_QUADS 1
/** sums + in each word, the four products of the unsigned bytes of `a` by the signed ones of `b`. */
DETENT_INLINE Words add_quad_products(Words sums, Words a, Words b) {
  return reinterpret_cast<Words>(
      _mm512_dpbusd_epi32(reinterpret_cast<__m512i>(sums), reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
}

/** [byte of a row][row], of four rows of 16 bytes. */
DETENT_INLINE Words quads_of(Words rows) {
  const Words columns = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};  // four of all rows beside each other
  const Words bytes = {0x0c080400, 0x0d090501, 0x0e0a0602, 0x0f0b0703, 0x0c080400, 0x0d090501, 0x0e0a0602, 0x0f0b0703,
                       0x0c080400, 0x0d090501, 0x0e0a0602, 0x0f0b0703, 0x0c080400, 0x0d090501, 0x0e0a0602, 0x0f0b0703};
  const __m512i groups =
      _mm512_maskz_permutexvar_epi32(0xffff, reinterpret_cast<__m512i>(columns), reinterpret_cast<__m512i>(rows));
  return reinterpret_cast<Words>(_mm512_shuffle_epi8(groups, reinterpret_cast<__m512i>(bytes)));
}

/** The same of four rows that lie side by side: the words of a part of a block. */
DETENT_INLINE Words load_quads(const uint8_t *rows, int /*part*/) { return quads_of(load_words(rows)); }

/** to = the same, of rows that lie `stride` apart. */
DETENT_INLINE void store_quads(const int8_t *rows, ptrdiff_t stride, uint8_t *to) {
  __m512i block;
  if (stride == kBlock) {
    block = reinterpret_cast<__m512i>(load_words(rows));
  } else {
    const auto row = [&](int i) { return _mm_loadu_si128(reinterpret_cast<const __m128i *>(rows + i * stride)); };
    block = _mm512_castsi128_si512(row(0));
    block = _mm512_inserti32x4(block, row(1), 1);
    block = _mm512_inserti32x4(block, row(2), 2);
    block = _mm512_inserti32x4(block, row(3), 3);
  }
  store_words(to, quads_of(reinterpret_cast<Words>(block)));
}

/** Bytes as words. */
DETENT_INLINE Words load_widened(const uint8_t *p) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(p));
  return reinterpret_cast<Words>(_mm512_maskz_cvtepu8_epi32(0xffff, bytes));
}
#elif defined(DETENT_OPS_PLAIN_QUADS)
/** The same in plain C++, for tests on processors without VNNI. */
#define DETENT_OPS_QUADS 1
DETENT_INLINE Words add_quad_products(Words sums, Words a, Words b) {
  uint8_t left[sizeof a];
  int8_t right[sizeof b];
  memcpy(left, &a, sizeof a);
  memcpy(right, &b, sizeof b);
  for (int i = 0; i < 4 * kLanes; ++i) sums[i / 4] += static_cast<uint32_t>(left[i] * right[i]);
  return sums;
}

DETENT_INLINE Words load_quads(const uint8_t *rows, int part) {
  uint8_t quads[4 * kLanes];
  for (int i = 0; i < 4 * kLanes; ++i) quads[i] = rows[i % 4 * kBlock + part * kLanes + i / 4];
  return load_words(quads);
}

DETENT_INLINE void store_quads(const int8_t *rows, ptrdiff_t stride, uint8_t *to) {
  for (int i = 0; i < 4 * kBlock; ++i) to[i] = static_cast<uint8_t>(rows[i % 4 * stride + i / 4]);
}

DETENT_INLINE Words load_widened(const uint8_t *p) {
  Words words = {};
  for (int i = 0; i < kLanes; ++i) words[i] = p[i];
  return words;
}
#endif

#if defined(__AVX512F__)
#define DETENT_OPS_BYTE_TABLE 1
/** 256 bytes in registers. */
struct ByteTable {
  __m512i quarters[4];
};

DETENT_INLINE ByteTable load_table(const int8_t *bytes) {
  ByteTable table;
  DETENT_UNROLL(4)
  for (int i = 0; i < 4; ++i) table.quarters[i] = reinterpret_cast<__m512i>(load_words(bytes + 64 * i));
  return table;
}

/** 16 signed bytes as words. */
DETENT_INLINE Words signed_words(const int8_t *p) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(p));
  return reinterpret_cast<Words>(_mm512_maskz_cvtepi8_epi32(0xffff, bytes));
}

/** to[i] = the lowest byte of words[i], of 16. */
DETENT_INLINE void store_low_bytes(Words words, int8_t *to) {
  const __m128i bytes = _mm512_maskz_cvtepi32_epi8(0xffff, reinterpret_cast<__m512i>(words));
  _mm_storeu_si128(reinterpret_cast<__m128i *>(to), bytes);
}

/** to[i] = the byte of the table at places[i], of 16 that are below 256. */
DETENT_INLINE void look_up_block(const ByteTable &table, Words places, int8_t *to) {
  const auto word = reinterpret_cast<__m512i>(places >> 2);
  const __m512i low = _mm512_permutex2var_epi32(table.quarters[0], word, table.quarters[1]);
  const __m512i high = _mm512_permutex2var_epi32(table.quarters[2], word, table.quarters[3]);
  const Words found = (places & 128) != 0 ? reinterpret_cast<Words>(high) : reinterpret_cast<Words>(low);
  const __m512i turned =  // right, by 8 bits for each byte: the count is modulo 32
      _mm512_maskz_rorv_epi32(0xffff, reinterpret_cast<__m512i>(found), reinterpret_cast<__m512i>(places << 3));
  _mm_storeu_si128(reinterpret_cast<__m128i *>(to), _mm512_maskz_cvtepi32_epi8(0xffff, turned));
}
#endif

/** Four rows of as many bytes as Words has become their columns: in out[j], word 4 i + c holds the bytes of column
 *  16 i + 4 j + c. */
DETENT_INLINE void interleave_rows(const Words *rows, Words *out) {
#if defined(__AVX512F__)
  const auto row = [&](int i) { return reinterpret_cast<__m512i>(rows[i]); };
  const __m512i low01 = _mm512_unpacklo_epi8(row(0), row(1)), high01 = _mm512_unpackhi_epi8(row(0), row(1));
  const __m512i low23 = _mm512_unpacklo_epi8(row(2), row(3)), high23 = _mm512_unpackhi_epi8(row(2), row(3));
  out[0] = reinterpret_cast<Words>(_mm512_unpacklo_epi16(low01, low23));
  out[1] = reinterpret_cast<Words>(_mm512_unpackhi_epi16(low01, low23));
  out[2] = reinterpret_cast<Words>(_mm512_unpacklo_epi16(high01, high23));
  out[3] = reinterpret_cast<Words>(_mm512_unpackhi_epi16(high01, high23));
#elif defined(__AVX2__) && defined(__FMA__)
  const auto row = [&](int i) { return reinterpret_cast<__m256i>(rows[i]); };
  const __m256i low01 = _mm256_unpacklo_epi8(row(0), row(1)), high01 = _mm256_unpackhi_epi8(row(0), row(1));
  const __m256i low23 = _mm256_unpacklo_epi8(row(2), row(3)), high23 = _mm256_unpackhi_epi8(row(2), row(3));
  out[0] = reinterpret_cast<Words>(_mm256_unpacklo_epi16(low01, low23));
  out[1] = reinterpret_cast<Words>(_mm256_unpackhi_epi16(low01, low23));
  out[2] = reinterpret_cast<Words>(_mm256_unpacklo_epi16(high01, high23));
  out[3] = reinterpret_cast<Words>(_mm256_unpackhi_epi16(high01, high23));
#else
  const auto row = [&](int i) { return reinterpret_cast<__m128i>(rows[i]); };
  const __m128i low01 = _mm_unpacklo_epi8(row(0), row(1)), high01 = _mm_unpackhi_epi8(row(0), row(1));
  const __m128i low23 = _mm_unpacklo_epi8(row(2), row(3)), high23 = _mm_unpackhi_epi8(row(2), row(3));
  out[0] = reinterpret_cast<Words>(_mm_unpacklo_epi16(low01, low23));
  out[1] = reinterpret_cast<Words>(_mm_unpackhi_epi16(low01, low23));
  out[2] = reinterpret_cast<Words>(_mm_unpacklo_epi16(high01, high23));
  out[3] = reinterpret_cast<Words>(_mm_unpackhi_epi16(high01, high23));
#endif
}

/** Integers as words. */
DETENT_INLINE Words load_widened(const int16_t *p) {
#if defined(__AVX512F__)
  const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(p));
  return reinterpret_cast<Words>(_mm512_maskz_cvtepi16_epi32(0xffff, halves));
#elif defined(__AVX2__) && defined(__FMA__)
  return reinterpret_cast<Words>(_mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i *>(p))));
#else
  const __m128i halves = _mm_loadl_epi64(reinterpret_cast<const __m128i *>(p));
  return reinterpret_cast<Words>(_mm_srai_epi32(_mm_unpacklo_epi16(halves, halves), 16));
#endif
}
/** The signed bytes at even and at odd places, as pairs of 16-bit integers. */
typedef uint16_t Halves __attribute__((vector_size(4 * kLanes)));
typedef int16_t SignedHalves __attribute__((vector_size(4 * kLanes)));
DETENT_INLINE Words odd_bytes(Words bytes) {
  return reinterpret_cast<Words>(reinterpret_cast<SignedHalves>(bytes) >> 8);
}
DETENT_INLINE Words even_bytes(Words bytes) {
  return odd_bytes(reinterpret_cast<Words>(reinterpret_cast<Halves>(bytes) << 8));
}

#if defined(__AVX2__) && defined(__FMA__)
#define DETENT_OPS_UPPER_PRODUCTS 1
typedef uint64_t LongWords __attribute__((vector_size(4 * kLanes)));

/** The product of 64 bits of each even word as a signed integer. */
DETENT_INLINE LongWords even_products(LongWords a, LongWords b) {
#if defined(__AVX512F__)
  const __m512i product = _mm512_maskz_mul_epi32(0xff, reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b));
#else
  const __m256i product = _mm256_mul_epi32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b));
#endif
  return reinterpret_cast<LongWords>(product);
}

/** The upper words of signed products. */
DETENT_INLINE Words upper_products(Words a, Words b) {
  const auto x = reinterpret_cast<LongWords>(a);
  const auto y = reinterpret_cast<LongWords>(b);
  const LongWords upper = LongWords{} + (~uint64_t{0} << 32);
  return reinterpret_cast<Words>((even_products(x, y) >> 32) | (even_products(x >> 32, y >> 32) & upper));
}
#endif

/** to[i] = elements[i], of a block. */
DETENT_INLINE void widen_block(__m128i elements, int16_t *to) {
#if defined(__AVX2__)
  *reinterpret_cast<WideUnaligned *>(to) = reinterpret_cast<Wide>(_mm256_cvtepi8_epi16(elements));
#else
  *reinterpret_cast<WideUnaligned *>(to) = __builtin_convertvector(reinterpret_cast<Elements>(elements), Wide);
#endif
}
DETENT_INLINE void widen(const int8_t *from, int16_t *to) {
  widen_block(_mm_loadu_si128(reinterpret_cast<const __m128i *>(from)), to);
}

/** to = {a[0], b[0], a[1], b[1], ..}, of two blocks. */
DETENT_INLINE void widen_pairs(const int8_t *a, const int8_t *b, int16_t *to) {
  const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i *>(a));
  const __m128i second = _mm_loadu_si128(reinterpret_cast<const __m128i *>(b));
  widen_block(_mm_unpacklo_epi8(first, second), to);
  widen_block(_mm_unpackhi_epi8(first, second), to + kBlock);
}
#endif

}  // namespace
DETENT_ISA_END

#endif
