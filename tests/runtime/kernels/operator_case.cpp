#include "tests/runtime/kernels/operator_case.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <utility>

namespace detent::ops_test {
namespace {

/// Bits of the significand, with the leading one; the least exponent of a step; the greatest exponent.
struct Format {
  int digits, least_step, overflow;
};

Format format_of(std::int32_t dtype) {
  if (dtype == DETENT_F64) return {53, -1074, 1024};
  if (dtype == DETENT_F32) return {24, -149, 128};
  if (dtype == DETENT_F16) return {11, -24, 16};
  return {8, -133, 128};
}

long double gated(long double x, long double exponent) {
  const long double w = std::exp(-std::abs(exponent));
  return x < 0 ? x * w / (1 + w) : x / (1 + w);
}

constexpr long double kFar = 2000;  ///< beyond, results are 0, x or infinite in every type

}  // namespace

TensorDesc::TensorDesc(std::int32_t dtype, Numbers dims_of_it) : dims(std::move(dims_of_it)) {
  desc = {.struct_bytes = sizeof desc,
          .version = DETENT_OPERATOR_VERSION,
          .dtype = dtype,
          .rank = static_cast<std::uint32_t>(dims.size()),
          .dims = dims.data(),
          .strides = nullptr};
}

TensorDesc::TensorDesc(std::int32_t dtype, Numbers dims_of_it, Numbers strides_of_it)
    : TensorDesc(dtype, std::move(dims_of_it)) {
  strides = std::move(strides_of_it);
  desc.strides = strides.data();
}

std::size_t bytes_of(std::int32_t dtype) {
  if (dtype == DETENT_F64) return 8;
  return dtype == DETENT_F32 ? 4 : 2;
}

long double step_at(std::int32_t dtype, long double value) {
  const Format format = format_of(dtype);
  int exponent = 0;
  (void)std::frexp(value, &exponent);
  return std::ldexp(1.0L, std::max(exponent - format.digits, format.least_step));
}

std::uint64_t rounded(std::int32_t dtype, long double value) {
  const Format format = format_of(dtype);
  const int bits = static_cast<int>(bytes_of(dtype)) * 8;
  const int fraction = format.digits - 1;
  const std::uint64_t infinite = ((std::uint64_t{1} << (bits - 1 - fraction)) - 1) << fraction;
  if (std::isnan(value)) return infinite | std::uint64_t{1} << (fraction - 1);
  const std::uint64_t sign = std::uint64_t{std::signbit(value)} << (bits - 1);
  const long double size = std::abs(value);
  if (size == 0) return sign;
  if (std::isinf(size)) return sign | infinite;
  const long double step = step_at(dtype, size);
  const long double nearest = std::nearbyint(size / step) * step;
  if (nearest >= std::ldexp(1.0L, format.overflow)) return sign | infinite;
  const long double least_normal = std::ldexp(1.0L, format.least_step + fraction);
  if (nearest < least_normal) return sign | static_cast<std::uint64_t>(std::ldexp(nearest, -format.least_step));
  int exponent = 0;
  const long double significand = std::frexp(nearest, &exponent);  // in [0.5, 1)
  const auto whole = static_cast<std::uint64_t>(std::ldexp(significand, format.digits));
  const auto biased = static_cast<std::uint64_t>(exponent - 1 - format.least_step - fraction + 1);
  return sign | biased << fraction | (whole & ((std::uint64_t{1} << fraction) - 1));
}

long double value_of(std::int32_t dtype, std::uint64_t bits) {
  const Format format = format_of(dtype);
  const int width = static_cast<int>(bytes_of(dtype)) * 8;
  const int fraction = format.digits - 1;
  const std::uint64_t greatest = (std::uint64_t{1} << (width - 1 - fraction)) - 1;
  const std::uint64_t biased = bits >> fraction & greatest;
  const std::uint64_t part = bits & ((std::uint64_t{1} << fraction) - 1);
  const bool is_negative = (bits >> (width - 1) & 1) != 0;
  long double size = INFINITY;
  if (biased == greatest && part != 0) return NAN;
  if (biased == 0) size = std::ldexp(static_cast<long double>(part), format.least_step);
  if (biased != 0 && biased != greatest) {
    const auto whole = static_cast<long double>(part | std::uint64_t{1} << fraction);
    size = std::ldexp(whole, static_cast<int>(biased) - 1 + format.least_step);
  }
  return is_negative ? -size : size;
}

std::uint64_t element(const void* data, std::int32_t dtype, std::int64_t at) {
  std::uint64_t bits = 0;
  const auto size = static_cast<std::int64_t>(bytes_of(dtype));
  std::memcpy(&bits, static_cast<const unsigned char*>(data) + at * size, bytes_of(dtype));
  return bits;
}

void set_element(void* data, std::int32_t dtype, std::int64_t at, std::uint64_t bits) {
  const auto size = static_cast<std::int64_t>(bytes_of(dtype));
  std::memcpy(static_cast<unsigned char*>(data) + at * size, &bits, bytes_of(dtype));
}

long double reference(std::int32_t elementwise, long double a, long double b, const double* params) {
  const long double x = std::abs(a) > kFar && !std::isinf(a) ? std::copysign(kFar, a) : a;
  const bool is_far = std::abs(a) > kFar;
  switch (elementwise) {
    case DETENT_EW_SILU:
      return is_far ? (a > 0 ? a : -0.0L) : gated(a, a);
    case DETENT_EW_SIGMOID:
      return a < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
    case DETENT_EW_TANH:
      return std::tanh(a);
    case DETENT_EW_RELU:
      return a > 0 || std::isnan(a) ? a : 0;
    case DETENT_EW_RELU6:
      return a > 6 ? 6 : a > 0 || std::isnan(a) ? a : 0;
    case DETENT_EW_LEAKY_RELU:
      return a < 0 ? static_cast<double>(a) * params[0] : a;  // a product in double
    case DETENT_EW_GELU:
      return is_far ? (a > 0 ? a : -0.0L) : a * 0.5L * std::erfc(-a * std::sqrt(0.5L));
    case DETENT_EW_GELU_TANH:
      return is_far ? (a > 0 ? a : -0.0L) : gated(a, 2 * std::sqrt(2 / std::acos(-1.0L)) * (a + 0.044715L * a * a * a));
    case DETENT_EW_EXP:
      return std::exp(a);
    case DETENT_EW_SQRT:
      return std::sqrt(a);
    case DETENT_EW_ABS:
      return std::abs(a);
    case DETENT_EW_NEG:
      return -a;
    case DETENT_EW_ADD:
      return a + b;
    case DETENT_EW_SUB:
      return a - b;
    case DETENT_EW_MUL:
      return a * b;
    case DETENT_EW_DIV:
      return a / b;
    case DETENT_EW_MAX:
      return std::isnan(a) || std::isnan(b) ? NAN : a == b ? (std::signbit(a) ? b : a) : std::max(a, b);
    case DETENT_EW_MIN:
      return std::isnan(a) || std::isnan(b) ? NAN : a == b ? (std::signbit(a) ? a : b) : std::min(a, b);
    case DETENT_EW_CLIP:
      return std::isnan(a) ? a : a < params[0] ? params[0] : a > params[1] ? params[1] : a;
    default:
      ADD_FAILURE() << elementwise << " has no reference";
      return 0;
  }
}

std::vector<double> params_of(std::int32_t elementwise) {
  if (elementwise == DETENT_EW_LEAKY_RELU) return {0.01};
  if (elementwise == DETENT_EW_CLIP) return {-1.5, 2.25};
  return {};
}

detent_operator dense_operator(std::int32_t elementwise, std::int32_t dtype, std::int64_t count) {
  const TensorDesc tensor(dtype, {count});
  const detent_tensor_desc* const inputs[] = {&tensor.desc, &tensor.desc};
  const std::vector<double> params = params_of(elementwise);
  detent_operator op = {};
  EXPECT_EQ(detent_operator_create(&op, elementwise, DETENT_DEVICE_CPU, &tensor.desc, inputs,
                                   detent_elementwise_inputs(elementwise), params.data(),
                                   static_cast<std::uint32_t>(params.size())),
            DETENT_OPERATOR_SUCCESS);
  return op;
}

std::vector<std::uint64_t> calculated(std::int32_t elementwise, std::int32_t dtype, const std::vector<std::uint64_t>& a,
                                      const std::vector<std::uint64_t>& b) {
  const auto pack = [dtype](const std::vector<std::uint64_t>& bits) {
    std::vector<std::uint64_t> memory(bits.size());
    for (std::size_t i = 0; i < bits.size(); ++i)
      set_element(memory.data(), dtype, static_cast<std::int64_t>(i), bits[i]);
    return memory;
  };
  const std::vector<std::uint64_t> first = pack(a);
  const std::vector<std::uint64_t> second = pack(b);
  std::vector<std::uint64_t> y(a.size());
  const void* const inputs[] = {first.data(), second.data()};
  const detent_operator op = dense_operator(elementwise, dtype, static_cast<std::int64_t>(a.size()));
  EXPECT_EQ(detent_operator_calculate(&op, nullptr, 0, y.data(), inputs, nullptr), DETENT_OPERATOR_SUCCESS);
  std::vector<std::uint64_t> bits;
  for (std::size_t i = 0; i < a.size(); ++i) bits.push_back(element(y.data(), dtype, static_cast<std::int64_t>(i)));
  return bits;
}

}  // namespace detent::ops_test
