// Bands of rows: one op over a whole image -> ops over disjoint bands, with exactly the input rows they need.
#include "models/builder/split.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include <detent/op_config.h>

#include "models/builder/builder_internal.hpp"
#include "models/builder/winograd.hpp"
#include "models/core/dag.hpp"

namespace detent::models {
namespace {

constexpr std::uint32_t kMaxBands = 64;
constexpr std::uint64_t kDepthwisePart = 8;

struct RowRange {
  std::int32_t begin, end;
  [[nodiscard]] std::int32_t count() const { return end - begin; }
};

bool is_dense_image(const Tensor& tensor) {
  return tensor.layout == DETENT_LAYOUT_C16 && tensor.dims.size() == 4 && tensor.block_count == 1;
}

// A view of the rows of a dense C16 image.
std::uint32_t view_of_rows(Model& model, std::uint32_t image, RowRange rows, const std::string& name) {
  const ByteSet set = bytes_of(model, image);
  const Tensor& of = model.tensors[image];
  const std::uint64_t row_bytes = static_cast<std::uint64_t>(of.dims[3]) * 16 * dtype_of(of.dtype).bytes;
  const std::uint64_t plane_bytes = row_bytes * static_cast<std::uint64_t>(of.dims[2]);
  Tensor view;
  view.name = name;
  view.dtype = of.dtype;
  view.layout = DETENT_LAYOUT_C16;
  view.dims = {1, of.dims[1], rows.count(), of.dims[3]};
  view.block_bytes = row_bytes * static_cast<std::uint64_t>(rows.count());
  view.block_count = static_cast<std::uint32_t>((of.dims[1] + 15) / 16);
  view.stride_bytes = view.block_count > 1 ? plane_bytes : 0;
  view.size_bytes = (view.block_count - 1) * plane_bytes + view.block_bytes;
  view.alias_of = set.root;
  view.alias_offset_bytes = set.first + row_bytes * static_cast<std::uint64_t>(rows.begin);
  view.align_bytes = view_alignment(view.alias_offset_bytes, view.stride_bytes);
  model.tensors.push_back(std::move(view));
  return static_cast<std::uint32_t>(model.tensors.size() - 1);
}

// The part of a config that says where windows lie.
detent_conv2d_config& geometry(detent_conv2d_config& config) { return config; }
detent_conv2d_config& geometry(detent_conv2d_i8_config& config) { return config.conv; }
detent_pool_config& geometry(detent_pool_config& config) { return config; }

class Splitter {
 public:
  Splitter(Model& model, const SplitOptions& options) : model_(model), options_(options) {}

  std::size_t run() {
    const auto heavy = [&](const Op& op) { return worth_splitting(op); };
    count_writers();
    if (std::none_of(model_.ops.begin(), model_.ops.end(), heavy)) return 0;
    std::size_t count = 0;
    std::vector<Op> old = std::move(model_.ops);
    model_.ops.clear();
    for (Op& op : old) {
      // A guard is no input of the kernel: it is put aside, and each band is guarded like the whole.
      std::vector<std::uint32_t> guard;
      if (op.guarded != Guarded::kNo) {
        guard.push_back(op.inputs.back());
        op.inputs.pop_back();
      }
      const std::size_t first = model_.ops.size();
      if (worth_splitting(op)) {
        for (std::uint32_t band = 0; band < options_.bands; ++band) model_.ops.push_back(make_band(op, band));
        ++count;
      } else {
        model_.ops.push_back(std::move(op));
      }
      for (std::size_t i = first; i < model_.ops.size(); ++i) {
        model_.ops[i].inputs.insert(model_.ops[i].inputs.end(), guard.begin(), guard.end());
      }
    }
    model_.edges = derive_edges(model_);
    return count;
  }

 private:
  void count_writers() {
    writers_.assign(model_.tensors.size(), 0);
    for (const Op& op : model_.ops) {
      for (const std::uint32_t tensor : op.outputs) ++writers_[tensor];
    }
  }

  /// Not one of several ops of exclusive branches, which write one tensor as a whole.
  [[nodiscard]] bool worth_splitting(const Op& op) const {
    const bool is_winograd = op.kernel == "conv2d_winograd_f32";
    if (op.is_fallible || op.outputs.size() != 1 || op.inputs.empty() || op.in_place) return false;
    if (!op.scratch.empty() && !is_winograd) return false;
    if (writers_[op.outputs[0]] > 1) return false;
    const Tensor& y = model_.tensors[op.outputs[0]];
    if (!is_dense_image(y) || y.dims[2] / rows_of_band(op) < static_cast<std::int32_t>(options_.bands)) return false;
    const std::uint64_t min_flops = is_depthwise(op) ? options_.min_flops / kDepthwisePart : options_.min_flops;
    if (op.flops < min_flops && y.size_bytes < options_.min_bytes) return false;
    if (op.kernel == "conv2d_f32" || op.kernel == "conv2d_i8" || is_winograd) return true;
    if (!is_dense_image(model_.tensors[op.inputs[0]])) return false;
    return is_pool(op) || is_elementwise(op);
  }

  /// Bands have so many rows, or a multiple of them: those of tiles, so that tiles are those of the whole.
  static std::int32_t rows_of_band(const Op& op) {
    return op.kernel == "conv2d_winograd_f32" ? DETENT_WINOGRAD_TILE : 1;
  }

  /// The band's share of the image: counted in rows_of_band, the last one may be cut.
  [[nodiscard]] RowRange band_rows(const Op& whole, std::int32_t height, std::int32_t band) const {
    const std::int32_t unit = rows_of_band(whole);
    const std::int32_t units = (height + unit - 1) / unit;
    const auto bands = static_cast<std::int32_t>(options_.bands);
    const auto begin = [&](std::int32_t index) {
      return std::min((units / bands * index + std::min(index, units % bands)) * unit, height);
    };
    return {begin(band), begin(band + 1)};
  }

  static bool is_depthwise(const Op& op) {
    if (op.kernel != "conv2d_f32") return false;
    const auto c = read_config<detent_conv2d_config>(op);
    return c.groups > 1 && c.groups == c.in_channels;
  }

  static bool is_pool(const Op& op) {
    return op.kernel == "max_pool_f32" || op.kernel == "avg_pool_f32" || op.kernel == "upsample_nearest_f32" ||
           op.kernel == "max_pool_i8";
  }

  [[nodiscard]] bool is_elementwise(const Op& op) const {
    if (op.kernel != "binary_f32" && op.kernel != "unary_f32" && op.kernel != "copy_f32") return false;
    const auto same_image = [&](std::uint32_t input) {
      return is_dense_image(model_.tensors[input]) && model_.tensors[input].dims == model_.tensors[op.outputs[0]].dims;
    };
    return op.weights.empty() && std::all_of(op.inputs.begin(), op.inputs.end(), same_image);
  }

  Op make_band(const Op& whole, std::uint32_t band) {
    const std::int32_t height = model_.tensors[whole.outputs[0]].dims[2];
    const RowRange rows = band_rows(whole, height, static_cast<std::int32_t>(band));
    Op op = whole;
    op.name = whole.name + "#" + std::to_string(band);
    op.outputs[0] = view_of_rows(model_, whole.outputs[0], rows, op.name);
    share_cost(op, rows.count(), height);
    if (whole.kernel == "conv2d_f32") {
      band_of_conv<detent_conv2d_config>(op, rows);
    } else if (whole.kernel == "conv2d_i8") {
      band_of_conv<detent_conv2d_i8_config>(op, rows);
    } else if (whole.kernel == "conv2d_winograd_f32") {
      band_of_conv<detent_conv2d_config>(op, rows);
      if (band != 0) op.scratch.clear();  // the first band takes that of the whole
      give_winograd_scratch(model_, op);
    } else if (whole.kernel == "upsample_nearest_f32") {
      band_of_upsample(op, rows);
    } else if (is_pool(whole)) {
      band_of_window<detent_pool_config>(op, rows, 1);
    } else {
      band_of_elementwise(op, rows);
    }
    return op;
  }

  static void share_cost(Op& op, std::int32_t rows, std::int32_t height) {
    const auto part = [&](std::uint64_t of) {
      return of / static_cast<std::uint64_t>(height) * static_cast<std::uint64_t>(rows) +
             of % static_cast<std::uint64_t>(height) * static_cast<std::uint64_t>(rows) /
                 static_cast<std::uint64_t>(height);
    };
    op.flops = part(op.flops);
    if (op.time_ps) op.time_ps = {part(op.time_ps->first), part(op.time_ps->second) + 1};
    for (auto& [core_class, time] : op.times_by_class) time = {part(time.first), part(time.second) + 1};
  }

  template <typename Config>
  void band_of_conv(Op& op, RowRange rows) {
    auto whole = read_config<Config>(op);
    const detent_conv2d_config& config = geometry(whole);
    if (config.has_residual != 0) op.inputs[1] = view_of_rows(model_, op.inputs[1], rows, op.name + ".residual");
    if (is_dense_image(model_.tensors[op.inputs[0]])) {
      band_of_window<Config>(op, rows, config.dilation_h);
    } else {  // an image in PLAIN layout is read whole
      edit_config<Config>(op, [&](auto& c) {
        geometry(c).row_begin = rows.begin;
        geometry(c).row_end = rows.end;
      });
    }
  }

  // The band becomes an op of its own on the rows that its windows cover: padding is left only at the image's edges.
  template <typename Config>
  void band_of_window(Op& op, RowRange rows, std::int32_t dilation) {
    auto config = read_config<Config>(op);
    const auto& whole = geometry(config);
    const std::int32_t first = rows.begin * whole.stride_h - whole.pad_top;
    const std::int32_t last = (rows.end - 1) * whole.stride_h - whole.pad_top + (whole.kernel_h - 1) * dilation;
    const RowRange needed{std::max(first, 0), std::min(last + 1, whole.in_h)};
    op.inputs[0] = view_of_rows(model_, op.inputs[0], needed, op.name + ".x");
    edit_config<Config>(op, [&](auto& edited) {
      auto& c = geometry(edited);
      c.in_h = needed.count();
      c.out_h = rows.count();
      c.pad_top = needed.begin - first;
      c.row_begin = 0;
      c.row_end = rows.count();
    });
  }

  void band_of_upsample(Op& op, RowRange rows) {
    const auto whole = read_config<detent_pool_config>(op);
    const RowRange needed{rows.begin / whole.stride_h, (rows.end - 1) / whole.stride_h + 1};
    op.inputs[0] = view_of_rows(model_, op.inputs[0], needed, op.name + ".x");
    edit_config<detent_pool_config>(op, [&](auto& c) {
      c.in_h = needed.count();
      c.out_h = needed.count() * whole.stride_h;
      c.row_begin = rows.begin - needed.begin * whole.stride_h;
      c.row_end = c.row_begin + rows.count();
    });
  }

  void band_of_elementwise(Op& op, RowRange rows) {
    for (std::uint32_t& input : op.inputs) input = view_of_rows(model_, input, rows, op.name + ".x");
    const Tensor& y = model_.tensors[op.outputs[0]];
    edit_config<detent_elementwise_config>(
        op, [&](auto& c) { c.elements = y.block_bytes * y.block_count / sizeof(float); });
  }

  Model& model_;
  const SplitOptions& options_;
  std::vector<std::uint32_t> writers_{};  ///< how many ops write it, by tensor
};

}  // namespace

std::size_t split_rows(Model& model, const SplitOptions& options) {
  if (options.bands == 0 || options.bands > kMaxBands) {
    throw std::invalid_argument(model.name + ":split: bands must lie between 1 and 64");
  }
  if (options.bands == 1) return 0;
  return Splitter(model, options).run();
}

}  // namespace detent::models
