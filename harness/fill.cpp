// Fill: a seed -> inputs, and a fixed pattern everywhere else.
#include "harness/fill.hpp"

#include <cstring>

#include "base/ids.hpp"

namespace detent::harness {
namespace {

/// splitmix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

/// A stream of its own for each (seed, kind, index), so that one more tensor does not change the others.
Random stream(std::uint64_t seed, std::uint64_t kind, std::uint64_t index) {
  return Random(Random(seed ^ (kind << 56)).next() + index * 0xd1342543de82ef95u);
}

void fill_bytes(std::uint8_t* to, std::uint64_t count, Random random) {
  for (std::uint64_t i = 0; i < count; i += sizeof(std::uint64_t)) {
    const std::uint64_t word = random.next();
    std::memcpy(to + i, &word, count - i < sizeof word ? count - i : sizeof word);
  }
}

/// 24 random bits as a multiple of 2^-23 in [-1, 1): exact in a float.
float random_float(Random& random) {
  return static_cast<float>(static_cast<std::int32_t>(random.next() >> 40) - (1 << 23)) * 0x1p-23f;
}

/// Is element `index` of a C16 tensor [ceil(C/16)][H][W][16] in a channel that only pads?
bool is_padding(const detent_tensor& tensor, std::uint64_t index) {
  if (tensor.layout != DETENT_LAYOUT_C16 || tensor.rank != 4) return false;
  const auto plane = static_cast<std::uint64_t>(tensor.dims[2]) * static_cast<std::uint64_t>(tensor.dims[3]);
  const std::uint64_t channel = index / (16 * plane) * 16 + index % 16;
  return channel >= static_cast<std::uint64_t>(tensor.dims[1]);
}

/// Elements count through all blocks of the tensor.
void fill_floats(std::uint8_t* data, const detent_tensor& tensor, Random random) {
  const std::uint64_t per_block = tensor.block_bytes / sizeof(float);
  for (std::uint32_t block = 0; block < tensor.block_count; ++block) {
    for (std::uint64_t i = 0; i < per_block; ++i) {
      const float drawn = random_float(random);
      const float value = is_padding(tensor, block * per_block + i) ? 0.0f : drawn;
      std::memcpy(data + block * tensor.stride_bytes + i * sizeof value, &value, sizeof value);
    }
  }
}

void fill_bools(std::uint8_t* data, const detent_tensor& tensor, Random random) {
  for (std::uint32_t block = 0; block < tensor.block_count; ++block) {
    for (std::uint64_t i = 0; i < tensor.block_bytes; ++i) {
      data[block * tensor.stride_bytes + i] = static_cast<std::uint8_t>(random.next() >> 63);
    }
  }
}

/// `ordinal`: how many input regions stand before it, so that other regions may come and go.
void fill_region(const detent_desc& desc, const detent_context& context, std::uint32_t index, std::uint32_t ordinal,
                 std::uint64_t seed) {
  const detent_region& region = desc.regions[index];
  if (region.kind == DETENT_REGION_WEIGHTS) return;
  auto* const base = static_cast<std::uint8_t*>(detent_region_base(&context, index));
  if (region.kind == DETENT_REGION_INPUT) {
    fill_bytes(base, region.size_bytes, stream(seed, 1, ordinal));
  } else {
    std::memset(base, kUnwrittenByte, region.size_bytes);
  }
}

void fill_input_tensor(const detent_desc& desc, const detent_context& context, std::uint32_t index,
                       std::uint64_t seed) {
  const detent_tensor& tensor = desc.tensors[index];
  const bool is_typed = (tensor.flags & DETENT_TENSOR_RANGE) == 0 && tensor.alias_of == DETENT_NONE;
  if (desc.regions[tensor.region].kind != DETENT_REGION_INPUT || !is_typed) return;
  auto* const data = static_cast<std::uint8_t*>(detent_tensor_data(&context, index));
  if (tensor.dtype == DETENT_F32) fill_floats(data, tensor, stream(seed, 2, index));
  if (tensor.dtype == DETENT_BOOL) fill_bools(data, tensor, stream(seed, 3, index));
}

}  // namespace

void fill_regions(const detent_desc& desc, const detent_context& context, std::uint64_t seed) {
  std::uint32_t inputs = 0;
  for (RegionId region = 0; region < desc.region_count; ++region) {
    fill_region(desc, context, region, inputs, seed);
    if (desc.regions[region].kind == DETENT_REGION_INPUT) ++inputs;
  }
  for (TensorId tensor = 0; tensor < desc.tensor_count; ++tensor) fill_input_tensor(desc, context, tensor, seed);
}

}  // namespace detent::harness
