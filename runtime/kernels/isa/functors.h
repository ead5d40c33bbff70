/* Functors: what each element-wise operator does to one element. A functor has `of(x)` or `of(a, b)`, with the
 * parameters behind them where the list (<detent/operator.h>) says so, for double, and for float too where that gives
 * the bits of double narrowed once, or is worth its error. NaN results become the canonical one outside. */
#ifndef DETENT_RUNTIME_OPS_ISA_FUNCTORS_H_
#define DETENT_RUNTIME_OPS_ISA_FUNCTORS_H_

#include "runtime/kernels/isa/functions.h"

DETENT_ISA_BEGIN
namespace {
namespace functors {

struct Silu {
  static DETENT_INLINE double of(double x) {
    const double a = magnitude(x);
    const double held = a > 800.0 ? 800.0 : a;
    return gated(x, held, held);
  }
  /** At most 4 ulp off, denormal results included: one polynomial (Cephes expf's) and one division. */
  static DETENT_INLINE float of(float x) {
    constexpr float kMagic = 12582912.0F;
    const float a = magnitude(x);
    const float held = a < 126.0F ? a : 126.0F;  // 126 e^-126 is 0
    const float shifted = fma1(held, -1.44269504F, kMagic);
    const float n = shifted - kMagic;
    const float r = fma1(n, 2.12194440e-4F, fma1(n, -0.693359375F, -held));
    float p = fma1(1.9875691500e-4F, r, 1.3981999507e-3F);
    p = fma1(p, r, 8.3334519073e-3F);
    p = fma1(p, r, 4.1665795894e-2F);
    p = fma1(p, r, 1.6666665459e-1F);
    p = fma1(p, r, 5.0000001201e-1F);
    const float mantissa = 1.0F + fma1(p, r * r, r);
    const uint32_t exponent = bits_as<uint32_t>(shifted) - bits_as<uint32_t>(kMagic);
    const uint32_t half = (exponent + 254) >> 1;  // biased
    const float first = bits_as<float>(half << 23);
    const float second = bits_as<float>((exponent + 254 - half) << 23);
    const float below = held * mantissa / (1.0F + mantissa * first * second) * first * second;
    return positive_part(x) - below;
  }
};

struct Sigmoid {
  static DETENT_INLINE double of(double x) {
    const DoubleExponential w = exponential_parts(-magnitude(x));
    const double sum = 1.0 + w.value();
    return x >= 0.0 ? 1.0 / sum : w.mantissa * w.first / sum * w.second;
  }
};

struct Tanh {
  static DETENT_INLINE double of(double x) { return tanh_of(x); }
};

struct Relu {
  template <typename F>
  static DETENT_INLINE F of(F x) {
    return x > F(0) || x != x ? x : F(0);
  }
};

struct Relu6 {
  template <typename F>
  static DETENT_INLINE F of(F x) {
    return x > F(6) ? F(6) : Relu::of(x);
  }
};

struct LeakyRelu {
  static DETENT_INLINE double of(double x, const double *slope) { return x >= 0.0 ? x : x * slope[0]; }
};

struct Gelu {
  static DETENT_INLINE double of(double x) { return gelu_of(x); }
};

struct GeluTanh {
  static DETENT_INLINE double of(double x) {
    const double a = magnitude(x);
    const double held = a > 40.0 ? 40.0 : a;
    const double inner = held + 0.044715 * (held * held * held);
    return gated(x, held, inner * 1.59576912160573071176);  // 2 sqrt(2 / pi)
  }
};

struct Exp {
  static DETENT_INLINE double of(double x) { return exponential_of(x); }
};

struct Sqrt {
  static DETENT_INLINE double of(double x) { return square_root_of(x); }
};

struct Abs {
  template <typename F>
  static DETENT_INLINE F of(F x) {
    return magnitude(x);
  }
};

struct Neg {
  template <typename F>
  static DETENT_INLINE F of(F x) {
    return -x;
  }
};

struct Add {
  template <typename F>
  static DETENT_INLINE F of(F a, F b) {
    return a + b;
  }
};

struct Sub {
  template <typename F>
  static DETENT_INLINE F of(F a, F b) {
    return a - b;
  }
};

struct Mul {
  template <typename F>
  static DETENT_INLINE F of(F a, F b) {
    return a * b;
  }
};

struct Div {
  template <typename F>
  static DETENT_INLINE F of(F a, F b) {
    return a / b;
  }
};

struct Max {
  template <typename F>
  static DETENT_INLINE F of(F a, F b) {
    const F larger_one = a > b || (a == b && !is_negative(a)) ? a : b;
    return a == a ? larger_one : a;
  }
};

struct Min {
  template <typename F>
  static DETENT_INLINE F of(F a, F b) {
    const F smaller_one = a < b || (a == b && is_negative(a)) ? a : b;
    return a == a ? smaller_one : a;
  }
};

struct Clip {
  static DETENT_INLINE double of(double x, const double *limits) {
    return x == x ? Min::of(Max::of(x, limits[0]), limits[1]) : x;
  }
};

}  // namespace functors
}  // namespace
DETENT_ISA_END

#endif
