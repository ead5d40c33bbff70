/* Vec in ISO C++20 alone: an array of lanes with the operators that kernels use. Slower where the compiler does not see
 * the vectors in it, and the same bits. */
#ifndef DETENT_RUNTIME_OPS_ISA_VEC_STANDARD_H_
#define DETENT_RUNTIME_OPS_ISA_VEC_STANDARD_H_

#include "runtime/kernels/isa/vec_shape.h"

DETENT_ISA_BEGIN
namespace {

struct Vec {
  float lane[kLanes];
};
/** Lanes of bits; of a comparison all ones where it holds, else zero. Arithmetic wraps. */
struct VecBits {
  int32_t lane[kLanes];
  int32_t &operator[](int i) { return lane[i]; }
};

template <typename Result, typename From, typename Operation>
DETENT_INLINE Result each_lane(const From &a, const From &b, Operation operation) {
  Result result;
  for (int i = 0; i < kLanes; ++i) result.lane[i] = operation(a.lane[i], b.lane[i]);
  return result;
}

DETENT_INLINE Vec load(const float *p) {
  Vec v;
  memcpy(v.lane, p, sizeof v.lane);
  return v;
}
DETENT_INLINE void store(float *p, Vec v) { memcpy(p, v.lane, sizeof v.lane); }

DETENT_INLINE Vec splat(float x) {
  Vec v;
  for (float &lane : v.lane) lane = x;
  return v;
}

DETENT_INLINE Vec operator+(Vec a, Vec b) {
  return each_lane<Vec>(a, b, [](float x, float y) { return x + y; });
}
DETENT_INLINE Vec operator-(Vec a, Vec b) {
  return each_lane<Vec>(a, b, [](float x, float y) { return x - y; });
}
DETENT_INLINE Vec operator*(Vec a, Vec b) {
  return each_lane<Vec>(a, b, [](float x, float y) { return x * y; });
}
DETENT_INLINE Vec operator/(Vec a, Vec b) {
  return each_lane<Vec>(a, b, [](float x, float y) { return x / y; });
}
DETENT_INLINE Vec &operator+=(Vec &a, Vec b) { return a = a + b; }
DETENT_INLINE Vec &operator/=(Vec &a, Vec b) { return a = a / b; }

DETENT_INLINE VecBits operator<(Vec a, Vec b) {
  return each_lane<VecBits>(a, b, [](float x, float y) { return x < y ? -1 : 0; });
}
DETENT_INLINE VecBits operator>(Vec a, Vec b) { return b < a; }
DETENT_INLINE VecBits operator==(Vec a, Vec b) {
  return each_lane<VecBits>(a, b, [](float x, float y) { return x == y ? -1 : 0; });
}

DETENT_INLINE int32_t wrapped(uint32_t bits) { return static_cast<int32_t>(bits); }

DETENT_INLINE VecBits operator+(VecBits a, VecBits b) {
  return each_lane<VecBits>(
      a, b, [](int32_t x, int32_t y) { return wrapped(static_cast<uint32_t>(x) + static_cast<uint32_t>(y)); });
}
DETENT_INLINE VecBits operator-(VecBits a, VecBits b) {
  return each_lane<VecBits>(
      a, b, [](int32_t x, int32_t y) { return wrapped(static_cast<uint32_t>(x) - static_cast<uint32_t>(y)); });
}
DETENT_INLINE VecBits operator&(VecBits a, VecBits b) {
  return each_lane<VecBits>(a, b, [](int32_t x, int32_t y) { return x & y; });
}
DETENT_INLINE VecBits operator-(VecBits a, int32_t b) {
  for (int32_t &lane : a.lane) lane = wrapped(static_cast<uint32_t>(lane) - static_cast<uint32_t>(b));
  return a;
}
DETENT_INLINE VecBits operator<<(VecBits a, int count) {
  for (int32_t &lane : a.lane) lane = wrapped(static_cast<uint32_t>(lane) << count);
  return a;
}

DETENT_INLINE VecBits bits_of(Vec v) {
  VecBits bits;
  memcpy(bits.lane, v.lane, sizeof bits.lane);
  return bits;
}
DETENT_INLINE Vec from_bits(VecBits bits) {
  Vec v;
  memcpy(v.lane, bits.lane, sizeof v.lane);
  return v;
}

/** Lane by lane `a` where the mask is all ones, `b` where it is zero. */
DETENT_INLINE Vec select(VecBits mask, Vec a, Vec b) {
  for (int i = 0; i < kLanes; ++i) a.lane[i] = mask.lane[i] != 0 ? a.lane[i] : b.lane[i];
  return a;
}

/** The larger; `b` where they compare as neither. */
DETENT_INLINE Vec larger(Vec a, Vec b) { return select(a > b, a, b); }
DETENT_INLINE Vec smaller(Vec a, Vec b) { return select(a < b, a, b); }

DETENT_INLINE float first_lane(Vec v) { return v.lane[0]; }

/** Lane i has lane (i + kBy) modulo kLanes of v. */
template <int kBy>
DETENT_INLINE Vec rotated(Vec v) {
  Vec r;
  for (int i = 0; i < kLanes; ++i) r.lane[i] = v.lane[(i + kBy) % kLanes];
  return r;
}

/** Is some lane below `limit`, or a NaN? */
DETENT_INLINE bool any_below_or_nan(Vec x, float limit) {
  bool found = false;
  for (const float lane : x.lane) found |= !(lane >= limit);
  return found;
}

/** a * b + c rounded once: exact product in double, sum rounded to odd (vec_gnu.h says why that is right). */
DETENT_INLINE float fma1(float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const auto addend = static_cast<double>(c);
  double sum = product + addend;
  const double part = sum - product;
  const double error = (product - (sum - part)) + (addend - part);
  uint64_t bits = 0;
  memcpy(&bits, &sum, sizeof bits);
  if ((error < 0.0 || error > 0.0) && bits % 2 == 0) {
    bits += (error < 0.0) == (sum < 0.0) ? 1 : ~uint64_t{0};  // one step to where the exact sum lies
    memcpy(&sum, &bits, sizeof sum);
  }
  return static_cast<float>(sum);
}

DETENT_INLINE Vec fma(Vec a, Vec b, Vec c) {
  for (int i = 0; i < kLanes; ++i) c.lane[i] = fma1(a.lane[i], b.lane[i], c.lane[i]);
  return c;
}

/** I8 elements of the channels of a C16 block. */
struct Elements {
  int8_t channel[kBlock];
};

DETENT_INLINE Elements larger_elements(Elements a, const Elements &b) {
  for (int i = 0; i < kBlock; ++i) a.channel[i] = a.channel[i] > b.channel[i] ? a.channel[i] : b.channel[i];
  return a;
}

}  // namespace
DETENT_ISA_END

#endif
