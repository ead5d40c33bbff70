// Small helpers of the builder and of split: config bytes and counts of elements.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <vector>

#include "models/core/dtypes.hpp"
#include "models/core/model.hpp"

namespace detent::models {

inline std::uint64_t product(std::initializer_list<std::int32_t> factors) {
  std::uint64_t result = 1;
  for (const std::int32_t factor : factors) result *= static_cast<std::uint64_t>(factor);
  return result;
}

/// Blocks of 16 that hold this many channels.
inline std::int32_t blocks_of(std::int32_t channels) { return (channels + 15) / 16; }

template <typename Config>
std::vector<std::uint8_t> config_bytes(const Config& config) {
  std::vector<std::uint8_t> bytes(sizeof(Config));
  std::memcpy(bytes.data(), &config, sizeof(Config));
  return bytes;
}

template <typename Config>
Config read_config(const Op& op) {
  Config config{};
  if (op.config.size() == sizeof(Config)) std::memcpy(&config, op.config.data(), sizeof(Config));
  return config;
}

template <typename Config, typename Edit>
void edit_config(Op& op, const Edit& edit) {
  Config config = read_config<Config>(op);
  edit(config);
  op.config = config_bytes(config);
}

/// Largest alignment up to 64 that an offset and a stride leave.
inline std::uint32_t view_alignment(std::uint64_t offset_bytes, std::uint64_t stride_bytes) {
  const std::uint64_t bits = offset_bytes | stride_bytes | 64U;
  return static_cast<std::uint32_t>(bits & (~bits + 1));
}

}  // namespace detent::models
