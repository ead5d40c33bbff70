// "mix" and "delay": the kernels of op graphs. mix folds every input byte, the op id and a seed into one 64-bit state
// and fills the outputs with a stream drawn from it, so that a wrong byte anywhere shows in everything downstream.

#include <detent/op_config.h>

#include "runtime/base/freestanding.h"
#include "runtime/kernels/kernels.h"

namespace detent::ops {
namespace {

// Odd constants of XXH64; any with well-spread bits serve.
constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87U;
constexpr std::uint64_t kPrime2 = 0xC2B2AE3D27D4EB4FU;
constexpr std::uint64_t kPrime3 = 0x165667B19E3779F9U;

std::uint64_t rotate(std::uint64_t x, unsigned bits) { return (x << bits) | (x >> (64U - bits)); }

std::uint64_t avalanche(std::uint64_t x) {
  x = (x ^ (x >> 32U)) * kPrime2;
  x = (x ^ (x >> 29U)) * kPrime3;
  return x ^ (x >> 32U);
}

std::uint64_t load_word(const std::uint8_t *bytes) {
  std::uint64_t word = 0;
  memcpy(&word, bytes, sizeof word);
  return word;
}

std::uint64_t absorb(std::uint64_t state, std::uint64_t word) { return rotate(state + word * kPrime2, 31) * kPrime1; }

// Four independent lanes of 8 bytes keep the multipliers busy.
std::uint64_t hash_block(std::uint64_t state, const std::uint8_t *bytes, std::uint64_t count) {
  std::uint64_t lane[4] = {state + kPrime1, state ^ kPrime2, state + kPrime3, state};
  std::uint64_t i = 0;
  for (; i + 32 <= count; i += 32) {
    for (unsigned k = 0; k < 4; ++k) lane[k] = absorb(lane[k], load_word(bytes + i + 8U * k));
  }
  std::uint64_t hash = rotate(lane[0], 1) + rotate(lane[1], 7) + rotate(lane[2], 12) + rotate(lane[3], 18) + count;
  for (; i + 8 <= count; i += 8) hash = absorb(hash ^ kPrime3, load_word(bytes + i));
  for (; i < count; ++i) hash = absorb(hash ^ kPrime2, bytes[i]);
  return avalanche(hash);
}

std::uint64_t hash_buffer(std::uint64_t state, const detent_buffer &buffer) {
  const auto *bytes = static_cast<const std::uint8_t *>(buffer.data);
  const detent_tensor &tensor = *buffer.tensor;
  for (std::uint32_t block = 0; block < tensor.block_count; ++block) {
    state = hash_block(state, bytes + block * tensor.stride_bytes, tensor.block_bytes);
  }
  return state;
}

// Word i of the stream depends on `state` and i alone, so blocks may have any size.
void fill_block(std::uint8_t *bytes, std::uint64_t count, std::uint64_t state) {
  std::uint64_t i = 0;
  std::uint64_t counter = state;
  for (; i + 8 <= count; i += 8) {
    counter += kPrime1;
    const std::uint64_t word = avalanche(counter);
    memcpy(bytes + i, &word, sizeof word);
  }
  const std::uint64_t last = avalanche(counter + kPrime1);
  memcpy(bytes + i, &last, static_cast<size_t>(count - i));
}

}  // namespace

detent_status check_mix(const detent_kernel_args *args) {
  return args->config_size == 0 || args->config_size == sizeof(detent_mix_config) ? DETENT_OK : DETENT_SHAPE;
}

int32_t run_mix(const detent_kernel_args *args) {
  detent_mix_config config = {};
  if (args->config_size == sizeof config) memcpy(&config, args->config, sizeof config);
  std::uint64_t state = avalanche(config.seed + kPrime1 * (args->op + 1U));
  for (std::uint32_t i = 0; i < args->input_count; ++i) state = hash_buffer(state, args->inputs[i]);
  for (std::uint32_t i = 0; i < args->weight_count; ++i) state = hash_buffer(state, args->weights[i]);
  for (std::uint32_t i = 0; i < args->output_count; ++i) {
    const detent_tensor &tensor = *args->outputs[i].tensor;
    auto *bytes = static_cast<std::uint8_t *>(args->outputs[i].data);
    for (std::uint32_t block = 0; block < tensor.block_count; ++block) {
      state = avalanche(state + kPrime3);
      fill_block(bytes + block * tensor.stride_bytes, tensor.block_bytes, state);
    }
  }
  return 0;
}

detent_status check_delay(const detent_kernel_args *args) {
  return args->input_count + args->output_count + args->weight_count == 0 ? DETENT_OK : DETENT_SHAPE;
}

int32_t run_delay(const detent_kernel_args * /*args*/) { return 0; }

}  // namespace detent::ops
