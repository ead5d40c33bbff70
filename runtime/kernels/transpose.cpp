// "transpose_f32": permutes axes. Bind-time checks of it and of "reorder_f32".

#include <detent/op_config.h>

#include "runtime/base/freestanding.h"
#include "runtime/kernels/check.h"
#include "runtime/kernels/kernels.h"

namespace detent::ops {
namespace {

constexpr int kMaxAxes = 6;
constexpr int64_t kSquare = 16;  // elements each way of the part that is turned over at a time

struct Extents {
  int64_t dim[kMaxAxes];
};

// Floats between neighbours along each axis. Blocks, where there are several, hold whole trailing axes.
Extents strides_of(const detent_tensor &tensor, const Extents &dims, int rank) {
  const auto block = static_cast<int64_t>(tensor.block_bytes / 4);
  Extents strides = {};
  int64_t stride = 1;
  for (int i = rank - 1; i >= 0; --i) {
    strides.dim[i] = stride;
    stride *= dims.dim[i];
    if (tensor.block_count > 1 && stride == block) stride = static_cast<int64_t>(tensor.stride_bytes / 4);
  }
  return strides;
}

// Some product of trailing dims makes a block.
bool blocks_hold_axes(const detent_tensor &tensor, const Extents &dims, int rank) {
  int64_t elements = 1;
  for (int i = rank - 1; i > 0; --i) {
    elements *= dims.dim[i];
    if (elements == static_cast<int64_t>(tensor.block_bytes / 4)) return true;
  }
  return tensor.block_count == 1;
}

// y's axes, and the strides of both tensors along them.
struct Walk {
  int rank;
  Extents dims, x_strides, y_strides;
};

Extents dims_of_y(const detent_transpose_config &config) {
  Extents dims = {};
  for (int i = 0; i < config.rank; ++i) dims.dim[i] = config.dims[config.axes[i]];
  return dims;
}

Extents dims_of_x(const detent_transpose_config &config) {
  Extents dims = {};
  for (int i = 0; i < config.rank; ++i) dims.dim[i] = config.dims[i];
  return dims;
}

Walk walk_of(const detent_kernel_args &args, const detent_transpose_config &config) {
  Walk walk = {config.rank, dims_of_y(config), {}, {}};
  const Extents x = strides_of(*args.inputs[0].tensor, dims_of_x(config), config.rank);
  for (int i = 0; i < config.rank; ++i) walk.x_strides.dim[i] = x.dim[config.axes[i]];
  walk.y_strides = strides_of(*args.outputs[0].tensor, walk.dims, config.rank);
  return walk;
}

// One plane: `rows` along the axis that is contiguous in x, `columns` along the one that is contiguous in y.
struct Face {
  int64_t rows, columns, x_column, y_row;
};

void turn_over(const float *x, float *y, const Face &face) {
  for (int64_t r = 0; r < face.rows; r += kSquare) {
    const int64_t row_end = r + kSquare < face.rows ? r + kSquare : face.rows;
    for (int64_t c = 0; c < face.columns; c += kSquare) {
      const int64_t column_end = c + kSquare < face.columns ? c + kSquare : face.columns;
      for (int64_t i = r; i < row_end; ++i) {
        for (int64_t j = c; j < column_end; ++j) y[i * face.y_row + j] = x[j * face.x_column + i];
      }
    }
  }
}

// The axis of y along which x is contiguous.
int contiguous_axis(const detent_transpose_config &config) {
  int axis = 0;
  for (int i = 0; i < config.rank; ++i) axis = config.axes[i] == config.rank - 1 ? i : axis;
  return axis;
}

bool is_permutation(const detent_transpose_config &config) {
  unsigned seen = 0;
  for (int i = 0; i < config.rank; ++i) {
    if (config.axes[i] < 0 || config.axes[i] >= config.rank || config.dims[i] <= 0) return false;
    seen |= 1U << static_cast<unsigned>(config.axes[i]);
  }
  return seen + 1 == 1U << static_cast<unsigned>(config.rank);
}

bool has_dims(const detent_tensor &tensor, const Extents &dims, int rank) {
  if (!is_f32(tensor) || tensor.layout != DETENT_LAYOUT_PLAIN || tensor.rank != rank) return false;
  for (int i = 0; i < rank; ++i) {
    if (tensor.dims[i] != dims.dim[i]) return false;
  }
  return blocks_hold_axes(tensor, dims, rank);
}

}  // namespace

detent_status check_transpose_f32(const detent_kernel_args *args) {
  const auto *config = config_of<detent_transpose_config>(*args);
  if (config == nullptr || !has_counts(*args, 1, 1, 0) || config->reserved != 0) return DETENT_SHAPE;
  if (config->rank < 1 || config->rank > kMaxAxes || !is_permutation(*config)) return DETENT_SHAPE;
  const bool fits = has_dims(*args->inputs[0].tensor, dims_of_x(*config), config->rank) &&
                    has_dims(*args->outputs[0].tensor, dims_of_y(*config), config->rank);
  return fits ? DETENT_OK : DETENT_SHAPE;
}

int32_t run_transpose_f32(const detent_kernel_args *args) {
  const auto &config = *static_cast<const detent_transpose_config *>(args->config);
  const Walk walk = walk_of(*args, config);
  const int last = walk.rank - 1;
  const int turned = contiguous_axis(config);
  const auto *x = static_cast<const float *>(args->inputs[0].data);
  auto *y = static_cast<float *>(args->outputs[0].data);
  const Face face = {turned == last ? 1 : walk.dims.dim[turned], walk.dims.dim[last], walk.x_strides.dim[last],
                     walk.y_strides.dim[turned]};
  Extents index = {};
  for (;;) {
    if (turned == last) {
      memcpy(y, x, static_cast<size_t>(face.columns) * 4);
    } else {
      turn_over(x, y, face);
    }
    int axis = last;
    while (axis >= 0) {  // the next plane: an odometer over the other axes
      if (axis != last && axis != turned) {
        x += walk.x_strides.dim[axis];
        y += walk.y_strides.dim[axis];
        if (++index.dim[axis] < walk.dims.dim[axis]) break;
        x -= index.dim[axis] * walk.x_strides.dim[axis];
        y -= index.dim[axis] * walk.y_strides.dim[axis];
        index.dim[axis] = 0;
      }
      --axis;
    }
    if (axis < 0) return 0;
  }
}

detent_status check_reorder_f32(const detent_kernel_args *args) {
  const auto *c = config_of<detent_reorder_config>(*args);
  if (c == nullptr || !has_counts(*args, 1, 1, 0) || !is_activation(c->activation) || c->reserved != 0) {
    return DETENT_SHAPE;
  }
  if (c->channels <= 0 || c->h <= 0 || c->w <= 0 || (c->to_plain != 0 && c->to_plain != 1)) return DETENT_SHAPE;
  const detent_tensor &x = *args->inputs[0].tensor;
  const detent_tensor &y = *args->outputs[0].tensor;
  const uint64_t pixels = static_cast<uint64_t>(c->h) * static_cast<uint64_t>(c->w);
  const bool fits = is_c16(c->to_plain != 0 ? x : y, c->channels, c->h, c->w) &&
                    is_rows(c->to_plain != 0 ? y : x, static_cast<uint64_t>(c->channels), pixels);
  return fits ? DETENT_OK : DETENT_SHAPE;
}

}  // namespace detent::ops
