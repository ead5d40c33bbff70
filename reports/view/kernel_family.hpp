// Kernel family: the name of a kernel or an op -> what kind of work it is, so that kinds have the same colour
// everywhere.
#pragma once

#include <cstdint>
#include <string_view>

namespace detent::reports {

/// In the order of the colours of the page, k0 to k6.
enum class KernelFamily : std::uint8_t {
  kConvolution,
  kElementwise,
  kPooling,
  kNormalisation,
  kData,
  kProduct,
  kOther
};

/// "convolution", "pad, reshape, copy": as legends have it.
const char* family_name(KernelFamily family);

/// Families of words in the kernel's name, then in the op's: "tvmgen_default_fused_nn_conv2d_add" is a convolution. The
/// heaviest kind that a fused name holds counts. kOther where no word is known.
KernelFamily family_of(std::string_view kernel, std::string_view op);

}  // namespace detent::reports
