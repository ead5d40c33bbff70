// Operators: what create and calculate refuse, strides, memory in place, parts.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <type_traits>

#include <detent/operator.h>

#include "base/random.hpp"
#include "runtime/kernels/kernels.h"
#include "tests/runtime/kernels/operator_case.hpp"

namespace detent::ops_test {
namespace {

detent_operator_status create(const TensorDesc& output, const TensorDesc& input, detent_operator* op = nullptr,
                              std::int32_t device = DETENT_DEVICE_CPU) {
  detent_operator made = {};
  const detent_tensor_desc* const inputs[] = {&input.desc};
  return detent_operator_create(op != nullptr ? op : &made, DETENT_EW_SILU, device, &output.desc, inputs, 1, nullptr,
                                0);
}

detent_operator_status create_dense(std::int32_t dtype, const Numbers& dims, const Numbers& out_strides) {
  return create(TensorDesc(dtype, dims, out_strides), TensorDesc(dtype, dims));
}

TEST(Operator, ChecksStandInOneOrder) {
  const TensorDesc good(DETENT_F32, {4});
  const TensorDesc other_type(DETENT_F16, {4});
  const TensorDesc no_type(DETENT_I32, {4});
  const TensorDesc longer(DETENT_F32, {5});
  const TensorDesc broadcast(DETENT_F32, {4}, {0});
  const TensorDesc worst_input(DETENT_F16, {5});
  const TensorDesc worst_output(DETENT_I32, {4}, {0});
  detent_operator op = {};
  const detent_tensor_desc* const inputs[] = {&good.desc, nullptr};
  const auto made = [&](detent_operator* to, std::int32_t elementwise, const detent_tensor_desc* output,
                        const detent_tensor_desc* const* from, std::uint32_t count) {
    return detent_operator_create(to, elementwise, DETENT_DEVICE_CPU, output, from, count, nullptr, 0);
  };
  EXPECT_EQ(made(nullptr, DETENT_EW_SILU, &good.desc, inputs, 1), DETENT_OPERATOR_NULL_POINTER);
  EXPECT_EQ(made(&op, DETENT_EW_SILU, nullptr, inputs, 1), DETENT_OPERATOR_NULL_POINTER);
  EXPECT_EQ(made(&op, DETENT_EW_SILU, &good.desc, nullptr, 1), DETENT_OPERATOR_NULL_POINTER);
  EXPECT_EQ(made(&op, DETENT_EW_SILU, &good.desc, inputs, 0), DETENT_OPERATOR_NULL_POINTER);
  EXPECT_EQ(made(&op, DETENT_EW_ADD, &good.desc, inputs, 2), DETENT_OPERATOR_NULL_POINTER);
  EXPECT_EQ(made(&op, DETENT_EW_ADD, &good.desc, inputs, 1), DETENT_OPERATOR_BAD_PARAM);
  EXPECT_EQ(made(&op, DETENT_EW_CLIP, &good.desc, inputs, 1), DETENT_OPERATOR_BAD_PARAM);
  EXPECT_EQ(made(&op, 0, &good.desc, inputs, 1), DETENT_OPERATOR_BAD_PARAM);
  EXPECT_EQ(made(&op, 20, &good.desc, inputs, 1), DETENT_OPERATOR_BAD_PARAM);
  EXPECT_EQ(create(worst_output, worst_input, nullptr, DETENT_DEVICE_NPU), DETENT_OPERATOR_DEVICE_TYPE_NOT_SUPPORTED);
  EXPECT_EQ(create(worst_output, worst_input), DETENT_OPERATOR_BAD_TENSOR_DTYPE);
  EXPECT_EQ(create(no_type, no_type), DETENT_OPERATOR_BAD_TENSOR_DTYPE);
  EXPECT_EQ(create(broadcast, worst_input), DETENT_OPERATOR_BAD_TENSOR_DTYPE);
  EXPECT_EQ(create(good, other_type), DETENT_OPERATOR_BAD_TENSOR_DTYPE);
  EXPECT_EQ(create(broadcast, longer), DETENT_OPERATOR_BAD_TENSOR_SHAPE);
  EXPECT_EQ(create(broadcast, good), DETENT_OPERATOR_BAD_TENSOR_STRIDES);
  EXPECT_EQ(op.struct_bytes, 0U) << "written without success";
  EXPECT_EQ(create(good, broadcast, &op), DETENT_OPERATOR_SUCCESS);
  EXPECT_EQ(op.struct_bytes, sizeof op);
}

TEST(Operator, ParametersAreNumbersInOrder) {
  const TensorDesc tensor(DETENT_F32, {4});
  const detent_tensor_desc* const inputs[] = {&tensor.desc};
  const auto clip = [&](double low, double high) {
    const double params[] = {low, high};
    detent_operator op = {};
    return detent_operator_create(&op, DETENT_EW_CLIP, DETENT_DEVICE_CPU, &tensor.desc, inputs, 1, params, 2);
  };
  EXPECT_EQ(clip(-1, 1), DETENT_OPERATOR_SUCCESS);
  EXPECT_EQ(clip(1, 1), DETENT_OPERATOR_SUCCESS);
  EXPECT_EQ(clip(1, -1), DETENT_OPERATOR_BAD_PARAM);
  EXPECT_EQ(clip(std::nan(""), 1), DETENT_OPERATOR_BAD_PARAM);
  EXPECT_EQ(clip(0, std::nan("")), DETENT_OPERATOR_BAD_PARAM);
  detent_operator op = {};
  EXPECT_EQ(detent_operator_create(&op, DETENT_EW_CLIP, DETENT_DEVICE_CPU, &tensor.desc, inputs, 1, nullptr, 2),
            DETENT_OPERATOR_NULL_POINTER);
}

TEST(Operator, DescriptorsCarryTheirVersion) {
  TensorDesc good(DETENT_F32, {4});
  TensorDesc later(DETENT_F32, {4});
  later.desc.version = 2;
  TensorDesc shorter(DETENT_F32, {4});
  shorter.desc.struct_bytes = 8;
  EXPECT_EQ(create(good, later), DETENT_OPERATOR_BAD_PARAM);
  EXPECT_EQ(create(shorter, good), DETENT_OPERATOR_BAD_PARAM);
  TensorDesc without_dims(DETENT_F32, {4});
  without_dims.desc.dims = nullptr;
  EXPECT_EQ(create(good, without_dims), DETENT_OPERATOR_NULL_POINTER);
}

TEST(Operator, ShapesHaveRanksAndSizesThatCanBe) {
  const Numbers nine(9, 1);
  const Numbers eight(8, 2);
  EXPECT_EQ(create(TensorDesc(DETENT_F32, nine), TensorDesc(DETENT_F32, nine)), DETENT_OPERATOR_BAD_TENSOR_SHAPE);
  EXPECT_EQ(create(TensorDesc(DETENT_F32, eight), TensorDesc(DETENT_F32, eight)), DETENT_OPERATOR_SUCCESS);
  EXPECT_EQ(create(TensorDesc(DETENT_F32, {}), TensorDesc(DETENT_F32, {})), DETENT_OPERATOR_SUCCESS);
  EXPECT_EQ(create(TensorDesc(DETENT_F32, {}), TensorDesc(DETENT_F32, {1})), DETENT_OPERATOR_BAD_TENSOR_SHAPE);
  for (const Numbers& dims : {Numbers{-1}, Numbers{INT64_MAX, 2}, Numbers{INT64_MAX, INT64_MAX},
                              Numbers{0, INT64_MAX, 9}, Numbers{INT64_MIN}, Numbers{int64_t{1} << 38}}) {
    EXPECT_EQ(create(TensorDesc(DETENT_F32, dims), TensorDesc(DETENT_F32, dims)), DETENT_OPERATOR_BAD_TENSOR_SHAPE);
  }
  for (const std::int64_t stride : {INT64_MAX, INT64_MIN, int64_t{1} << 40, -(int64_t{1} << 40)}) {
    EXPECT_EQ(create_dense(DETENT_F32, {3}, {stride}), DETENT_OPERATOR_BAD_TENSOR_STRIDES) << stride;
    EXPECT_EQ(create(TensorDesc(DETENT_F32, {3}), TensorDesc(DETENT_F32, {3}, {stride})),
              DETENT_OPERATOR_BAD_TENSOR_STRIDES);
  }
}

// The first ones were accepted by a check that stopped at a dimension of one element.
TEST(Operator, OutputsHaveAPlaceForEachElement) {
  const auto is_refused = [](const Numbers& dims, const Numbers& strides) {
    const detent_operator_status status = create_dense(DETENT_F32, dims, strides);
    EXPECT_TRUE(status == DETENT_OPERATOR_SUCCESS || status == DETENT_OPERATOR_BAD_TENSOR_STRIDES);
    return status == DETENT_OPERATOR_BAD_TENSOR_STRIDES;
  };
  EXPECT_TRUE(is_refused({1, 2048}, {2048, 0}));
  EXPECT_TRUE(is_refused({4, 1, 4}, {4, 4, 0}));
  EXPECT_TRUE(is_refused({4, 4}, {1, 1}));
  EXPECT_TRUE(is_refused({4, 4}, {3, 1}));
  EXPECT_TRUE(is_refused({2, 3}, {2, 1}));
  EXPECT_TRUE(is_refused({3, 3}, {2, -2}));
  EXPECT_FALSE(is_refused({4, 4}, {4, 1}));
  EXPECT_FALSE(is_refused({2, 3}, {3, 2})) << "0 2 4 and 3 5 7";
  EXPECT_FALSE(is_refused({3, 3}, {-3, -1}));
  EXPECT_FALSE(is_refused({1, 4}, {0, 1}));
  EXPECT_FALSE(is_refused({0, 4}, {0, 0})) << "no element, no place";
  EXPECT_FALSE(is_refused({1000, 1000}, {1, 1000}));
  EXPECT_FALSE(is_refused({1000, 999}, {999, 1000})) << "interleaved";
}

/// Shapes and strides that must work.
struct Layout {
  Numbers dims, in, out;
};

Numbers row_major(const Numbers& dims) {
  Numbers strides(dims.size());
  std::int64_t step = 1;
  for (std::size_t i = dims.size(); i-- > 0; step *= dims[i]) strides[i] = step;
  return strides;
}

std::int64_t reach(const Numbers& dims, const Numbers& strides) {
  std::int64_t elements = 1;
  for (std::size_t i = 0; i < dims.size(); ++i) elements += (dims[i] - 1) * std::abs(strides[i]);
  return elements;
}

std::int64_t lowest(const Numbers& dims, const Numbers& strides) {
  std::int64_t elements = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) elements += strides[i] < 0 ? (dims[i] - 1) * -strides[i] : 0;
  return elements;
}

/// Calls body(offset in the input, offset in the output) for each element.
template <typename Body>
void for_elements(const Layout& layout, const Body& body) {
  Numbers at(layout.dims.size());
  for (;;) {
    std::int64_t in = 0;
    std::int64_t out = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      in += at[i] * layout.in[i];
      out += at[i] * layout.out[i];
    }
    body(in, out);
    std::size_t dim = at.size();
    while (dim > 0 && ++at[dim - 1] == layout.dims[dim - 1]) at[--dim] = 0;
    if (dim == 0) return;
  }
}

void expect_silu(const Layout& layout, std::int32_t dtype, bool in_place) {
  const TensorDesc input(dtype, layout.dims, layout.in);
  const TensorDesc output(dtype, layout.dims, layout.out);
  detent_operator op = {};
  ASSERT_EQ(create(output, input, &op), DETENT_OPERATOR_SUCCESS);
  RandomSource random(static_cast<std::uint64_t>(dtype));
  const std::uint64_t painted = rounded(dtype, 123.0L);
  const std::int64_t in_reach = reach(layout.dims, layout.in);
  const std::int64_t out_reach = reach(layout.dims, layout.out);
  std::vector<std::uint64_t> x(static_cast<std::size_t>(in_reach));
  std::vector<std::uint64_t> y(static_cast<std::size_t>(out_reach));
  for (std::int64_t i = 0; i < in_reach; ++i) {
    set_element(x.data(), dtype, i, rounded(dtype, static_cast<long double>(random.next() % 2000) / 100 - 10));
  }
  for (std::int64_t i = 0; i < out_reach; ++i) set_element(y.data(), dtype, i, painted);
  const std::vector<std::uint64_t> before = x;
  const auto size = static_cast<std::int64_t>(bytes_of(dtype));
  auto* const x_at = reinterpret_cast<unsigned char*>(x.data()) + lowest(layout.dims, layout.in) * size;
  auto* const y_at = reinterpret_cast<unsigned char*>(y.data()) + lowest(layout.dims, layout.out) * size;
  const void* const inputs[] = {x_at};
  ASSERT_EQ(detent_operator_calculate(&op, nullptr, 0, in_place ? x_at : y_at, inputs, nullptr),
            DETENT_OPERATOR_SUCCESS);
  // The same elements side by side.
  std::vector<std::uint64_t> given;
  std::vector<std::int64_t> places;
  for_elements(layout, [&](std::int64_t in, std::int64_t out) {
    given.push_back(element(before.data(), dtype, in + lowest(layout.dims, layout.in)));
    places.push_back(out + lowest(layout.dims, layout.out));
  });
  const std::vector<std::uint64_t> wanted = calculated(DETENT_EW_SILU, dtype, given, {});
  std::vector<std::uint64_t> whole = in_place ? before : std::vector<std::uint64_t>(y.size());
  if (!in_place) {
    for (std::int64_t i = 0; i < out_reach; ++i) set_element(whole.data(), dtype, i, painted);
  }
  for (std::size_t i = 0; i < places.size(); ++i) set_element(whole.data(), dtype, places[i], wanted[i]);
  EXPECT_EQ(in_place ? x : y, whole) << "type " << dtype << ", gaps and all";
  if (!in_place) {
    EXPECT_EQ(x, before);
  }
}

TEST(Operator, StridesReadAndWriteWhatTheySay) {
  const auto dense = [](const Numbers& dims) { return Layout{dims, row_major(dims), row_major(dims)}; };
  const std::vector<Layout> layouts = {dense({13, 4}),
                                       {{13, 4}, {10, 1}, {10, 1}},
                                       {{13, 4}, {0, 1}, {4, 1}},
                                       dense({13, 4, 4}),
                                       {{13, 4, 4}, {20, 4, 1}, {20, 4, 1}},
                                       {{13, 4, 4}, {4, 0, 1}, {16, 4, 1}},
                                       dense({16, 5632}),
                                       {{16, 5632}, {13312, 1}, {13312, 1}},
                                       dense({4, 4, 5632}),
                                       {{4, 4, 5632}, {45056, 5632, 1}, {45056, 5632, 1}},
                                       {{13, 4}, {-4, 1}, {4, 1}},
                                       {{13, 4}, {4, 1}, {-4, -1}},
                                       {{300, 7}, {1, 300}, {7, 1}},
                                       {{300, 7}, {7, 1}, {1, 300}},
                                       {{1, 5, 1, 3}, {99, 3, 77, 1}, {0, 3, 0, 1}},
                                       {{}, {}, {}}};
  for (const Layout& layout : layouts) {
    for (const std::int32_t dtype : kOperatorTypes) {
      expect_silu(layout, dtype, false);
      if (layout.in == layout.out) expect_silu(layout, dtype, true);
    }
  }
}

/// Status of a calculation whose input begins `distance` elements behind the output in one memory.
detent_operator_status shared(const Layout& layout, std::int64_t distance) {
  const TensorDesc input(DETENT_F32, layout.dims, layout.in);
  const TensorDesc output(DETENT_F32, layout.dims, layout.out);
  detent_operator op = {};
  EXPECT_EQ(create(output, input, &op), DETENT_OPERATOR_SUCCESS);
  std::vector<float> memory(1000, 1.0F);
  const std::vector<float> before = memory;
  const void* const inputs[] = {memory.data() + 500 + distance};
  const detent_operator_status status =
      detent_operator_calculate(&op, nullptr, 0, memory.data() + 500, inputs, nullptr);
  if (status != DETENT_OPERATOR_SUCCESS) {
    EXPECT_EQ(memory, before);
  }
  return status;
}

TEST(Operator, AnInputThatSharesMemoryIsTheOutput) {
  EXPECT_EQ(shared({{4, 4}, {4, 1}, {4, 1}}, 0), DETENT_OPERATOR_SUCCESS);
  EXPECT_EQ(shared({{4, 4}, {4, 1}, {1, 4}}, 0), DETENT_OPERATOR_BAD_TENSOR_STRIDES);
  EXPECT_EQ(shared({{4, 4}, {0, 1}, {4, 1}}, 0), DETENT_OPERATOR_BAD_TENSOR_STRIDES);
  EXPECT_EQ(shared({{4, 4}, {4, 1}, {4, 1}}, 1), DETENT_OPERATOR_BAD_TENSOR_STRIDES);
  EXPECT_EQ(shared({{4, 4}, {4, 1}, {4, 1}}, -15), DETENT_OPERATOR_BAD_TENSOR_STRIDES);
  EXPECT_EQ(shared({{4, 4}, {4, 1}, {4, 1}}, 16), DETENT_OPERATOR_SUCCESS);
  EXPECT_EQ(shared({{4, 4}, {4, 1}, {4, 1}}, -16), DETENT_OPERATOR_SUCCESS);
  EXPECT_EQ(shared({{8}, {2}, {2}}, 1), DETENT_OPERATOR_SUCCESS) << "odd and even elements";
  EXPECT_EQ(shared({{8}, {2}, {2}}, 2), DETENT_OPERATOR_BAD_TENSOR_STRIDES);
  EXPECT_EQ(shared({{1, 4}, {9, 1}, {7, 1}}, 0), DETENT_OPERATOR_SUCCESS) << "strides of one element do not count";
}

TEST(Operator, AddressesAreAlignedAndThere) {
  const detent_operator op = dense_operator(DETENT_EW_ADD, DETENT_F32, 4);
  std::array<float, 12> memory{};
  auto* const bytes = reinterpret_cast<unsigned char*>(memory.data());
  const void* inputs[] = {memory.data() + 4, memory.data() + 8};
  const auto calculate = [&](void* output) {
    return detent_operator_calculate(&op, nullptr, 0, output, inputs, nullptr);
  };
  EXPECT_EQ(calculate(memory.data()), DETENT_OPERATOR_SUCCESS);
  EXPECT_EQ(calculate(bytes + 2), DETENT_OPERATOR_BAD_PARAM);
  EXPECT_EQ(calculate(nullptr), DETENT_OPERATOR_NULL_POINTER);
  EXPECT_EQ(detent_operator_calculate(&op, nullptr, 0, memory.data(), nullptr, nullptr), DETENT_OPERATOR_NULL_POINTER);
  inputs[1] = bytes + 17;
  EXPECT_EQ(calculate(memory.data()), DETENT_OPERATOR_BAD_PARAM);
  inputs[1] = nullptr;
  EXPECT_EQ(calculate(memory.data()), DETENT_OPERATOR_NULL_POINTER);
  detent_operator tampered = op;
  tampered.elementwise = 99;
  inputs[1] = memory.data() + 8;
  EXPECT_EQ(detent_operator_calculate(&tampered, nullptr, 0, memory.data(), inputs, nullptr),
            DETENT_OPERATOR_BAD_PARAM);
  tampered = op;
  tampered.dtype = DETENT_I32;
  EXPECT_EQ(detent_operator_calculate(&tampered, nullptr, 0, memory.data(), inputs, nullptr),
            DETENT_OPERATOR_BAD_PARAM);
  const detent_operator empty = dense_operator(DETENT_EW_ADD, DETENT_F32, 0);
  EXPECT_EQ(detent_operator_calculate(&empty, nullptr, 0, nullptr, inputs, nullptr), DETENT_OPERATOR_SUCCESS);
}

#if defined(__SSE__)
// Denormal operands read as 0, results flushed to 0.
TEST(Operator, TheCallersFloatingPointEnvironmentDoesNotCount) {
  constexpr unsigned kFlush = 0x8040;
  const unsigned callers = __builtin_ia32_stmxcsr();
  const detent_operator op = dense_operator(DETENT_EW_ABS, DETENT_F32, 1);
  const detent_operator half = dense_operator(DETENT_EW_MUL, DETENT_F32, 1);
  const float denormal = -0x1p-140F;
  const float small = 0x1p-100F;
  float y = 0;
  float z = 0;
  __builtin_ia32_ldmxcsr(callers | kFlush);
  const void* const inputs[] = {&denormal, nullptr};
  const detent_operator_status status = detent_operator_calculate(&op, nullptr, 0, &y, inputs, nullptr);
  const float least = 0x1p-40F;
  const void* const products[] = {&small, &least};
  const detent_operator_status second = detent_operator_calculate(&half, nullptr, 0, &z, products, nullptr);
  const unsigned after = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(callers);
  EXPECT_EQ(status, DETENT_OPERATOR_SUCCESS);
  EXPECT_EQ(second, DETENT_OPERATOR_SUCCESS);
  EXPECT_EQ(y, 0x1p-140F);
  EXPECT_EQ(z, 0x1p-140F);
  EXPECT_EQ(after & kFlush, kFlush) << "is the caller's again";
}
#endif

TEST(Operator, AfterDestroyNothingIsDone) {
  detent_operator op = dense_operator(DETENT_EW_SILU, DETENT_F32, 4);
  std::uint64_t bytes = 7;
  EXPECT_EQ(detent_operator_workspace_bytes(&op, &bytes), DETENT_OPERATOR_SUCCESS);
  EXPECT_EQ(bytes, 0U);
  EXPECT_EQ(detent_operator_workspace_bytes(&op, nullptr), DETENT_OPERATOR_NULL_POINTER);
  EXPECT_EQ(detent_operator_destroy(nullptr), DETENT_OPERATOR_NULL_POINTER);
  EXPECT_EQ(detent_operator_destroy(&op), DETENT_OPERATOR_SUCCESS);
  EXPECT_EQ(detent_operator_destroy(&op), DETENT_OPERATOR_BAD_PARAM);
  std::array<float, 4> memory{};
  const void* const inputs[] = {memory.data()};
  detent_operator part = {};
  std::int64_t offsets[3] = {};
  EXPECT_EQ(detent_operator_calculate(&op, nullptr, 0, memory.data(), inputs, nullptr), DETENT_OPERATOR_BAD_PARAM);
  EXPECT_EQ(detent_operator_workspace_bytes(&op, &bytes), DETENT_OPERATOR_BAD_PARAM);
  EXPECT_EQ(detent_operator_part(&op, 2, 0, &part, offsets), DETENT_OPERATOR_BAD_PARAM);
  EXPECT_EQ(detent_operator_parts(&op, 4), 1U);
}

TEST(Operator, PartsBeginAboveTheSerialLimit) {
  const auto parts = [](const Numbers& dims, std::uint32_t workers) {
    detent_operator op = {};
    EXPECT_EQ(create(TensorDesc(DETENT_F32, dims), TensorDesc(DETENT_F32, dims), &op), DETENT_OPERATOR_SUCCESS);
    return detent_operator_parts(&op, workers);
  };
  EXPECT_EQ(parts({1024}, 4), 1U);
  EXPECT_EQ(parts({1025}, 4), 4U);
  EXPECT_EQ(parts({1025}, 0), 1U);
  EXPECT_EQ(parts({2, 3, 400}, 500), 400U);
  EXPECT_EQ(parts({0, 5000}, 4), 1U);
  EXPECT_EQ(detent_operator_parts(nullptr, 4), 1U);
}

TEST(Operator, PartsAreTheWholeWhateverTheirNumber) {
  const Numbers dims = {3, 700};
  detent_operator op = {};
  ASSERT_EQ(create(TensorDesc(DETENT_F16, dims, {701, 1}), TensorDesc(DETENT_F16, dims), &op), DETENT_OPERATOR_SUCCESS);
  std::vector<std::uint16_t> x(2100);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::uint16_t>(i * 31);
  std::vector<std::uint16_t> whole(2102, 0x1234);
  const void* inputs[] = {x.data()};
  ASSERT_EQ(detent_operator_calculate(&op, nullptr, 0, whole.data(), inputs, nullptr), DETENT_OPERATOR_SUCCESS);
  for (const std::uint32_t count : {1U, 2U, 3U, 5U, 64U, 700U, 701U, 5000U}) {
    std::vector<std::uint16_t> y(2102, 0x1234);
    for (std::uint32_t index = 0; index < count; ++index) {
      detent_operator part = {};
      std::int64_t offsets[3] = {};
      ASSERT_EQ(detent_operator_part(&op, count, index, &part, offsets), DETENT_OPERATOR_SUCCESS);
      const void* from[] = {x.data() + offsets[1]};
      ASSERT_EQ(detent_operator_calculate(&part, nullptr, 0, y.data() + offsets[0], from, nullptr),
                DETENT_OPERATOR_SUCCESS);
    }
    EXPECT_EQ(y, whole) << count;
  }
  detent_operator part = {};
  std::int64_t offsets[3] = {};
  EXPECT_EQ(detent_operator_part(&op, 2, 2, &part, offsets), DETENT_OPERATOR_BAD_PARAM);
  EXPECT_EQ(detent_operator_part(&op, 0, 0, &part, offsets), DETENT_OPERATOR_BAD_PARAM);
  EXPECT_EQ(detent_operator_part(&op, 2, 0, nullptr, offsets), DETENT_OPERATOR_NULL_POINTER);
}

TEST(Operator, PartsOfASingleElement) {
  detent_operator op = {};
  ASSERT_EQ(create(TensorDesc(DETENT_F32, {}), TensorDesc(DETENT_F32, {}), &op), DETENT_OPERATOR_SUCCESS);
  std::array<float, 1> x = {1.0F};
  std::array<float, 1> y = {-1.0F};
  for (std::uint32_t index = 3; index-- > 0;) {
    EXPECT_EQ(y[0], -1.0F) << "the first part has the element";
    detent_operator part = {};
    std::int64_t offsets[3] = {};
    ASSERT_EQ(detent_operator_part(&op, 3, index, &part, offsets), DETENT_OPERATOR_SUCCESS);
    const void* from[] = {x.data() + offsets[1]};
    ASSERT_EQ(detent_operator_calculate(&part, nullptr, 0, y.data() + offsets[0], from, nullptr),
              DETENT_OPERATOR_SUCCESS);
  }
  EXPECT_NEAR(y[0], 0.7310586, 1e-6);
}

TEST(Operator, NamesOfStatusesAndOperators) {
  EXPECT_STREQ(detent_operator_status_name(DETENT_OPERATOR_SUCCESS), "SUCCESS");
  EXPECT_STREQ(detent_operator_status_name(DETENT_OPERATOR_INSUFFICIENT_WORKSPACE), "INSUFFICIENT_WORKSPACE");
  EXPECT_STREQ(detent_operator_status_name(static_cast<detent_operator_status>(9)), "?");
  EXPECT_EQ(DETENT_OPERATOR_BAD_TENSOR_STRIDES, 12);
  EXPECT_STREQ(detent_elementwise_name(DETENT_EW_GELU_TANH), "gelu_tanh");
  EXPECT_EQ(detent_elementwise_name(0), nullptr);
  EXPECT_EQ(detent_elementwise_name(20), nullptr);
  EXPECT_EQ(detent_elementwise_inputs(DETENT_EW_DIV), 2U);
  EXPECT_EQ(detent_elementwise_params(DETENT_EW_CLIP), 2U);
  EXPECT_EQ(detent_elementwise_inputs(-1), 0U);
}

// The kernel's check at bind: the Desc's tensors are the operator's operands.
class ElementwiseKernel : public ::testing::Test {
 protected:
  ElementwiseKernel() {
    op = dense_operator(DETENT_EW_ADD, DETENT_F16, 6);
    for (detent_tensor& tensor : tensors) {
      tensor.dtype = DETENT_F16;
      tensor.size_bytes = tensor.block_bytes = 12;
      tensor.block_count = 1;
      tensor.align_bytes = 2;
    }
    for (std::uint32_t k = 0; k < 3; ++k) {
      tensors[k].region = k;
      buffers[k].tensor = &tensors[k];
    }
    args.outputs = buffers.data();
    args.output_count = 1;
    args.inputs = buffers.data() + 1;
    args.input_count = 2;
    args.weights = buffers.data() + 2;
    args.config = &op;
    args.config_size = sizeof op;
  }

  detent_status check() { return ops::check_elementwise(&args); }

  detent_operator op = {};
  std::array<detent_tensor, 3> tensors = {};
  std::array<detent_buffer, 3> buffers = {};
  detent_kernel_args args = {};
};

TEST_F(ElementwiseKernel, TensorsAreTheOperands) {
  EXPECT_EQ(check(), DETENT_OK);
  const auto refuses = [&](auto& field, auto value) {
    const auto before = field;
    field = static_cast<std::remove_reference_t<decltype(field)>>(value);
    EXPECT_EQ(check(), DETENT_SHAPE);
    field = before;
    EXPECT_EQ(check(), DETENT_OK);
  };
  refuses(tensors[0].dtype, DETENT_BF16);
  refuses(tensors[2].block_bytes, 10U);
  refuses(tensors[1].block_count, 2U);
  refuses(tensors[1].layout, DETENT_LAYOUT_C16);
  refuses(tensors[0].align_bytes, 1U);
  refuses(op.version, 2U);
  refuses(op.dims[0], 0);
  refuses(op.dims[0], 7);
  refuses(op.strides[0][0], 0);
  refuses(op.strides[0][0], 2);
  refuses(op.input_count, 1U);
  refuses(args.input_count, 1U);
  refuses(args.output_count, 2U);
  refuses(args.config_size, 8U);
  // The second operand as a weight.
  args.input_count = 1;
  args.weight_count = 1;
  EXPECT_EQ(check(), DETENT_OK);
}

TEST_F(ElementwiseKernel, InPlaceOrApart) {
  tensors[1].region = 0;
  EXPECT_EQ(check(), DETENT_OK) << "in place";
  tensors[1].offset_bytes = 12;
  EXPECT_EQ(check(), DETENT_OK) << "behind the output";
  tensors[1].offset_bytes = 10;
  EXPECT_EQ(check(), DETENT_SHAPE) << "one element in common";
  tensors[1].offset_bytes = 1;
  EXPECT_EQ(check(), DETENT_SHAPE);
  tensors[1].offset_bytes = 0;
  op.strides[1][0] = -1;
  EXPECT_EQ(check(), DETENT_SHAPE) << "backwards";
}

}  // namespace
}  // namespace detent::ops_test
