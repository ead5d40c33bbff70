// transpose_f32 and reorder_f32 against index arithmetic, exact.
#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include <detent/op_config.h>

#include "tests/runtime/kernels/op_case.hpp"
#include "tests/runtime/kernels/reference.hpp"

namespace detent::ops_test {
namespace {

detent_transpose_config random_transpose(Random& random) {
  detent_transpose_config c = {};
  c.rank = random.between(1, 6);
  for (int i = 0; i < c.rank; ++i) {
    c.axes[i] = i;
    c.dims[i] = random.between(1, c.rank <= 3 ? 40 : 5);
  }
  for (int i = c.rank - 1; i > 0; --i) std::swap(c.axes[i], c.axes[random.between(0, i)]);
  return c;
}

std::vector<std::int32_t> dims_of_y(const detent_transpose_config& c) {
  std::vector<std::int32_t> dims;
  for (int i = 0; i < c.rank; ++i) dims.push_back(c.dims[c.axes[i]]);
  return dims;
}

// Index into x of the element that stands at `index` of y.
std::size_t source_of(const detent_transpose_config& c, std::size_t index) {
  std::size_t position[6] = {};
  for (int i = c.rank - 1; i >= 0; --i) {
    const std::size_t dim = size(c.dims[c.axes[i]]);
    position[c.axes[i]] = index % dim;
    index /= dim;
  }
  std::size_t source = 0;
  for (int i = 0; i < c.rank; ++i) source = source * size(c.dims[i]) + position[i];
  return source;
}

// Blocks of whole trailing axes, now and then.
void maybe_block(Random& random, TestTensor& t) {
  if (t.tensor.rank < 2 || random.one_in(2)) return;
  std::uint32_t blocks = 1;
  const int axes = random.between(1, t.tensor.rank - 1);
  for (int i = 0; i < axes; ++i) blocks *= static_cast<std::uint32_t>(t.tensor.dims[i]);
  t.strided(blocks, static_cast<std::uint64_t>(random.between(0, 4)));
}

}  // namespace

TEST(Transpose, RandomPermutationsMoveEveryElement) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const detent_transpose_config c = random_transpose(random);
    OpCase op;
    op.kernel = "transpose_f32";
    op.inputs.push_back(TestTensor::plain(std::vector<std::int32_t>(c.dims, c.dims + c.rank)));
    op.outputs.push_back(TestTensor::plain(dims_of_y(c)));
    maybe_block(random, op.inputs[0]);
    maybe_block(random, op.outputs[0]);
    op.inputs[0].set_random(random, 1.0F);
    op.set_config(c);
    op.run_everywhere();
    const std::vector<float> x = op.inputs[0].values();
    const std::vector<float> y = op.outputs[0].values();
    for (std::size_t i = 0; i < y.size(); ++i) ASSERT_EQ(y[i], x[source_of(c, i)]);
  }
}

TEST(Reorder, BothWaysKeepEveryElementAndZeroThePadding) {
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const detent_reorder_config c = {.channels = random.between(1, 50),
                                     .h = random.between(1, 9),
                                     .w = random.between(1, 40),
                                     .to_plain = random.between(0, 1),
                                     .activation = random.one_in(3) ? DETENT_ACT_SIGMOID : DETENT_ACT_NONE,
                                     .reserved = 0};
    TestTensor blocked = TestTensor::c16(c.channels, c.h, c.w).maybe_strided(random);
    TestTensor plain = TestTensor::plain({1, c.channels, c.h, c.w});
    if (random.one_in(2))
      plain.strided(static_cast<std::uint32_t>(c.channels), static_cast<std::uint64_t>(random.between(0, 9)));
    OpCase op;
    op.kernel = "reorder_f32";
    op.inputs.push_back(c.to_plain != 0 ? blocked : plain);
    op.outputs.push_back(c.to_plain != 0 ? plain : blocked);
    op.inputs[0].set_random(random, 2.0F);
    op.set_config(c);
    op.run_everywhere();
    const std::vector<double> x = op.inputs[0].logical();
    const std::vector<double> y = op.outputs[0].logical();
    ASSERT_EQ(x.size(), y.size());
    for (std::size_t i = 0; i < y.size(); ++i)
      ASSERT_NEAR(y[i], activation_reference(c.activation, x[i]), c.activation != 0 ? 3e-7 : 0.0);
  }
}

}  // namespace detent::ops_test
