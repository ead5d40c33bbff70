// Guarded tensors and the watched kernel call.
#include "tests/runtime/kernels/op_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "tests/runtime/kernels/standard_kernels.hpp"

namespace detent::ops_test {
namespace {

constexpr std::size_t kGuard = 48;  // floats before and after
// Two signalling patterns: both are NaN, so a value computed from them shows.
constexpr std::uint32_t kPatternA = 0x7FA1DEADU;
constexpr std::uint32_t kPatternB = 0xFFB2BEEFU;

struct Args {
  std::vector<detent_buffer> inputs, outputs, weights, scratch;
  detent_kernel_args args{};
};

Args args_of(OpCase& op, std::vector<std::uint64_t>& config) {
  Args a;
  for (TestTensor& t : op.inputs) a.inputs.push_back(t.buffer());
  for (TestTensor& t : op.outputs) a.outputs.push_back(t.buffer());
  for (TestTensor& t : op.weights) a.weights.push_back(t.buffer());
  for (TestTensor& t : op.scratch) a.scratch.push_back(t.buffer());
  config.assign(op.config.size() / 8 + 1, 0);
  if (!op.config.empty()) std::memcpy(config.data(), op.config.data(), op.config.size());
  a.args.inputs = a.inputs.data();
  a.args.outputs = a.outputs.data();
  a.args.weights = a.weights.data();
  a.args.input_count = static_cast<std::uint32_t>(a.inputs.size());
  a.args.output_count = static_cast<std::uint32_t>(a.outputs.size());
  a.args.weight_count = static_cast<std::uint32_t>(a.weights.size());
  a.args.scratch = a.scratch.data();
  a.args.scratch_count = static_cast<std::uint32_t>(a.scratch.size());
  a.args.config = config.data();
  a.args.config_size = static_cast<std::uint32_t>(op.config.size());
  a.args.op = 7;
  return a;
}

std::vector<std::uint32_t> bits_of(const std::vector<float>& values) {
  std::vector<std::uint32_t> bits(values.size());
  if (!values.empty()) std::memcpy(bits.data(), values.data(), values.size() * 4);
  return bits;
}

std::vector<std::vector<std::uint32_t>> stored_bits(const std::vector<TestTensor>& tensors) {
  std::vector<std::vector<std::uint32_t>> all;
  for (const TestTensor& t : tensors) all.push_back(bits_of(t.values()));
  return all;
}

void run_once(OpCase& op, const detent_kernel& kernel, std::uint32_t pattern) {
  for (TestTensor& t : op.inputs) t.paint(pattern, false);
  for (TestTensor& t : op.weights) t.paint(pattern, false);
  for (TestTensor& t : op.outputs) t.paint(pattern, true);
  for (TestTensor& t : op.scratch) t.paint(pattern, true);
  std::vector<std::uint64_t> config;
  const Args a = args_of(op, config);
  ASSERT_EQ(kernel.check(&a.args), DETENT_OK) << kernel.name;
  const auto inputs = stored_bits(op.inputs);
  const auto weights = stored_bits(op.weights);
  ASSERT_EQ(kernel.run(&a.args), 0) << kernel.name;
  EXPECT_EQ(stored_bits(op.inputs), inputs) << kernel.name << " wrote an input";
  EXPECT_EQ(stored_bits(op.weights), weights) << kernel.name << " wrote a weight";
  for (const TestTensor& t : op.inputs) EXPECT_TRUE(t.painted_outside(pattern)) << kernel.name;
  for (const TestTensor& t : op.weights) EXPECT_TRUE(t.painted_outside(pattern)) << kernel.name;
  for (const TestTensor& t : op.scratch) EXPECT_TRUE(t.painted_outside(pattern)) << kernel.name;
  for (const TestTensor& t : op.outputs) {
    EXPECT_TRUE(t.painted_outside(pattern)) << kernel.name << " wrote outside an output";
    EXPECT_TRUE(t.padding_is_zero()) << kernel.name << " left padding channels";
    for (const std::uint32_t word : bits_of(t.values())) {
      ASSERT_NE(word, pattern) << kernel.name << " left an output byte unwritten";
    }
  }
}

}  // namespace

int Random::between(int low, int high) {
  const auto span = static_cast<std::uint64_t>(high - low) + 1;
  return low + static_cast<int>((next() >> 32U) * span >> 32U);
}

float Random::real(float limit) {
  return (static_cast<float>(next() >> 40U) / 8388608.0F - 1.0F + 1.0F / 16777216.0F) * limit;
}

TestTensor TestTensor::plain(std::vector<std::int32_t> dims) {
  TestTensor result;
  detent_tensor& t = result.tensor;
  t.dtype = DETENT_F32;
  t.layout = DETENT_LAYOUT_PLAIN;
  t.rank = static_cast<std::uint8_t>(dims.size());
  t.block_bytes = 4;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    t.dims[i] = dims[i];
    t.block_bytes *= static_cast<std::uint64_t>(dims[i]);
  }
  t.size_bytes = t.block_bytes;
  t.block_count = 1;
  t.align_bytes = 4;
  t.alias_of = DETENT_NONE;
  result.place();
  return result;
}

TestTensor TestTensor::c16(std::int32_t channels, std::int32_t h, std::int32_t w) {
  TestTensor result = plain({1, (channels + 15) / 16 * 16, h, w});
  result.tensor.dims[1] = channels;
  result.tensor.layout = DETENT_LAYOUT_C16;
  return result;
}

TestTensor& TestTensor::strided(std::uint32_t blocks, std::uint64_t gap_floats) {
  const std::uint64_t bytes = tensor.block_bytes * tensor.block_count;
  tensor.block_count = blocks;
  tensor.block_bytes = bytes / blocks;
  tensor.stride_bytes = blocks > 1 ? tensor.block_bytes + gap_floats * 4 : 0;
  tensor.size_bytes = (blocks - 1) * tensor.stride_bytes + tensor.block_bytes;
  place();
  return *this;
}

TestTensor& TestTensor::maybe_strided(Random& random) {
  if (random.one_in(2)) return *this;
  return strided(static_cast<std::uint32_t>(tensor.dims[1] + 15) / 16,
                 16U * static_cast<unsigned>(random.between(0, 9)));
}

void TestTensor::place() { memory_.assign(tensor.size_bytes / 4 + 2 * kGuard, 0.0F); }

detent_buffer TestTensor::buffer() { return {memory_.data() + kGuard, &tensor}; }

std::size_t TestTensor::stored_count() const { return tensor.block_bytes * tensor.block_count / 4; }

template <typename Visit>
void TestTensor::for_stored(Visit visit) const {
  std::size_t index = 0;
  for (std::uint32_t b = 0; b < tensor.block_count; ++b) {
    const std::size_t begin = kGuard + b * tensor.stride_bytes / 4;
    for (std::size_t i = 0; i < tensor.block_bytes / 4; ++i) visit(index++, begin + i);
  }
}

void TestTensor::set_random(Random& random, float limit) {
  std::vector<float> dense(stored_count());
  for (float& x : dense) x = random.real(limit);
  if (tensor.layout == DETENT_LAYOUT_C16 && tensor.dims[1] % 16 != 0) {
    const std::size_t last =
        stored_count() - static_cast<std::size_t>(tensor.dims[2]) * static_cast<std::size_t>(tensor.dims[3]) * 16;
    for (std::size_t i = last; i < dense.size(); ++i) {
      if (i % 16 >= static_cast<std::size_t>(tensor.dims[1] % 16)) dense[i] = 0.0F;
    }
  }
  set_values(dense);
}

void TestTensor::set_values(const std::vector<float>& dense) {
  for_stored([&](std::size_t index, std::size_t at) { memory_[at] = dense[index]; });
}

std::vector<float> TestTensor::values() const {
  std::vector<float> dense(stored_count());
  for_stored([&](std::size_t index, std::size_t at) { std::memcpy(&dense[index], &memory_[at], 4); });
  return dense;
}

std::vector<double> TestTensor::logical() const {
  const std::vector<float> dense = values();
  if (tensor.layout == DETENT_LAYOUT_PLAIN) return {dense.begin(), dense.end()};
  const auto pixels = static_cast<std::size_t>(tensor.dims[2]) * static_cast<std::size_t>(tensor.dims[3]);
  std::vector<double> result;
  for (std::size_t c = 0; c < static_cast<std::size_t>(tensor.dims[1]); ++c) {
    for (std::size_t p = 0; p < pixels; ++p) {
      result.push_back(static_cast<double>(dense[(c / 16 * pixels + p) * 16 + c % 16]));
    }
  }
  return result;
}

bool TestTensor::padding_is_zero() const {
  const int used = tensor.dims[1] % 16;
  if (tensor.layout != DETENT_LAYOUT_C16 || used == 0) return true;
  const std::vector<float> dense = values();
  const std::size_t last =
      dense.size() - static_cast<std::size_t>(tensor.dims[2]) * static_cast<std::size_t>(tensor.dims[3]) * 16;
  for (std::size_t i = last; i < dense.size(); ++i) {
    if (static_cast<int>(i % 16) >= used && std::bit_cast<std::uint32_t>(dense[i]) != 0) return false;
  }
  return true;
}

void TestTensor::paint(std::uint32_t pattern, bool whole) {
  std::vector<float> painted(memory_.size());
  for (float& x : painted) std::memcpy(&x, &pattern, 4);
  if (!whole) {
    for_stored([&](std::size_t /*index*/, std::size_t at) { std::memcpy(&painted[at], &memory_[at], 4); });
  }
  // Same storage: buffers handed out stay valid.
  std::memcpy(memory_.data(), painted.data(), painted.size() * 4);
}

bool TestTensor::painted_outside(std::uint32_t pattern) const {
  std::vector<bool> inside(memory_.size(), false);
  for_stored([&](std::size_t /*index*/, std::size_t at) { inside[at] = true; });
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    std::uint32_t word = 0;
    std::memcpy(&word, &memory_[i], 4);
    if (!inside[i] && word != pattern) return false;
  }
  return true;
}

detent_status OpCase::check() {
  std::vector<std::uint64_t> bytes;
  const Args a = args_of(*this, bytes);
  return kernel_of(ops::variant(0), kernel).check(&a.args);
}

void OpCase::run_everywhere() {
  std::vector<detent_kernel> kernels;
  for (const ops::Variant& variant : variants_with(kernel)) kernels.push_back(kernel_of(variant, kernel));
  run_watched(kernels);
}

void OpCase::run_watched(const std::vector<detent_kernel>& kernels) {
  std::vector<std::vector<std::uint32_t>> first;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    for (const std::uint32_t pattern : {kPatternA, kPatternB}) {
      run_once(*this, kernels[i], pattern);
      if (testing::Test::HasFatalFailure()) return;
      if (first.empty()) first = stored_bits(outputs);
      ASSERT_EQ(stored_bits(outputs), first) << kernel << ": other bits from implementation " << i;
    }
  }
}

std::vector<ops::Variant> variants_here() {
  std::vector<ops::Variant> here;
  for (std::uint32_t i = 0; i < ops::variant_count(); ++i) {
    if (ops::variant_runs_here(i)) here.push_back(ops::variant(i));
  }
  here.push_back({"standard", &ops::standard::kTable});
#if defined(DETENT_OPS_VNNI)
  here.push_back({"quads", &ops::quads::kTable});
#endif
  return here;
}

std::vector<ops::Variant> variants_with(const std::string& kernel) {
  std::vector<ops::Variant> found;
  for (const ops::Variant& variant : variants_here()) {
    const detent_kernel_fn run = kernel_of(variant, kernel).run;
    const bool is_known = std::any_of(found.begin(), found.end(),
                                      [&](const ops::Variant& other) { return kernel_of(other, kernel).run == run; });
    if (!is_known) found.push_back(variant);
  }
  return found;
}

const detent_kernel& kernel_of(const ops::Variant& variant, const std::string& name) {
  for (std::uint32_t i = 0; i < variant.table->count; ++i) {
    if (name == variant.table->kernels[i].name) return variant.table->kernels[i];
  }
  throw std::invalid_argument("no kernel " + name);
}

}  // namespace detent::ops_test
