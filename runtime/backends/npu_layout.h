/* What the parts of the software NPU agree on: which ops are its, the tensors that it is given of one, and where they
 * are in its scratchpad. */
#ifndef DETENT_RUNTIME_BACKENDS_NPU_LAYOUT_H_
#define DETENT_RUNTIME_BACKENDS_NPU_LAYOUT_H_

#include <detent/device.h>

#include "runtime/base/freestanding.h"
#include "runtime/base/guards.h"

namespace detent::npu {

inline constexpr const char *kClass = "npu";
inline constexpr std::uint64_t kAlign = DETENT_CACHE_LINE;

/// To a multiple of kAlign.
inline std::uint64_t round_up(std::uint64_t value) { return (value + kAlign - 1) / kAlign * kAlign; }

/// Null: it is not in the table.
const detent_kernel *find_kernel(const detent_kernel_table &table, const char *name);

bool is_for_device(const detent_desc &desc, const detent_op &op, const detent_kernel_table &kernels);

/// Is everything there that a device is opened with?
bool is_complete(const detent_device_config *config);

/// Const, from the linker or a file: what a prepared form holds.
inline bool is_constant(const detent_desc &desc, const detent_tensor &tensor) {
  return desc.regions[tensor.region].kind == DETENT_REGION_WEIGHTS;
}

/// The tensors of an op that its kernel is given, by one index: inputs, outputs, weights, scratch.
class TensorsOfOp {
 public:
  TensorsOfOp(const detent_desc &desc, const detent_op &op) : desc_(desc) {
    slices_[0] = op.inputs;
    slices_[1] = op.outputs;
    slices_[2] = op.weights;
    slices_[3] = op.scratch;
    if (is_guarded(op)) --slices_[0].count;
    if (is_fallible(op)) --slices_[1].count;
  }
  [[nodiscard]] std::uint32_t count() const {
    return slices_[0].count + slices_[1].count + slices_[2].count + slices_[3].count;
  }
  /// Of the Desc's table.
  [[nodiscard]] std::uint32_t id(std::uint32_t index) const {
    const detent_slice *slice = slices_;
    while (index >= slice->count) {
      index -= slice->count;
      ++slice;
    }
    return desc_.tensor_refs[slice->first + index];
  }
  [[nodiscard]] const detent_tensor &operator[](std::uint32_t index) const { return desc_.tensors[id(index)]; }

 private:
  const detent_desc &desc_;
  detent_slice slices_[4];
};

/// Give every tensor of an op a place in the scratchpad, aligned as in its region.
/// @param buffers  [tensors.count()], gets the places; null: only the size is wanted
/// @return  bytes of the scratchpad that the op needs
std::uint64_t place(const TensorsOfOp &tensors, std::uint8_t *scratchpad, detent_buffer *buffers);

}  // namespace detent::npu

#endif
