// "mix" and "delay": the kernels of op graphs.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include <detent/op_config.h>

#include "tests/runtime/kernels/op_case.hpp"

namespace detent::ops_test {
namespace {

OpCase mix_case(std::uint64_t seed) {
  Random random(3);
  OpCase op;
  op.kernel = "mix";
  op.inputs.push_back(TestTensor::plain({97}));
  op.inputs.push_back(TestTensor::plain({40}).strided(5, 3));
  for (TestTensor& t : op.inputs) t.set_random(random, 1.0F);
  op.outputs.push_back(TestTensor::plain({33}));
  op.outputs.push_back(TestTensor::plain({24}).strided(4, 1));
  op.set_config(detent_mix_config{seed});
  return op;
}

}  // namespace

TEST(Mix, EveryInputElementReachesEveryOutput) {
  OpCase op = mix_case(1);
  op.run_everywhere();
  const std::vector<float> first = op.outputs[0].values();
  const std::vector<float> second = op.outputs[1].values();
  for (std::size_t t = 0; t < op.inputs.size(); ++t) {
    const std::vector<float> original = op.inputs[t].values();
    for (std::size_t i = 0; i < original.size(); ++i) {
      std::vector<float> changed = original;
      changed[i] += 0.5F;
      OpCase other = mix_case(1);
      other.inputs[t].set_values(changed);
      other.run_everywhere();
      ASSERT_NE(other.outputs[0].values(), first) << "input " << t << " element " << i;
      ASSERT_NE(other.outputs[1].values(), second) << "input " << t << " element " << i;
    }
  }
}

TEST(Mix, SeedAndOrderOfInputsMatter) {
  OpCase a = mix_case(1);
  OpCase b = mix_case(2);
  OpCase c = mix_case(1);
  std::swap(c.inputs[0], c.inputs[1]);
  std::set<std::vector<float>> results;
  for (OpCase* op : {&a, &b, &c}) {
    op->run_everywhere();
    results.insert(op->outputs[0].values());
  }
  EXPECT_EQ(results.size(), 3U);
}

TEST(Mix, OddSizesAndMissingConfigAreTaken) {
  for (std::uint64_t bytes = 1; bytes < 70; ++bytes) {
    std::vector<std::uint8_t> in(bytes + 8, 0xAB), out(bytes + 8, 0xCD);
    detent_tensor t = {};
    t.block_count = 1;
    t.block_bytes = t.size_bytes = bytes;
    const detent_buffer x = {in.data() + 3, &t};
    const detent_buffer y = {out.data() + 3, &t};
    detent_kernel_args args = {};
    args.inputs = &x;
    args.outputs = &y;
    args.input_count = args.output_count = 1;
    const detent_kernel& mix = kernel_of(variants_here().front(), "mix");
    ASSERT_EQ(mix.check(&args), DETENT_OK);
    ASSERT_EQ(mix.run(&args), 0);
    for (const std::size_t guard :
         {std::size_t{0}, std::size_t{2}, static_cast<std::size_t>(bytes) + 3, static_cast<std::size_t>(bytes) + 7}) {
      ASSERT_EQ(out[guard], 0xCD) << bytes;
    }
    const std::vector<std::uint8_t> once = out;
    ASSERT_EQ(mix.run(&args), 0);
    ASSERT_EQ(out, once);
  }
}

TEST(Delay, TakesNoTensors) {
  OpCase op;
  op.kernel = "delay";
  EXPECT_EQ(op.check(), DETENT_OK);
  op.run_everywhere();
  op.outputs.push_back(TestTensor::plain({1}));
  EXPECT_EQ(op.check(), DETENT_SHAPE);
}

}  // namespace detent::ops_test
