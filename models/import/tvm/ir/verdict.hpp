// What the second opinion on footprints says of one operator, and what it is told.
#pragma once

#include <cstdint>
#include <string>

namespace detent::models::tvm {

/// What is said about one operator.
struct IrVerdict {
  enum class Kind : std::uint8_t {
    kIndependent,  ///< every execution with the same arguments makes the same accesses
    kDepends,      ///< an address, a size or a branch may depend on data, on state, or on where memory lies
    kUnknown       ///< something is not understood
  } kind = Kind::kUnknown;
  bool by_place = false;   ///< kDepends: on nothing but where memory lies
  std::string why;         ///< "the address of a load depends on data loaded at line 12"; "" when independent
  std::uint32_t line = 0;  ///< of the construct; 0: none
  std::string file;
};

struct IrTaintOptions {
  /// The first two arguments are arrays of TVMValue and of type codes. What they describe (DLTensor) is taken to be the
  /// same in every call, and to share no byte with the data.
  bool packed = false;
  /// The one argument is a detent_kernel_args: likewise, its buffers and their tensors.
  bool kernel = false;
};

}  // namespace detent::models::tvm
