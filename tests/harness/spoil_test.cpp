// What a failing op leaves of its outputs.
#include "harness/faults/spoil.hpp"

#include <gtest/gtest.h>

#include <array>

namespace detent::harness {
namespace {

TEST(SpoilOutputs, EveryByteOfEveryBlockAndNoOther) {
  std::array<std::uint8_t, 16> bytes{};
  detent_tensor tensor{};
  tensor.block_bytes = 2;
  tensor.block_count = 3;
  tensor.stride_bytes = 5;
  const detent_buffer output{bytes.data() + 1, &tensor};
  detent_kernel_args args{};
  args.outputs = &output;
  args.output_count = 1;
  spoil_outputs(args);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const bool is_written = i >= 1 && i < 13 && (i - 1) % 5 < 2;
    EXPECT_EQ(bytes[i] != 0, is_written) << i;
  }
}

}  // namespace
}  // namespace detent::harness
