#include "models/builder/band_views.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "models/builder/builder_internal.hpp"
#include "models/core/dag.hpp"
#include "models/core/dtypes.hpp"

namespace detent::models {
namespace {

std::uint64_t unsigned_of(std::int32_t count) { return static_cast<std::uint64_t>(count); }

/// Blocks of a view, and where the first one begins within the tensor.
struct Place {
  std::uint64_t offset_bytes = 0;
  std::uint64_t block_bytes = 0;
  std::uint32_t block_count = 1;
  std::uint64_t stride_bytes = 0;  ///< of what is viewed; kept where there are several blocks
};

std::uint32_t add_view(Model& model, std::uint32_t of, std::vector<std::int32_t> dims, const Place& place,
                       const std::string& name) {
  const ByteSet set = bytes_of(model, of);
  const Tensor& whole = model.tensors[of];
  Tensor view;
  view.name = name;
  view.role = whole.role == TensorRole::kWeight ? TensorRole::kWeight : TensorRole::kActivation;
  view.dtype = whole.dtype;
  view.layout = whole.layout;
  view.dims = std::move(dims);
  view.block_bytes = place.block_bytes;
  view.block_count = place.block_count;
  view.stride_bytes = view.block_count > 1 ? place.stride_bytes : 0;
  view.size_bytes = (view.block_count - 1) * view.stride_bytes + view.block_bytes;
  view.alias_of = set.root;
  view.alias_offset_bytes = set.first + place.offset_bytes;
  view.align_bytes = view_alignment(view.alias_offset_bytes, view.stride_bytes);
  model.tensors.push_back(std::move(view));
  return static_cast<std::uint32_t>(model.tensors.size() - 1);
}

}  // namespace

bool is_dense_image(const Tensor& tensor) {
  return tensor.layout == DETENT_LAYOUT_C16 && tensor.dims.size() == 4 && tensor.block_count == 1;
}

std::uint32_t view_of_rows(Model& model, std::uint32_t image, Range rows, const std::string& name) {
  const Tensor& of = model.tensors[image];
  const std::uint64_t row_bytes = unsigned_of(of.dims[3]) * 16 * dtype_of(of.dtype).bytes;
  return add_view(model, image, {1, of.dims[1], rows.count(), of.dims[3]},
                  {.offset_bytes = row_bytes * unsigned_of(rows.begin),
                   .block_bytes = row_bytes * unsigned_of(rows.count()),
                   .block_count = static_cast<std::uint32_t>(blocks_of(of.dims[1])),
                   .stride_bytes = row_bytes * unsigned_of(of.dims[2])},
                  name);
}

std::uint32_t view_of_channels(Model& model, std::uint32_t image, Range blocks, const std::string& name) {
  const Tensor& of = model.tensors[image];
  const std::uint64_t plane_bytes = product({of.dims[2], of.dims[3], 16}) * dtype_of(of.dtype).bytes;
  const std::int32_t channels = std::min(blocks.end * 16, of.dims[1]) - blocks.begin * 16;
  return add_view(model, image, {1, channels, of.dims[2], of.dims[3]},
                  {.offset_bytes = plane_bytes * unsigned_of(blocks.begin),
                   .block_bytes = plane_bytes * unsigned_of(blocks.count())},
                  name);
}

std::uint32_t view_of_columns(Model& model, std::uint32_t matrix, Range columns, const std::string& name) {
  const Tensor& of = model.tensors[matrix];
  const std::uint64_t bytes = dtype_of(of.dtype).bytes;
  return add_view(model, matrix, {of.dims[0], columns.count()},
                  {.offset_bytes = bytes * unsigned_of(columns.begin),
                   .block_bytes = bytes * unsigned_of(columns.count()),
                   .block_count = static_cast<std::uint32_t>(of.dims[0]),
                   .stride_bytes = bytes * unsigned_of(of.dims[1])},
                  name);
}

std::uint32_t view_of_first_axis(Model& model, std::uint32_t tensor, Range range, const std::string& name) {
  const Tensor& of = model.tensors[tensor];
  const std::uint64_t bytes = of.size_bytes / unsigned_of(of.dims[0]);
  std::vector<std::int32_t> dims = of.dims;
  dims[0] = range.count();
  return add_view(model, tensor, std::move(dims),
                  {.offset_bytes = bytes * unsigned_of(range.begin), .block_bytes = bytes * unsigned_of(range.count())},
                  name);
}

}  // namespace detent::models
