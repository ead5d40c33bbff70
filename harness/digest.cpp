// Digest: output bytes -> XXH3-64.
#include "harness/digest.hpp"

#include <xxhash.h>

#include <memory>
#include <new>

#include "harness/run.hpp"

namespace detent::harness {
namespace {

struct FreeState {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};
using HashState = std::unique_ptr<XXH3_state_t, FreeState>;

HashState make_state() {
  HashState state(XXH3_createState());
  if (!state) throw std::bad_alloc();
  XXH3_64bits_reset(state.get());
  return state;
}

void add_tensor(XXH3_state_t& state, const detent_desc& desc, const detent_context& context, std::uint32_t index) {
  const detent_tensor& tensor = desc.tensors[index];
  const auto* data = static_cast<const std::uint8_t*>(detent_tensor_data(&context, index));
  for (std::uint32_t block = 0; block < tensor.block_count; ++block) {
    XXH3_64bits_update(&state, data + block * tensor.stride_bytes, tensor.block_bytes);
  }
}

void add_regions(XXH3_state_t& state, const detent_desc& desc, const detent_context& context) {
  for (std::uint32_t index = 0; index < desc.region_count; ++index) {
    const detent_region& region = desc.regions[index];
    if (region.kind != DETENT_REGION_WORKSPACE && region.kind != DETENT_REGION_OUTPUT) continue;
    XXH3_64bits_update(&state, detent_region_base(&context, index), region.size_bytes);
  }
}

}  // namespace

std::uint64_t digest_outputs(const detent_desc& desc, const detent_context& context) {
  const HashState state = make_state();
  if (desc.output_count == 0) add_regions(*state, desc, context);
  for (std::uint32_t i = 0; i < desc.output_count; ++i) add_tensor(*state, desc, context, desc.outputs[i]);
  return XXH3_64bits_digest(state.get());
}

std::uint64_t digest_tensor(const detent_desc& desc, const detent_context& context, TensorId tensor) {
  const HashState state = make_state();
  add_tensor(*state, desc, context, tensor);
  return XXH3_64bits_digest(state.get());
}

std::vector<std::uint8_t> copy_outputs(const detent_desc& desc, const detent_context& context) {
  std::vector<std::uint8_t> bytes;
  for (std::uint32_t i = 0; i < desc.output_count; ++i) {
    const detent_tensor& tensor = desc.tensors[desc.outputs[i]];
    const auto* data = static_cast<const std::uint8_t*>(detent_tensor_data(&context, desc.outputs[i]));
    for (std::uint32_t block = 0; block < tensor.block_count; ++block) {
      const std::uint8_t* begin = data + block * tensor.stride_bytes;
      bytes.insert(bytes.end(), begin, begin + tensor.block_bytes);
    }
  }
  return bytes;
}

std::string format_digest(std::uint64_t digest) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; digest >>= 4) text[i] = kDigits[digest & 0xf];
  return text;
}

}  // namespace detent::harness
