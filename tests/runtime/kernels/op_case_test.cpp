// The watcher of kernel calls itself: faulty kernels it must catch, and a good one it must not.
#include "tests/runtime/kernels/op_case.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

namespace detent::ops_test {
namespace {

constexpr int kCount = 8;

const float* input(const detent_kernel_args* args) { return static_cast<const float*>(args->inputs[0].data); }
float* output(const detent_kernel_args* args) { return static_cast<float*>(args->outputs[0].data); }

int32_t double_all(const detent_kernel_args* args) {
  for (int i = 0; i < kCount; ++i) output(args)[i] = 2 * input(args)[i];
  return 0;
}

int32_t write_past_the_end(const detent_kernel_args* args) {
  double_all(args);
  output(args)[kCount] = 0;
  return 0;
}

int32_t leave_the_last_unwritten(const detent_kernel_args* args) {
  for (int i = 0; i + 1 < kCount; ++i) output(args)[i] = 2 * input(args)[i];
  return 0;
}

int32_t read_before_the_start(const detent_kernel_args* args) {
  double_all(args);
  output(args)[0] += input(args)[-1];
  return 0;
}

int32_t write_the_input(const detent_kernel_args* args) {
  double_all(args);
  static_cast<float*>(args->inputs[0].data)[3] = 1;
  return 0;
}

int32_t differ_in_one_bit(const detent_kernel_args* args) {
  double_all(args);
  output(args)[5] *= 1.0000001F;
  return 0;
}

int32_t fail(const detent_kernel_args* /*args*/) { return 1; }

detent_status accept(const detent_kernel_args* /*args*/) { return DETENT_OK; }

// How many failures watching these implementations reports.
int failures_of(std::initializer_list<detent_kernel_fn> implementations) {
  std::vector<detent_kernel> kernels;
  for (const detent_kernel_fn run : implementations) kernels.push_back({"doubled", run, accept});
  OpCase op;
  op.kernel = "doubled";
  op.inputs = {TestTensor::plain({kCount})};
  op.outputs = {TestTensor::plain({kCount})};
  op.inputs[0].set_values({1, 2, 3, 4, 5, 6, 7, 8});
  testing::TestPartResultArray results;
  {
    const testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    op.run_watched(kernels);
  }
  return results.size();
}

}  // namespace

TEST(OpCase, AcceptsAGoodKernel) { EXPECT_EQ(failures_of({double_all, double_all}), 0); }
TEST(OpCase, CatchesAWriteOutside) { EXPECT_GT(failures_of({write_past_the_end}), 0); }
TEST(OpCase, CatchesAnUnwrittenElement) { EXPECT_GT(failures_of({leave_the_last_unwritten}), 0); }
TEST(OpCase, CatchesAReadOutside) { EXPECT_GT(failures_of({read_before_the_start}), 0); }
TEST(OpCase, CatchesAWrittenInput) { EXPECT_GT(failures_of({write_the_input}), 0); }
TEST(OpCase, CatchesOtherBitsFromOneImplementation) { EXPECT_GT(failures_of({double_all, differ_in_one_bit}), 0); }
TEST(OpCase, CatchesAnErrorCode) { EXPECT_GT(failures_of({fail}), 0); }

}  // namespace detent::ops_test
