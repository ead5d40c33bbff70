/* Functions of doubles for element-wise operators: what a libm would have, written so that a compiler vectorises loops
 * over them. Only +, -, *, /, comparisons and bits, without fused multiply-add: the same bits from every instruction
 * set. Errors are relative; a NaN gives a NaN. */
#ifndef DETENT_RUNTIME_OPS_ISA_FUNCTIONS_H_
#define DETENT_RUNTIME_OPS_ISA_FUNCTIONS_H_

#include "runtime/kernels/isa/vec.h"

DETENT_ISA_BEGIN
namespace {

template <typename To, typename From>
DETENT_INLINE To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

constexpr uint64_t kSignBit = uint64_t{1} << 63;

DETENT_INLINE double magnitude(double x) { return bits_as<double>(bits_as<uint64_t>(x) & ~kSignBit); }
DETENT_INLINE float magnitude(float x) { return bits_as<float>(bits_as<uint32_t>(x) & 0x7fffffffU); }
DETENT_INLINE double with_sign_of(double x, double sign) {
  return bits_as<double>(bits_as<uint64_t>(x) | (bits_as<uint64_t>(sign) & kSignBit));
}
DETENT_INLINE bool is_negative(double x) { return (bits_as<uint64_t>(x) & kSignBit) != 0; }
DETENT_INLINE bool is_negative(float x) { return (bits_as<uint32_t>(x) >> 31) != 0; }

/** x, but -0 where it is below 0. */
template <typename F>
DETENT_INLINE F positive_part(F x) {
  return x < F(-0.0) ? F(-0.0) : x;
}

/** e^x - 1 = p for the remainder of x by ln 2, of magnitude at most 0.35; n = (x - remainder) / ln 2. */
struct Reduced {
  double p;
  uint64_t n; /**< a signed number, wrapped */
};

/** |x| < 2^20. Remainder in two parts of ln 2; Taylor's series to the 13th power, cut at 2^-57 of p. */
DETENT_INLINE Reduced reduced(double x) {
  constexpr double kMagic = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer in the low bits
  const double shifted = x * 1.44269504088896340736 + kMagic;
  const double n = shifted - kMagic;
  const double r = (x - n * 0x1.62e42fee00000p-1) - n * 0x1.a39ef35793c76p-33;
  double q = 1.0 / 6227020800.0;
  q = q * r + 1.0 / 479001600.0;
  q = q * r + 1.0 / 39916800.0;
  q = q * r + 1.0 / 3628800.0;
  q = q * r + 1.0 / 362880.0;
  q = q * r + 1.0 / 40320.0;
  q = q * r + 1.0 / 5040.0;
  q = q * r + 1.0 / 720.0;
  q = q * r + 1.0 / 120.0;
  q = q * r + 1.0 / 24.0;
  q = q * r + 1.0 / 6.0;
  q = q * r + 0.5;
  return {q * (r * r) + r, bits_as<uint64_t>(shifted) - bits_as<uint64_t>(kMagic)};
}

/** 2^n for -1022 <= n <= 1023, n wrapped. */
DETENT_INLINE double power_of_two(uint64_t n) { return bits_as<double>((n + 1023) << 52); }

/** e^x = mantissa * first * second, the mantissa near [0.7, 1.42]. Two factors, powers of 2, because one has not the
 *  range; a product that ends with `second` rounds to a denormal number once. */
struct DoubleExponential {
  double mantissa;
  double first;
  double second;
  [[nodiscard]] DETENT_INLINE double value() const { return mantissa * first * second; }
};

/** Beyond [-800, 710] as at the nearer end, where the value, below also 800 times the value, is 0 or infinite. */
DETENT_INLINE DoubleExponential exponential_parts(double x) {
  const double above = x < -800.0 ? -800.0 : x;
  const Reduced r = reduced(above > 710.0 ? 710.0 : above);
  const uint64_t biased = r.n + 2048;  // shifts of unsigned numbers are defined
  const uint64_t half = (biased >> 1) - 1024;
  return {1.0 + r.p, power_of_two(half), power_of_two(r.n - half)};
}

/** e^x, at most 1.2 ulp off. */
DETENT_INLINE double exponential_of(double x) { return exponential_parts(x).value(); }

/** tanh x, at most 4 ulp off. */
DETENT_INLINE double tanh_of(double x) {
  const double a = magnitude(x);
  const Reduced r = reduced(-2.0 * (a > 25.0 ? 25.0 : a));
  const double scale = power_of_two(r.n);
  const double minus_one = (scale - 1.0) + scale * r.p;  // e^-2a - 1
  return x == x ? with_sign_of(magnitude(minus_one / (2.0 + minus_one)), x) : x;
}

/** x * w / (1 + w) below 0 and x / (1 + w) above, where w = e^-b, 0 <= b, and `a` is |x| held below where w is 0. */
DETENT_INLINE double gated(double x, double a, double b) {
  const DoubleExponential w = exponential_parts(-b);
  return positive_part(x) - a * w.mantissa * w.first / (1.0 + w.value()) * w.second;
}

/** e^(z^2) erfc z for z >= 0: t P(2t - 1) with t = 2 / (2 + z), P a Chebyshev series fitted to it (an error of 1e-17),
 *  summed by Clenshaw's recurrence. */
DETENT_INLINE double scaled_complementary_error(double z) {
  constexpr double kSeries[] = {
      -0x1.683d3d8dbd22fp-58, 0x1.49b2ba593fa8ep-55,  -0x1.224d9187b4abdp-54, -0x1.06dfa35ab39f0p-52,
      0x1.c56b5ee2c1a0ap-50,  -0x1.53f45fb14dda7p-49, -0x1.d09611ef55e59p-47, 0x1.4e1bde47da5f6p-44,
      -0x1.14c5ba3993dabp-44, -0x1.e35f6c084db84p-41, 0x1.f6a49bd507da9p-39,  0x1.22170c6ca0522p-39,
      -0x1.0eefd383f4c3cp-34, 0x1.3aeb108e9259bp-33,  0x1.5ceee771f4d9ap-31,  -0x1.1d82a2ca498bdp-28,
      -0x1.6451ece5d5a39p-30, 0x1.61ac7b47755d1p-24,  -0x1.3309eea6272b1p-23, -0x1.96ce1195d1d7bp-20,
      0x1.6d3c6f7dabb65p-18,  0x1.12fb3128fc61ap-15,  -0x1.51227465cb5cbp-13, -0x1.23b9bf1ce7087p-10,
      0x1.e12f190ee33d7p-9,   0x1.0aa138a4c2d24p-4,   0x1.6bf7a80297435p-2};
  constexpr double kConstant = 0x1.2770f75817bb2p-1;
  const double t = 2.0 / (2.0 + z);
  const double u = 2.0 * t - 1.0;
  double next = 0.0;
  double after = 0.0;
  DETENT_UNROLL(27)
  for (const double c : kSeries) {
    const double here = (2.0 * u * next - after) + c;
    after = next;
    next = here;
  }
  return t * ((u * next - after) + kConstant);
}

/** x Phi(x), Phi the distribution function of the normal distribution. */
DETENT_INLINE double gelu_of(double x) {
  const double a = magnitude(x);
  const double c = a > 40.0 ? 40.0 : a;
  // c^2 / 2 in two parts, the first of them exact.
  const double high = bits_as<double>(bits_as<uint64_t>(c) & ~((uint64_t{1} << 27) - 1));
  const double low = (c - high) * (c + high) * 0.5;
  const DoubleExponential e = exponential_parts(high * high * -0.5);
  const double rest = 1.0 - low * (1.0 - low * (0.5 - low * (1.0 / 6.0)));  // e^-low
  const double tail = e.mantissa * rest * scaled_complementary_error(c * 0.70710678118654752440) * 0.5;
  return positive_part(x) - c * tail * e.first * e.second;
}

/** The square root of significand * 2^54, rounded down, for a significand below 2^54, and whether a remainder is left.
 */
DETENT_INLINE uint64_t root_of(uint64_t significand, bool *is_inexact) {
  uint64_t root = 0;
  uint64_t rest = 0;
  for (int step = 0; step < 54; ++step) {  // two digits a step, beginning with the highest
    rest = rest << 2 | (significand >> 52 & 3);
    significand <<= 2;
    const uint64_t trial = root << 2 | 1;
    root <<= 1;
    if (rest >= trial) {
      rest -= trial;
      root |= 1;
    }
  }
  *is_inexact = rest != 0;
  return root;
}

/** The square root of a positive finite number, rounded to nearest, where the processor has no instruction for it. */
inline double square_root_by_digits(double x) {
  int exponent = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p108;
    exponent = -54;
  }
  const uint64_t bits = bits_as<uint64_t>(x);
  const int power = static_cast<int>(bits >> 52) - 1075;
  uint64_t significand = (bits & ((uint64_t{1} << 52) - 1)) | uint64_t{1} << 52;
  if (power % 2 != 0) significand <<= 1;
  const int even = power - (power % 2 != 0 ? 1 : 0);  // x = significand * 2^even, the significand below 2^54
  bool is_inexact = false;
  const uint64_t root = root_of(significand, &is_inexact);  // 54 bits
  // One bit more than a double holds, and a sticky one: the conversion rounds once.
  const auto rounded = static_cast<double>(static_cast<int64_t>(root << 1 | (is_inexact ? 1U : 0U)));
  return rounded * power_of_two(static_cast<uint64_t>(static_cast<int64_t>(even / 2 - 28 + exponent)));
}

/** The square root, rounded to nearest; of a negative number a NaN, of -0 -0. */
DETENT_INLINE double square_root_of(double x) {
#if defined(DETENT_OPS_HARDWARE_SQRT)
  return square_root1(x);
#else
  if (x > 0.0 && x <= DBL_MAX) return square_root_by_digits(x);
  return x < 0.0 ? 0.0 / (x - x) : x;
#endif
}

}  // namespace
DETENT_ISA_END

#endif
