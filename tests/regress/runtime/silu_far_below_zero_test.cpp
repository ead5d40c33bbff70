// SiLU far below zero is 0: e^-x was cut off at e^88 and x divided by it, so that SiLU(-inf) was -inf, SiLU(-3.4e38)
// was -2.06 and SiLU(-1e36) was -0.006, alone and fused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <detent/op_config.h>

#include "runtime/kernels/variants.h"

namespace detent {
namespace {

const detent_kernel* find_kernel(const detent_kernel_table& table, const char* name) {
  for (std::uint32_t i = 0; i < table.count; ++i) {
    if (std::strcmp(table.kernels[i].name, name) == 0) return &table.kernels[i];
  }
  return nullptr;
}

detent_tensor plain(std::int32_t rows, std::int32_t columns) {
  detent_tensor tensor{};
  tensor.size_bytes = tensor.block_bytes = 4U * static_cast<std::uint64_t>(rows * columns);
  tensor.block_count = 1;
  tensor.dtype = DETENT_F32;
  tensor.rank = 2;
  tensor.dims[0] = rows;
  tensor.dims[1] = columns;
  return tensor;
}

class SiluFarBelowZero : public testing::TestWithParam<std::uint32_t> {
 protected:
  void SetUp() override {
    if (!ops::variant_runs_here(GetParam())) GTEST_SKIP() << "not an instruction set of this machine";
  }
  const detent_kernel_table& table() { return *ops::variant(GetParam()).table; }
  std::vector<float> x_{-std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::max(), -1e36F, -200.0F};
  std::vector<float> y_ = std::vector<float>(4, 1.0F);
};

TEST_P(SiluFarBelowZero, Alone) {
  const detent_tensor shape = plain(1, 4);
  const detent_buffer in{x_.data(), &shape};
  const detent_buffer out{y_.data(), &shape};
  const detent_elementwise_config config{4, 0, DETENT_ACT_SILU};
  detent_kernel_args args{};
  args.inputs = &in;
  args.outputs = &out;
  args.input_count = args.output_count = 1;
  args.config = &config;
  args.config_size = sizeof config;
  ASSERT_EQ(find_kernel(table(), "unary_f32")->run(&args), 0);
  for (const float y : y_) EXPECT_TRUE(y == 0.0F && std::signbit(y)) << y;
}

TEST_P(SiluFarBelowZero, FusedIntoGemm) {
  const detent_tensor one = plain(1, 1);
  const detent_tensor shape = plain(1, 4);
  float factor = 1.0F;
  const detent_buffer in[] = {{&factor, &one}, {x_.data(), &shape}};
  const detent_buffer out{y_.data(), &shape};
  const detent_gemm_config config{.m = 1,
                                  .n = 4,
                                  .k = 1,
                                  .has_bias = 0,
                                  .activation = DETENT_ACT_SILU,
                                  .row_begin = 0,
                                  .row_end = 1,
                                  .reserved = 0};
  detent_kernel_args args{};
  args.inputs = in;
  args.outputs = &out;
  args.input_count = 2;
  args.output_count = 1;
  args.config = &config;
  args.config_size = sizeof config;
  ASSERT_EQ(find_kernel(table(), "gemm_f32")->run(&args), 0);
  for (const float y : y_) EXPECT_TRUE(y == 0.0F && std::signbit(y)) << y;
}

INSTANTIATE_TEST_SUITE_P(Variants, SiluFarBelowZero, testing::Range(0U, ops::variant_count()));

}  // namespace
}  // namespace detent
