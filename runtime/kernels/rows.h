/* Rows: a PLAIN tensor as rows of equal length, also where its blocks are strided. */
#ifndef DETENT_RUNTIME_OPS_ROWS_H_
#define DETENT_RUNTIME_OPS_ROWS_H_

#include <stddef.h>
#include <stdint.h>

#include <detent/kernel.h>

namespace detent::ops {
namespace {  // internal linkage: compiled once per instruction set

/** Address arithmetic for a tensor of elements of this type that is_rows(tensor, rows, columns). */
template <typename Element = float>
class RowView {
 public:
  RowView(const detent_buffer &buffer, uint64_t columns)
      : data_(static_cast<Element *>(buffer.data)),
        columns_(columns),
        rows_per_block_(buffer.tensor->block_bytes / (columns * sizeof(Element))),
        block_stride_(buffer.tensor->stride_bytes / sizeof(Element)) {}

  [[nodiscard]] Element *row(uint64_t index) const {
    return data_ + index / rows_per_block_ * block_stride_ + index % rows_per_block_ * columns_;
  }

 private:
  Element *data_;
  uint64_t columns_;
  uint64_t rows_per_block_;
  uint64_t block_stride_;
};

/** From a row to the next, of a tensor of elements of this type that is_matrix(tensor, rows, columns). */
template <typename Element = float>
uint64_t elements_between_rows(const detent_buffer &buffer, uint64_t columns) {
  return buffer.tensor->block_count == 1 ? columns : buffer.tensor->stride_bytes / sizeof(Element);
}

}  // namespace
}  // namespace detent::ops

#endif
