// Operators called on tensors in memory of their own, and what each one is in long double.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/operator.h>

namespace detent::ops_test {

using Numbers = std::vector<std::int64_t>;

/// A descriptor with the numbers that it points to. Not copied: it points into itself.
struct TensorDesc {
  TensorDesc(std::int32_t dtype, Numbers dims_of_it);
  TensorDesc(std::int32_t dtype, Numbers dims_of_it, Numbers strides_of_it);
  TensorDesc(const TensorDesc&) = delete;
  TensorDesc& operator=(const TensorDesc&) = delete;

  Numbers dims, strides;
  detent_tensor_desc desc{};
};

/// The types that operators have, and what they are called in messages.
inline constexpr std::int32_t kOperatorTypes[] = {DETENT_BF16, DETENT_F16, DETENT_F32, DETENT_F64};
std::size_t bytes_of(std::int32_t dtype);

/// Nearest number of the type, ties to even, as its bits. NaN: the canonical one.
std::uint64_t rounded(std::int32_t dtype, long double value);
/// The number that these bits are.
long double value_of(std::int32_t dtype, std::uint64_t bits);
/// Distance of neighbouring numbers of the type at the value.
long double step_at(std::int32_t dtype, long double value);

/// Bits of element `at` of an array of the type.
std::uint64_t element(const void* data, std::int32_t dtype, std::int64_t at);
void set_element(void* data, std::int32_t dtype, std::int64_t at, std::uint64_t bits);

/// The operator in long double, without its last rounding.
long double reference(std::int32_t elementwise, long double a, long double b, const double* params);
/// Parameters for tests; none where it takes none.
std::vector<double> params_of(std::int32_t elementwise);

/// Create for `count` elements side by side.
detent_operator dense_operator(std::int32_t elementwise, std::int32_t dtype, std::int64_t count);
/// One result for each bits of `a` (and of `b`, where the operator has two inputs), side by side.
std::vector<std::uint64_t> calculated(std::int32_t elementwise, std::int32_t dtype, const std::vector<std::uint64_t>& a,
                                      const std::vector<std::uint64_t>& b);

}  // namespace detent::ops_test
