// Kernel name + exec config -> GEMM dimensions or a number of vector operations -> cost.
#include "sim/npu/layer.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

#include <detent/op_config.h>

#include "sim/npu/checked.hpp"
#include "sim/npu/traffic.hpp"

namespace detent::sim::npu {
namespace {

/// Work of an op before the array's size matters.
struct ArrayWork {
  Gemm gemm{};
  std::uint64_t groups = 1;
  OperandWords words{};           ///< of one group
  std::uint64_t extra_reads = 0;  ///< of the whole layer: bias, residual
};

struct VectorWork {
  std::uint64_t operations = 0;
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
};

/// The exec config of `op`; nothing if its bytes are too few.
template <typename Config>
std::optional<Config> read_config(const detent_desc& desc, const detent_op& op) {
  if (op.config_size < sizeof(Config)) return std::nullopt;
  Config config;
  std::memcpy(&config, desc.config_bytes + op.config_offset, sizeof(Config));
  return config;
}

/// Sizes in exec configs are checked when a context is bound; a cost may be asked for before.
std::optional<std::uint64_t> product_of(std::initializer_list<std::int32_t> sizes) {
  std::uint64_t product = 1;
  for (const std::int32_t size : sizes) {
    if (size <= 0) return std::nullopt;
    product = checked_product(product, static_cast<std::uint64_t>(size));
  }
  return product;
}

std::uint64_t as_count(std::int32_t size) { return static_cast<std::uint64_t>(size); }

std::optional<ArrayWork> conv_work(const detent_desc& desc, const detent_op& op) {
  const auto config = read_config<detent_conv2d_config>(desc, op);
  if (!config) return std::nullopt;
  const detent_conv2d_config& c = *config;
  const std::int32_t rows = c.row_end - c.row_begin;
  const auto pixels = product_of({rows, c.out_w});
  const auto window = product_of({c.kernel_h, c.kernel_w, c.in_channels});
  const auto image = product_of({c.in_w, c.in_channels, c.in_h});
  if (!pixels || !window || !image || c.groups <= 0 || c.out_channels < c.groups || c.in_channels < c.groups ||
      c.stride_h <= 0 || c.dilation_h <= 0)
    return std::nullopt;
  const std::uint64_t groups = as_count(c.groups);
  const std::uint64_t rows_read =
      std::min(as_count(c.in_h),
               (as_count(rows) - 1) * as_count(c.stride_h) + (as_count(c.kernel_h) - 1) * as_count(c.dilation_h) + 1);
  ArrayWork work;
  work.groups = groups;
  work.gemm = {*pixels, as_count(c.out_channels) / groups, *window / groups};
  work.words.input = *image / as_count(c.in_h) * rows_read / groups;
  work.words.weight = checked_product(work.gemm.k, work.gemm.n);
  work.words.output = checked_product(work.gemm.m, work.gemm.n);
  work.extra_reads = as_count(c.out_channels);
  if (c.has_residual != 0) work.extra_reads += checked_product(*pixels, as_count(c.out_channels));
  return work;
}

std::optional<ArrayWork> gemm_work(const detent_desc& desc, const detent_op& op) {
  const auto config = read_config<detent_gemm_config>(desc, op);
  if (!config || !product_of({config->row_end - config->row_begin, config->n, config->k})) return std::nullopt;
  ArrayWork work;
  work.gemm = {as_count(config->row_end - config->row_begin), as_count(config->n), as_count(config->k)};
  work.words = {checked_product(work.gemm.m, work.gemm.k), checked_product(work.gemm.k, work.gemm.n),
                checked_product(work.gemm.m, work.gemm.n)};
  work.extra_reads = config->has_bias != 0 ? work.gemm.n : 0;
  return work;
}

std::optional<VectorWork> pool_work(const detent_desc& desc, const detent_op& op, bool is_upsampling) {
  const auto config = read_config<detent_pool_config>(desc, op);
  if (!config) return std::nullopt;
  const detent_pool_config& c = *config;
  const std::int32_t rows = c.row_end - c.row_begin;
  const auto results = product_of({c.channels, rows, c.out_w});
  const auto window = product_of({c.kernel_h, c.kernel_w});
  const auto line = product_of({c.channels, c.in_w, c.in_h});
  if (!results || !window || !line || c.stride_h <= 0) return std::nullopt;
  const std::uint64_t row_words = *line / as_count(c.in_h);
  const std::uint64_t rows_read =
      is_upsampling ? divide_up(as_count(rows), as_count(c.stride_h))
                    : std::min(as_count(c.in_h), (as_count(rows) - 1) * as_count(c.stride_h) + as_count(c.kernel_h));
  return VectorWork{is_upsampling ? *results : checked_product(*results, *window), row_words * rows_read, *results};
}

std::uint64_t element_count(const detent_tensor& tensor) {
  std::uint64_t count = 1;
  for (std::uint8_t axis = 0; axis < tensor.rank && axis < DETENT_MAX_RANK; ++axis)
    count = checked_product(count, as_count(std::max(tensor.dims[axis], 1)));
  return count;
}

/// Words that an element-wise op reads: an operand of one element is read once.
std::uint64_t operand_words(const detent_desc& desc, const detent_op& op, std::uint64_t elements) {
  std::uint64_t words = 0;
  for (const detent_slice& slice : {op.inputs, op.weights})
    for (std::uint32_t i = 0; i < slice.count; ++i) {
      const detent_tensor& tensor = desc.tensors[desc.tensor_refs[slice.first + i]];
      words = checked_sum(words, element_count(tensor) == 1 ? 1 : elements);
    }
  return words;
}

std::optional<VectorWork> elementwise_work(const detent_desc& desc, const detent_op& op) {
  const auto config = read_config<detent_elementwise_config>(desc, op);
  if (!config || config->elements == 0) return std::nullopt;
  return VectorWork{config->elements, operand_words(desc, op, config->elements), config->elements};
}

/// In words of the NPU, whatever the elements are.
std::optional<VectorWork> copy_work(const detent_desc& desc, const detent_op& op, const NpuConfig& config) {
  if (op.outputs.count != 1) return std::nullopt;
  const detent_tensor& tensor = desc.tensors[desc.tensor_refs[op.outputs.first]];
  const std::uint64_t words =
      divide_up(checked_product(tensor.block_bytes, tensor.block_count), std::uint64_t{config.word_bytes});
  return VectorWork{words, words, words};
}

std::optional<VectorWork> add_work(const detent_desc& desc, const detent_op& op) {
  const auto config = read_config<detent_add_i8_config>(desc, op);
  if (!config || config->elements == 0) return std::nullopt;
  return VectorWork{config->elements, operand_words(desc, op, config->elements), config->elements};
}

std::optional<VectorWork> softmax_work(const detent_desc& desc, const detent_op& op) {
  const auto config = read_config<detent_softmax_config>(desc, op);
  const auto elements = config ? product_of({config->rows, config->columns}) : std::nullopt;
  if (!elements) return std::nullopt;
  return VectorWork{checked_product(*elements, 3), *elements, *elements};  // maximum, exponentials and sum, quotient
}

std::optional<VectorWork> transpose_work(const detent_desc& desc, const detent_op& op) {
  const auto config = read_config<detent_transpose_config>(desc, op);
  if (!config || config->rank < 1 || config->rank > 6) return std::nullopt;
  std::uint64_t elements = 1;
  for (std::int32_t axis = 0; axis < config->rank; ++axis) {
    if (config->dims[axis] <= 0) return std::nullopt;
    elements = checked_product(elements, as_count(config->dims[axis]));
  }
  return VectorWork{elements, elements, elements};
}

std::optional<VectorWork> reorder_work(const detent_desc& desc, const detent_op& op, bool is_average) {
  const auto config = read_config<detent_reorder_config>(desc, op);
  const auto elements = config ? product_of({config->channels, config->h, config->w}) : std::nullopt;
  if (!elements) return std::nullopt;
  return VectorWork{*elements, *elements, is_average ? as_count(config->channels) : *elements};
}

/// Elements of an I8 network are one byte each, whatever the operands of the chip are.
constexpr std::uint32_t kI8WordBytes = 1;

bool is_i8(std::string_view kernel) { return kernel.ends_with("_i8"); }

/// The config of an int8 kernel begins with that of the F32 one. An output channel's bias and multiplier are I32.
std::optional<ArrayWork> i8_work(std::optional<ArrayWork> work) {
  if (work) work->extra_reads = 2 * sizeof(std::int32_t) * work->gemm.n * work->groups;
  return work;
}

std::optional<ArrayWork> array_work(const detent_desc& desc, const detent_op& op, std::string_view kernel) {
  if (kernel == "conv2d_f32") return conv_work(desc, op);
  if (kernel == "gemm_f32") return gemm_work(desc, op);
  if (kernel == "conv2d_i8") return i8_work(conv_work(desc, op));
  if (kernel == "gemm_i8") return i8_work(gemm_work(desc, op));
  return std::nullopt;
}

std::optional<VectorWork> vector_work(const detent_desc& desc, const detent_op& op, std::string_view kernel,
                                      const NpuConfig& config) {
  if (kernel == "copy_blocks") return copy_work(desc, op, config);
  if (kernel == "max_pool_f32" || kernel == "avg_pool_f32" || kernel == "max_pool_i8") {
    return pool_work(desc, op, false);
  }
  if (kernel == "upsample_nearest_f32" || kernel == "upsample_nearest_i8") return pool_work(desc, op, true);
  if (kernel == "binary_f32" || kernel == "unary_f32" || kernel == "copy_f32") return elementwise_work(desc, op);
  if (kernel == "softmax_f32") return softmax_work(desc, op);
  if (kernel == "transpose_f32") return transpose_work(desc, op);
  if (kernel == "reorder_f32") return reorder_work(desc, op, false);
  if (kernel == "global_avg_pool_f32" || kernel == "global_avg_pool_i8") return reorder_work(desc, op, true);
  if (kernel == "add_i8") return add_work(desc, op);
  return std::nullopt;
}

void require_field(bool holds, const char* field, const char* rule) {
  if (!holds) throw std::invalid_argument("NPU: " + std::string(field) + " must be " + rule);
}

void require_config(const NpuConfig& config) {
  require_field(config.word_bytes >= 1 && config.word_bytes <= 16, "word_bytes", "1 to 16");
  require_field(config.vector_lanes >= 1, "vector_lanes", "at least 1");
  require_field(config.port_bytes_per_cycle >= 1, "port_bytes_per_cycle", "at least 1");
  const std::uint64_t two_words = 2 * std::uint64_t{config.word_bytes};
  require_field(config.input_buffer_bytes >= two_words, "input_buffer_bytes", "at least two words");
  require_field(config.weight_buffer_bytes >= two_words, "weight_buffer_bytes", "at least two words");
  require_field(config.output_buffer_bytes >= two_words, "output_buffer_bytes", "at least two words");
}

LayerCost array_cost(const ArrayWork& work, const NpuConfig& config) {
  const Mapping mapping = map_gemm(work.gemm, config.array, config.dataflow);
  const BufferWords buffers{config.input_buffer_bytes / config.word_bytes,
                            config.weight_buffer_bytes / config.word_bytes,
                            config.output_buffer_bytes / config.word_bytes};
  const Traffic traffic = dram_traffic(work.gemm, mapping, config.array, config.dataflow, buffers, work.words);
  const auto of_groups = [&](std::uint64_t count) { return checked_product(count, work.groups); };
  const std::uint64_t reads =
      of_groups(checked_sum(checked_sum(traffic.input_reads, traffic.weight_reads), traffic.partial_reads));
  LayerCost cost;
  cost.on_array = true;
  cost.gemm = work.gemm;
  cost.groups = work.groups;
  cost.compute_cycles = of_groups(mapping.compute_cycles);
  cost.macs = of_groups(mapping.macs);
  cost.utilisation = mapping.utilisation;
  cost.dram_read_bytes = checked_product(checked_sum(reads, work.extra_reads), config.word_bytes);
  cost.dram_write_bytes = checked_product(of_groups(traffic.output_writes), config.word_bytes);
  cost.sram = {of_groups(mapping.sram.input_reads), of_groups(mapping.sram.weight_reads),
               of_groups(mapping.sram.output_writes)};
  return cost;
}

LayerCost vector_cost(const VectorWork& work, const NpuConfig& config) {
  LayerCost cost;
  cost.elements = work.operations;
  cost.compute_cycles = divide_up(work.operations, config.vector_lanes);
  cost.utilisation = static_cast<double>(work.operations) /
                     (static_cast<double>(cost.compute_cycles) * static_cast<double>(config.vector_lanes));
  cost.dram_read_bytes = checked_product(work.reads, config.word_bytes);
  cost.dram_write_bytes = checked_product(work.writes, config.word_bytes);
  cost.sram = {work.reads, 0, work.writes};
  return cost;
}

}  // namespace

std::optional<LayerCost> layer_cost(const detent_desc& desc, OpId op_id, const NpuConfig& config) {
  require_config(config);
  const detent_op& op = desc.ops[op_id];
  if (op.kernel >= desc.kernel_count || (op.flags & DETENT_OP_DELAY) != 0) return std::nullopt;
  const std::string_view kernel = desc.kernels[op.kernel];
  NpuConfig of_layer = config;
  if (is_i8(kernel)) of_layer.word_bytes = kI8WordBytes;
  if (const auto work = array_work(desc, op, kernel)) return array_cost(*work, of_layer);
  if (const auto work = vector_work(desc, op, kernel, of_layer)) return vector_cost(*work, of_layer);
  return std::nullopt;
}

}  // namespace detent::sim::npu
