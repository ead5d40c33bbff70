// exp: 2^k times a Taylor polynomial on [-ln2/2, ln2/2]. log: k ln2 plus the series of 2 atanh((m - 1) / (m + 1)).
#include "sim/cost/portable_math.hpp"

#include <cmath>

namespace detent::sim {
namespace {

constexpr double kLn2High = 0x1.62e42fee00000p-1;  // 32 bits, so that k * kLn2High is exact
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
constexpr double kSqrtHalf = 0x1.6a09e667f3bcdp-1;
constexpr int kExpTerms = 14;  // (ln2 / 2)^15 / 15! < 1e-19
constexpr int kLogTerms = 12;  // 0.1716^26 / 13 < 1e-20

}  // namespace

double portable_exp(double x) {
  const double k = std::floor(x / (kLn2High + kLn2Low) + 0.5);
  const double r = (x - k * kLn2High) - k * kLn2Low;
  double sum = 1;
  for (int term = kExpTerms; term > 0; --term) sum = 1 + sum * r / term;
  return std::ldexp(sum, static_cast<int>(k));
}

double portable_log(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < kSqrtHalf) {
    m *= 2;
    --exponent;
  }
  const double t = (m - 1) / (m + 1);
  const double square = t * t;
  double sum = 0;
  for (int term = kLogTerms; term > 0; --term) sum = sum * square + 1.0 / (2 * term - 1);
  return exponent * kLn2High + (2 * t * sum + exponent * kLn2Low);
}

}  // namespace detent::sim
