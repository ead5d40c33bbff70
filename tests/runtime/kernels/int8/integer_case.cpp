// Guarded tensors of bytes, and the watched call of a kernel.
#include "tests/runtime/kernels/int8/integer_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace detent::ops_test::int8 {
namespace {

constexpr std::size_t kGuard = 192;  // bytes before and after

std::size_t bytes_of(std::uint8_t dtype) { return dtype == DETENT_I8 ? 1 : 4; }

template <typename T>
double read_as(const std::uint8_t* at) {
  T value{};
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

template <typename T>
void write_as(std::uint8_t* at, double value) {
  const T stored = static_cast<T>(value);
  std::memcpy(at, &stored, sizeof stored);
}

std::vector<detent_buffer> buffers_of(std::vector<IntegerTensor>& tensors) {
  std::vector<detent_buffer> buffers;
  for (IntegerTensor& tensor : tensors) buffers.push_back(tensor.buffer());
  return buffers;
}

// The call with its tables.
struct Call {
  explicit Call(IntegerCase& op)
      : inputs(buffers_of(op.inputs)),
        outputs(buffers_of(op.outputs)),
        weights(buffers_of(op.weights)),
        config(op.config.size() / 8 + 1) {
    if (!op.config.empty()) std::memcpy(config.data(), op.config.data(), op.config.size());
    args.inputs = inputs.data();
    args.outputs = outputs.data();
    args.weights = weights.data();
    args.input_count = static_cast<std::uint32_t>(inputs.size());
    args.output_count = static_cast<std::uint32_t>(outputs.size());
    args.weight_count = static_cast<std::uint32_t>(weights.size());
    args.config = config.data();
    args.config_size = static_cast<std::uint32_t>(op.config.size());
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  std::vector<detent_buffer> inputs, outputs, weights;
  std::vector<std::uint64_t> config;
  detent_kernel_args args{};
};

std::vector<std::vector<std::uint8_t>> memory_of(const std::vector<IntegerTensor>& tensors) {
  std::vector<std::vector<std::uint8_t>> all;
  for (const IntegerTensor& tensor : tensors) all.push_back(tensor.memory());
  return all;
}

void expect_written(const IntegerTensor& output, std::uint8_t byte, const char* kernel) {
  EXPECT_TRUE(output.painted_outside(byte)) << kernel << " wrote outside of an output";
  const std::vector<double> stored = output.values();
  for (std::size_t i = 0; i < stored.size(); ++i) {
    if (!output.pads(i)) continue;
    ASSERT_EQ(stored[i], 0.0) << kernel << " left padding channels";
  }
}

void run_once(IntegerCase& op, const detent_kernel& kernel, std::uint8_t byte) {
  for (IntegerTensor& t : op.inputs) t.paint(byte, false);
  for (IntegerTensor& t : op.weights) t.paint(byte, false);
  for (IntegerTensor& t : op.outputs) t.paint(byte, true);
  const Call call(op);
  ASSERT_EQ(kernel.check(&call.args), DETENT_OK) << kernel.name;
  const auto inputs = memory_of(op.inputs);
  const auto weights = memory_of(op.weights);
  ASSERT_EQ(kernel.run(&call.args), 0) << kernel.name;
  EXPECT_TRUE(memory_of(op.inputs) == inputs) << kernel.name << " wrote an input, or around it";
  EXPECT_TRUE(memory_of(op.weights) == weights) << kernel.name << " wrote a weight, or around it";
  for (const IntegerTensor& t : op.outputs) expect_written(t, byte, kernel.name);
}

std::vector<std::vector<double>> values_of(const std::vector<IntegerTensor>& tensors) {
  std::vector<std::vector<double>> all;
  for (const IntegerTensor& tensor : tensors) all.push_back(tensor.values());
  return all;
}

}  // namespace

IntegerTensor IntegerTensor::plain(detent_dtype dtype, std::vector<std::int32_t> dims) {
  IntegerTensor result;
  detent_tensor& t = result.tensor;
  t.dtype = static_cast<std::uint8_t>(dtype);
  t.layout = DETENT_LAYOUT_PLAIN;
  t.rank = static_cast<std::uint8_t>(dims.size());
  t.block_bytes = bytes_of(t.dtype);
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

IntegerTensor IntegerTensor::c16(detent_dtype dtype, std::int32_t channels, std::int32_t h, std::int32_t w) {
  IntegerTensor result = plain(dtype, {1, (channels + 15) / 16 * 16, h, w});
  result.tensor.dims[1] = channels;
  result.tensor.layout = DETENT_LAYOUT_C16;
  return result;
}

IntegerTensor& IntegerTensor::strided(std::uint32_t blocks, std::uint64_t gap_elements) {
  const std::uint64_t bytes = tensor.block_bytes * tensor.block_count;
  tensor.block_count = blocks;
  tensor.block_bytes = bytes / blocks;
  tensor.stride_bytes = blocks > 1 ? tensor.block_bytes + gap_elements * bytes_of(tensor.dtype) : 0;
  tensor.size_bytes = (blocks - 1) * tensor.stride_bytes + tensor.block_bytes;
  place();
  return *this;
}

IntegerTensor& IntegerTensor::maybe_strided(Random& random) {
  if (random.one_in(2)) return *this;
  return strided(static_cast<std::uint32_t>(tensor.dims[1] + 15) / 16,
                 16U * static_cast<unsigned>(random.between(0, 9)));
}

// An I8 tensor begins at an odd address: nothing may want more alignment of it.
void IntegerTensor::place() {
  memory_.assign(tensor.size_bytes + 2 * kGuard + 4, 0);
  const std::size_t past = reinterpret_cast<std::uintptr_t>(memory_.data() + kGuard) % 4;
  first_ = kGuard + (4 - past) % 4 + (tensor.dtype == DETENT_I8 ? 1 : 0);
  is_inside_.assign(memory_.size(), 0);
  for (std::uint32_t block = 0; block < tensor.block_count; ++block) {
    const auto begin = is_inside_.begin() + static_cast<std::ptrdiff_t>(first_ + block * tensor.stride_bytes);
    std::fill_n(begin, tensor.block_bytes, std::uint8_t{1});
  }
}

detent_buffer IntegerTensor::buffer() { return {memory_.data() + first_, &tensor}; }

std::size_t IntegerTensor::stored_count() const {
  return tensor.block_bytes * tensor.block_count / bytes_of(tensor.dtype);
}

template <typename Visit>
void IntegerTensor::for_stored(Visit visit) const {
  const std::size_t bytes = bytes_of(tensor.dtype);
  std::size_t index = 0;
  for (std::uint32_t block = 0; block < tensor.block_count; ++block) {
    for (std::size_t at = 0; at < tensor.block_bytes; at += bytes) {
      visit(index++, first_ + block * tensor.stride_bytes + at);
    }
  }
}

void IntegerTensor::set_values(const std::vector<double>& values) {
  for_stored([&](std::size_t index, std::size_t at) {
    if (tensor.dtype == DETENT_I8) write_as<std::int8_t>(&memory_[at], values[index]);
    if (tensor.dtype == DETENT_I32) write_as<std::int32_t>(&memory_[at], values[index]);
    if (tensor.dtype == DETENT_F32) write_as<float>(&memory_[at], values[index]);
  });
}

std::vector<double> IntegerTensor::values() const {
  std::vector<double> values(stored_count());
  for_stored([&](std::size_t index, std::size_t at) {
    if (tensor.dtype == DETENT_I8) values[index] = read_as<std::int8_t>(&memory_[at]);
    if (tensor.dtype == DETENT_I32) values[index] = read_as<std::int32_t>(&memory_[at]);
    if (tensor.dtype == DETENT_F32) values[index] = read_as<float>(&memory_[at]);
  });
  return values;
}

bool IntegerTensor::pads(std::size_t index) const {
  if (tensor.layout != DETENT_LAYOUT_C16) return false;
  const auto plane = size(tensor.dims[2]) * size(tensor.dims[3]) * 16;
  return index / plane * 16 + index % 16 >= size(tensor.dims[1]);
}

void IntegerTensor::set_random(Random& random, std::int64_t low, std::int64_t high) {
  std::vector<double> drawn(stored_count());
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const auto span = static_cast<std::uint64_t>(high - low) + 1;
    const std::int64_t value = low + static_cast<std::int64_t>(random.below64(span));
    drawn[i] = pads(i) ? 0.0 : static_cast<double>(value);
  }
  set_values(drawn);
}

std::vector<double> IntegerTensor::logical() const {
  const std::vector<double> stored = values();
  if (tensor.layout == DETENT_LAYOUT_PLAIN) return stored;
  const std::size_t pixels = size(tensor.dims[2]) * size(tensor.dims[3]);
  std::vector<double> result;
  for (std::size_t c = 0; c < size(tensor.dims[1]); ++c) {
    for (std::size_t p = 0; p < pixels; ++p) result.push_back(stored[(c / 16 * pixels + p) * 16 + c % 16]);
  }
  return result;
}

void IntegerTensor::paint(std::uint8_t byte, bool whole) {
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    if (whole || is_inside_[i] == 0) memory_[i] = byte;
  }
}

bool IntegerTensor::painted_outside(std::uint8_t byte) const {
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    if (is_inside_[i] == 0 && memory_[i] != byte) return false;
  }
  return true;
}

detent_status IntegerCase::check() {
  const Call call(*this);
  return kernel_of(ops::variant(0), kernel).check(&call.args);
}

void IntegerCase::run_everywhere() {
  std::vector<std::vector<double>> first;
  for (const ops::Variant& variant : variants_with(kernel)) {
    for (const std::uint8_t byte : {std::uint8_t{0xA5}, std::uint8_t{0x3C}}) {
      run_once(*this, kernel_of(variant, kernel), byte);
      if (testing::Test::HasFatalFailure()) return;
      if (first.empty()) first = values_of(outputs);
      ASSERT_TRUE(values_of(outputs) == first) << kernel << ": other bits from " << variant.name;
    }
  }
}

std::int64_t rounded_reference(std::int64_t p, std::int32_t shift) {
  const std::int64_t unit = std::int64_t{1} << shift;
  std::int64_t quotient = p / unit;
  if (quotient * unit > p) --quotient;  // division cuts towards 0
  const std::int64_t rest = p - quotient * unit;
  const bool is_tie = rest * 2 == unit;
  return rest * 2 > unit || (is_tie && quotient % 2 != 0) ? quotient + 1 : quotient;
}

std::int32_t wrapped_reference(std::int64_t sum) {
  std::int64_t rest = sum % (std::int64_t{1} << 32);
  if (rest < std::numeric_limits<std::int32_t>::min()) rest += std::int64_t{1} << 32;
  if (rest > std::numeric_limits<std::int32_t>::max()) rest -= std::int64_t{1} << 32;
  return static_cast<std::int32_t>(rest);
}

std::int64_t requantised_reference(std::int64_t sum, std::int64_t multiplier, const detent_requantisation& result,
                                   const std::vector<double>& table) {
  const std::int64_t r = rounded_reference(wrapped_reference(sum) * multiplier, result.shift);
  const std::int64_t t = std::min<std::int64_t>(std::max<std::int64_t>(r, result.low), result.high);
  return table.empty() ? t : static_cast<std::int64_t>(table[static_cast<std::size_t>(t + 128)]);
}

detent_requantisation random_requantisation(Random& random, std::int32_t least_shift, std::int32_t greatest_shift) {
  detent_requantisation result = {.shift = random.between(least_shift, greatest_shift),
                                  .low = -128,
                                  .high = 127,
                                  .has_table = random.between(0, 1)};
  if (random.one_in(3)) result.low = 0;
  if (random.one_in(4)) {
    result.low = random.between(-128, 127);
    result.high = random.between(result.low, 127);
  }
  return result;
}

void add_requantising_weights(Random& random, IntegerCase& op, const detent_requantisation& result, int padded,
                              std::int64_t bias_limit) {
  op.weights.push_back(IntegerTensor::plain(DETENT_I32, {padded}));
  op.weights.back().set_random(random, -bias_limit, bias_limit);
  op.weights.push_back(IntegerTensor::plain(DETENT_I32, {padded}));
  op.weights.back().set_random(random, -(std::int64_t{1} << 30), (std::int64_t{1} << 31) - 1);
  if (result.has_table == 0) return;
  op.weights.push_back(IntegerTensor::plain(DETENT_I8, {256}));
  op.weights.back().set_random(random, -128, 127);
}

}  // namespace detent::ops_test::int8
