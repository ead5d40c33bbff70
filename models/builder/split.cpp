// Bands: one op over a whole image or matrix -> ops over disjoint rows, channels or columns of it, each with exactly
// the input and the weights that it needs.
#include "models/builder/split.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include <detent/op_config.h>

#include "models/builder/band_views.hpp"
#include "models/builder/builder_internal.hpp"
#include "models/builder/winograd.hpp"
#include "models/core/dag.hpp"

namespace detent::models {
namespace {

constexpr std::uint32_t kMaxBands = 64;
constexpr std::uint64_t kDepthwisePart = 8;

/// What an op is cut along.
enum class Cut : std::uint8_t { kNone, kRows, kChannels, kColumns };

constexpr std::int32_t kColumnUnit = 64;      // columns of a band, but for the last one: what kernels take at once
constexpr std::size_t kStretchedWeights = 3;  // weights, bias, multipliers; what follows is shared
constexpr std::uint64_t kFarMore = 8;         // times as many bytes of weights as of input

// The part of a config that says where windows lie.
detent_conv2d_config& geometry(detent_conv2d_config& config) { return config; }
detent_conv2d_config& geometry(detent_conv2d_i8_config& config) { return config.conv; }
detent_pool_config& geometry(detent_pool_config& config) { return config; }
detent_gemm_config& geometry(detent_gemm_config& config) { return config; }
detent_gemm_config& geometry(detent_gemm_i8_config& config) { return config.gemm; }

detent_conv2d_config convolution_of(const Op& op) {
  return op.kernel == "conv2d_i8" ? read_config<detent_conv2d_i8_config>(op).conv
                                  : read_config<detent_conv2d_config>(op);
}

detent_gemm_config product_of(const Op& op) {
  return op.kernel == "gemm_i8" ? read_config<detent_gemm_i8_config>(op).gemm : read_config<detent_gemm_config>(op);
}

bool is_gemm(const Op& op) { return op.kernel == "gemm_f32" || op.kernel == "gemm_i8"; }

bool is_convolution(const Op& op) {
  return op.kernel == "conv2d_f32" || op.kernel == "conv2d_i8" || op.kernel == "conv2d_winograd_f32";
}

bool is_depthwise(const detent_conv2d_config& c) {
  return c.groups > 1 && c.groups == c.in_channels && c.groups == c.out_channels;
}

class Splitter {
 public:
  Splitter(Model& model, const SplitOptions& options) : model_(model), options_(options) {}

  std::size_t run() {
    const auto heavy = [&](const Op& op) { return cut_of(op) != Cut::kNone; };
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
      const Cut cut = cut_of(op);
      if (cut != Cut::kNone) {
        for (std::int32_t band = 0; band < bands(); ++band) model_.ops.push_back(make_band(op, cut, band));
        if (cut == Cut::kChannels) is_in_channels_[root_of(op.outputs[0])] = true;
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
    is_in_channels_.assign(model_.tensors.size(), false);
    for (const Op& op : model_.ops) {
      for (const std::uint32_t tensor : op.outputs) ++writers_[tensor];
    }
  }

  [[nodiscard]] std::int32_t bands() const { return static_cast<std::int32_t>(options_.bands); }
  [[nodiscard]] std::uint32_t root_of(std::uint32_t tensor) const { return bytes_of(model_, tensor).root; }

  /// Of parts, the most that one band has.
  [[nodiscard]] std::int32_t largest(std::int32_t parts) const { return (parts + bands() - 1) / bands(); }

  /// Not one of several ops of exclusive branches, which write one tensor as a whole.
  [[nodiscard]] Cut cut_of(const Op& op) const {
    const bool is_winograd = op.kernel == "conv2d_winograd_f32";
    if (op.is_fallible || op.outputs.size() != 1 || op.inputs.empty() || op.in_place) return Cut::kNone;
    if (!op.scratch.empty() && !is_winograd) return Cut::kNone;
    if (writers_[op.outputs[0]] > 1) return Cut::kNone;
    if (is_gemm(op)) return is_heavy_gemm(op) ? Cut::kColumns : Cut::kNone;
    const Tensor& y = model_.tensors[op.outputs[0]];
    if (!is_dense_image(y)) return Cut::kNone;
    const bool is_thin = is_convolution(op) && is_depthwise(convolution_of(op));
    const std::uint64_t min_flops = is_thin ? options_.min_flops / kDepthwisePart : options_.min_flops;
    if (op.flops < min_flops && y.size_bytes < options_.min_bytes) return Cut::kNone;
    const bool has_rows = y.dims[2] / rows_of_band(op) >= bands();
    if (is_convolution(op)) {
      if (has_channels(op) && (!has_rows || is_better_by_channels(op))) return Cut::kChannels;
      return has_rows ? Cut::kRows : Cut::kNone;
    }
    if (!has_rows || !is_dense_image(model_.tensors[op.inputs[0]])) return Cut::kNone;
    return is_pool(op) || is_elementwise(op) ? Cut::kRows : Cut::kNone;
  }

  /// A product with a matrix of weights that has columns enough for all bands.
  [[nodiscard]] bool is_heavy_gemm(const Op& op) const {
    const detent_gemm_config c = product_of(op);
    const Tensor& y = model_.tensors[op.outputs[0]];
    if (op.inputs.size() != 1 || op.weights.empty() || c.row_begin != 0 || c.row_end != c.m) return false;
    const Tensor& b = model_.tensors[op.weights[0]];
    const auto is_matrix = [&](const Tensor& tensor, std::int32_t rows) {
      return tensor.layout == DETENT_LAYOUT_PLAIN && tensor.block_count == 1 &&
             tensor.dims == std::vector<std::int32_t>{rows, c.n};
    };
    if (!is_matrix(y, c.m) || !is_matrix(b, c.k) || c.n / kColumnUnit < bands()) return false;
    if (!are_stretches(op, 1, c.n)) return false;
    return op.flops >= options_.min_flops || b.size_bytes >= options_.min_bytes;
  }

  /// A convolution with blocks of channels enough for all bands, and weights that begin with them.
  [[nodiscard]] bool has_channels(const Op& op) const {
    const detent_conv2d_config c = convolution_of(op);
    const std::int32_t blocks = blocks_of(c.out_channels);
    const bool depthwise = is_depthwise(c);
    if (blocks < bands() || op.weights.size() < 2 || (c.groups != 1 && !depthwise)) return false;
    if (c.row_begin != 0 || c.row_end != c.out_h) return false;
    if (depthwise && (c.out_channels % 16 == 1 || !is_dense_image(model_.tensors[op.inputs[0]]))) return false;
    if (c.has_residual != 0 && !is_dense_image(model_.tensors[op.inputs[1]])) return false;
    const Tensor& weights = model_.tensors[op.weights[0]];
    return weights.block_count == 1 && !weights.dims.empty() && weights.dims[0] == blocks &&
           are_stretches(op, 1, 16 * blocks);
  }

  /// What a band takes a stretch of beside its weights: bias and multipliers, each of so many numbers.
  [[nodiscard]] bool are_stretches(const Op& op, std::size_t first, std::int32_t count) const {
    for (std::size_t i = first; i < std::min(op.weights.size(), kStretchedWeights); ++i) {
      const Tensor& tensor = model_.tensors[op.weights[i]];
      if (tensor.block_count != 1 || tensor.dims != std::vector<std::int32_t>{count}) return false;
    }
    return true;
  }

  /// Every band of rows reads all weights, and every band of channels all of the input, but of a depthwise convolution:
  /// that follows its input, whose bands it then waits for one by one. Others are cut by channels where rows are few,
  /// so that a band has an eighth more than its share, or weights are far more than input.
  [[nodiscard]] bool is_better_by_channels(const Op& op) const {
    const detent_conv2d_config c = convolution_of(op);
    const std::int32_t rows = (c.out_h + rows_of_band(op) - 1) / rows_of_band(op);
    const std::int32_t blocks = blocks_of(c.out_channels);
    const auto of_rows = static_cast<std::int64_t>(largest(rows)) * blocks;  // the largest bands, by rows * blocks
    const auto of_channels = static_cast<std::int64_t>(largest(blocks)) * rows;
    if (of_channels > of_rows) return false;
    if (is_depthwise(c)) return is_in_channels_[root_of(op.inputs[0])];
    const std::uint64_t weight_bytes = model_.tensors[op.weights[0]].size_bytes;
    const ByteSet input = bytes_of(model_, op.inputs[0]);
    const bool is_uneven = 8 * largest(rows) * bands() > 9 * rows;
    return weight_bytes > input.block * input.count * (is_uneven ? 1 : kFarMore);
  }

  /// Bands have so many rows, or a multiple of them: those of tiles, so that tiles are those of the whole.
  static std::int32_t rows_of_band(const Op& op) {
    return op.kernel == "conv2d_winograd_f32" ? DETENT_WINOGRAD_TILE : 1;
  }

  /// The band's share of so many rows, channel blocks or columns: counted in units, the last one may be cut.
  [[nodiscard]] Range share_of(std::int32_t count, std::int32_t unit, std::int32_t band) const {
    const std::int32_t units = (count + unit - 1) / unit;
    const auto begin = [&](std::int32_t index) {
      return std::min((units / bands() * index + std::min(index, units % bands())) * unit, count);
    };
    return {begin(band), begin(band + 1)};
  }

  static bool is_pool(const Op& op) {
    return op.kernel == "max_pool_f32" || op.kernel == "avg_pool_f32" || op.kernel == "upsample_nearest_f32" ||
           op.kernel == "max_pool_i8" || op.kernel == "upsample_nearest_i8";
  }

  [[nodiscard]] bool is_elementwise(const Op& op) const {
    if (op.kernel != "binary_f32" && op.kernel != "unary_f32" && op.kernel != "copy_f32") return false;
    const auto same_image = [&](std::uint32_t input) {
      return is_dense_image(model_.tensors[input]) && model_.tensors[input].dims == model_.tensors[op.outputs[0]].dims;
    };
    return op.weights.empty() && std::all_of(op.inputs.begin(), op.inputs.end(), same_image);
  }

  Op make_band(const Op& whole, Cut cut, std::int32_t band) {
    Op op = whole;
    op.name = whole.name + "#" + std::to_string(band);
    if (cut == Cut::kRows) {
      make_rows(op, whole, band);
    } else if (cut == Cut::kColumns && whole.kernel == "gemm_i8") {
      make_columns<detent_gemm_i8_config>(op, whole, band);
    } else if (cut == Cut::kColumns) {
      make_columns<detent_gemm_config>(op, whole, band);
    } else if (whole.kernel == "conv2d_i8") {
      make_channels<detent_conv2d_i8_config>(op, whole, band);
    } else {
      make_channels<detent_conv2d_config>(op, whole, band);
    }
    if (whole.kernel == "conv2d_winograd_f32") {
      if (band != 0) op.scratch.clear();  // the first band takes that of the whole
      give_winograd_scratch(model_, op);
    }
    return op;
  }

  void make_rows(Op& op, const Op& whole, std::int32_t band) {
    const std::int32_t height = model_.tensors[whole.outputs[0]].dims[2];
    const Range rows = share_of(height, rows_of_band(whole), band);
    op.outputs[0] = view_of_rows(model_, whole.outputs[0], rows, op.name);
    share_cost(op, rows.count(), height);
    if (whole.kernel == "conv2d_i8") {
      band_of_conv<detent_conv2d_i8_config>(op, rows);
    } else if (is_convolution(whole)) {
      band_of_conv<detent_conv2d_config>(op, rows);
    } else if (whole.kernel == "upsample_nearest_f32" || whole.kernel == "upsample_nearest_i8") {
      band_of_upsample(op, rows);
    } else if (is_pool(whole)) {
      band_of_window<detent_pool_config>(op, rows, 1);
    } else {
      band_of_elementwise(op, rows);
    }
  }

  template <typename Config>
  void make_channels(Op& op, const Op& whole, std::int32_t band) {
    const detent_conv2d_config c = convolution_of(whole);
    const Range blocks = share_of(blocks_of(c.out_channels), 1, band);
    op.outputs[0] = view_of_channels(model_, whole.outputs[0], blocks, op.name);
    const std::int32_t channels = model_.tensors[op.outputs[0]].dims[1];
    share_cost(op, channels, c.out_channels);
    if (is_depthwise(c)) op.inputs[0] = view_of_channels(model_, whole.inputs[0], blocks, op.name + ".x");
    if (c.has_residual != 0) op.inputs[1] = view_of_channels(model_, whole.inputs[1], blocks, op.name + ".residual");
    op.weights[0] = view_of_first_axis(model_, whole.weights[0], blocks, op.name + ".weight");
    take_stretches(op, {16 * blocks.begin, 16 * blocks.end});
    edit_config<Config>(op, [&](auto& edited) {
      geometry(edited).out_channels = channels;
      if (is_depthwise(c)) geometry(edited).in_channels = geometry(edited).groups = channels;
    });
  }

  template <typename Config>
  void make_columns(Op& op, const Op& whole, std::int32_t band) {
    const std::int32_t n = product_of(whole).n;
    const Range columns = share_of(n, kColumnUnit, band);
    op.outputs[0] = view_of_columns(model_, whole.outputs[0], columns, op.name);
    op.weights[0] = view_of_columns(model_, whole.weights[0], columns, op.name + ".weight");
    take_stretches(op, columns);
    share_cost(op, columns.count(), n);
    edit_config<Config>(op, [&](auto& edited) { geometry(edited).n = columns.count(); });
  }

  void take_stretches(Op& op, Range range) {
    for (std::size_t i = 1; i < std::min(op.weights.size(), kStretchedWeights); ++i) {
      op.weights[i] = view_of_first_axis(model_, op.weights[i], range, op.name + (i == 1 ? ".bias" : ".multiplier"));
    }
  }

  static void share_cost(Op& op, std::int32_t count, std::int32_t total) {
    const auto own = static_cast<std::uint64_t>(count);
    const auto all = static_cast<std::uint64_t>(total);
    const auto part = [&](std::uint64_t of) { return of / all * own + of % all * own / all; };
    op.flops = part(op.flops);
    if (op.time_ps) op.time_ps = {part(op.time_ps->first), part(op.time_ps->second) + 1};
    for (auto& [core_class, time] : op.times_by_class) time = {part(time.first), part(time.second) + 1};
  }

  template <typename Config>
  void band_of_conv(Op& op, Range rows) {
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
  void band_of_window(Op& op, Range rows, std::int32_t dilation) {
    auto config = read_config<Config>(op);
    const auto& whole = geometry(config);
    const std::int32_t first = rows.begin * whole.stride_h - whole.pad_top;
    const std::int32_t last = (rows.end - 1) * whole.stride_h - whole.pad_top + (whole.kernel_h - 1) * dilation;
    const Range needed{std::max(first, 0), std::min(last + 1, whole.in_h)};
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

  void band_of_upsample(Op& op, Range rows) {
    const auto whole = read_config<detent_pool_config>(op);
    const Range needed{rows.begin / whole.stride_h, (rows.end - 1) / whole.stride_h + 1};
    op.inputs[0] = view_of_rows(model_, op.inputs[0], needed, op.name + ".x");
    edit_config<detent_pool_config>(op, [&](auto& c) {
      c.in_h = needed.count();
      c.out_h = needed.count() * whole.stride_h;
      c.row_begin = rows.begin - needed.begin * whole.stride_h;
      c.row_end = c.row_begin + rows.count();
    });
  }

  void band_of_elementwise(Op& op, Range rows) {
    for (std::uint32_t& input : op.inputs) input = view_of_rows(model_, input, rows, op.name + ".x");
    const Tensor& y = model_.tensors[op.outputs[0]];
    edit_config<detent_elementwise_config>(
        op, [&](auto& c) { c.elements = y.block_bytes * y.block_count / sizeof(float); });
  }

  Model& model_;
  const SplitOptions& options_;
  std::vector<std::uint32_t> writers_{};  ///< how many ops write it, by tensor
  std::vector<bool> is_in_channels_{};    ///< an op that writes it was cut by channels, by tensor that is no view
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
