#include "harness/faults/spoil.hpp"

#include <cstdint>
#include <cstring>

namespace detent::harness {

void spoil_outputs(const detent_kernel_args& args) {
  constexpr int kSpoiled = 0xA5;
  for (std::uint32_t i = 0; i < args.output_count; ++i) {
    const detent_tensor& tensor = *args.outputs[i].tensor;
    auto* const bytes = static_cast<std::uint8_t*>(args.outputs[i].data);
    for (std::uint32_t block = 0; block < tensor.block_count; ++block) {
      std::memset(bytes + block * tensor.stride_bytes, kSpoiled, tensor.block_bytes);
    }
  }
}

}  // namespace detent::harness
