#include "models/files/graph_operator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/words/near.hpp"
#include "models/core/dtypes.hpp"

namespace detent::models {
namespace {

constexpr std::string_view kElementwise = "elementwise";

struct OperatorRow {
  const char* name;
  std::int32_t number;
  std::uint32_t inputs, params;
};

#define DETENT_ROW(name, number, text, functor, inputs, params) {text, number, inputs, params},
constexpr OperatorRow kOperatorRows[] = {DETENT_ELEMENTWISE_LIST(DETENT_ROW)};
#undef DETENT_ROW

const OperatorRow& row_of(const JsonValue& kernel) {
  const std::string_view name = kernel.as_name();
  const auto* const found =
      std::ranges::find_if(kOperatorRows, [&](const OperatorRow& row) { return name == row.name; });
  if (found != std::end(kOperatorRows)) return *found;
  std::vector<std::string> names;
  for (const OperatorRow& row : kOperatorRows) names.emplace_back(row.name);
  const std::string near = did_you_mean(std::string(name), names);
  kernel.fail("no operator of the name \"" + std::string(name) + "\"" +
              (near.empty() ? "; detent list operators names them" : near));
}

const Dtype& type_of(const JsonValue& dtype) {
  const Dtype* const found = find_dtype(dtype.as_string());
  const bool is_computed = found != nullptr && (found->number == DETENT_F16 || found->number == DETENT_BF16 ||
                                                found->number == DETENT_F32 || found->number == DETENT_F64);
  if (!is_computed) dtype.fail("must be \"f16\", \"bf16\", \"f32\" or \"f64\"");
  return *found;
}

/// Of a dimension or a stride; larger ones reach over more than a region.
constexpr std::int64_t kMaxDim = std::int64_t{1} << 40;

void read_strides(const JsonValue& list, std::uint32_t rank, std::int64_t* strides) {
  if (list.size() != rank) list.fail(fmt::format("expected a stride for each of {} dimensions", rank));
  for (const JsonValue stride : list.elements()) *strides++ = stride.as_i64(-kMaxDim, kMaxDim);
}

/// Elements from the lowest to the highest one of operand k; 0 where that is above what a region can hold.
std::uint64_t extent_of(const detent_operator& op, std::uint32_t k) {
  std::uint64_t extent = 1;
  for (std::uint32_t dim = 0; dim < op.rank; ++dim) {
    const std::int64_t stride = op.strides[k][dim];
    const auto step = static_cast<std::uint64_t>(stride < 0 ? -stride : stride);
    std::uint64_t reach = 0;
    if (__builtin_mul_overflow(step, static_cast<std::uint64_t>(op.dims[dim] - 1), &reach)) return 0;
    if (__builtin_add_overflow(extent, reach, &extent) || extent > DETENT_MAX_BYTES) return 0;
  }
  return extent;
}

void require_range(const GraphOperator& wanted, std::uint32_t k, const Tensor& tensor) {
  const std::string operand = k == 0 ? "the output" : fmt::format("input {}", k - 1);
  const std::uint64_t bytes = extent_of(wanted.descriptor, k) * wanted.element_bytes;
  if (tensor.size_bytes != bytes) {
    wanted.place.fail(bytes == 0 ? operand + " reaches over more than 1 TiB"
                                 : fmt::format("{} has {} bytes, its range {}", operand, bytes, tensor.size_bytes));
  }
  if (tensor.offset_bytes % wanted.element_bytes != 0) {
    wanted.place.fail(fmt::format("{} begins at {}, which is no multiple of its {} bytes an element", operand,
                                  tensor.offset_bytes, wanted.element_bytes));
  }
}

/// Each byte of the output is written once: taken from the least stride on, every stride is as long as what lies
/// within.
bool is_dense(const detent_operator& op) {
  std::vector<std::pair<std::int64_t, std::int64_t>> steps;
  for (std::uint32_t dim = 0; dim < op.rank; ++dim) {
    const std::int64_t stride = op.strides[0][dim];
    if (op.dims[dim] != 1) steps.emplace_back(stride < 0 ? -stride : stride, op.dims[dim]);
  }
  std::ranges::sort(steps);
  std::int64_t length = 1;
  for (const auto& [stride, dim] : steps) {
    if (stride != length) return false;
    length *= dim;
  }
  return true;
}

/// The input is the output, element by element, or lies elsewhere.
bool may_overwrite(const detent_operator& op, std::uint32_t k, const Tensor& input, const Tensor& output) {
  if (input.region != output.region) return true;
  if (input.offset_bytes >= output.offset_bytes + output.size_bytes) return true;
  if (output.offset_bytes >= input.offset_bytes + input.size_bytes) return true;
  for (std::uint32_t dim = 0; dim < op.rank; ++dim) {
    if (op.dims[dim] != 1 && op.strides[k][dim] != op.strides[0][dim]) return false;
  }
  return input.offset_bytes == output.offset_bytes;
}

template <typename Numbers>
std::string list_text(const Numbers& numbers, std::uint32_t count) {
  return fmt::format("[{}]", fmt::join(std::begin(numbers), std::begin(numbers) + count, ", "));
}

}  // namespace

std::string real_text(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == text.npos) text += ".0";
  return text;
}

std::optional<GraphOperator> read_operator(JsonObject& op) {
  const auto kernel = op.find("kernel");
  if (!kernel) return std::nullopt;
  const OperatorRow& row = row_of(*kernel);
  const Dtype& dtype = type_of(op.require("dtype"));
  GraphOperator made{.descriptor = {}, .element_bytes = dtype.bytes, .place = *kernel};
  detent_operator& descriptor = made.descriptor;
  descriptor.struct_bytes = sizeof descriptor;
  descriptor.version = DETENT_OPERATOR_VERSION;
  descriptor.elementwise = row.number;
  descriptor.dtype = dtype.number;
  descriptor.input_count = row.inputs;
  const JsonValue shape = op.require("shape");
  for (const JsonValue dim : shape.elements()) {
    if (descriptor.rank == DETENT_OPERATOR_MAX_RANK) {
      shape.fail(fmt::format("at most {} dimensions are possible", DETENT_OPERATOR_MAX_RANK));
    }
    descriptor.dims[descriptor.rank++] = dim.as_i64(1, kMaxDim);
  }
  std::uint64_t row_major = 1;
  for (std::uint32_t dim = descriptor.rank; dim-- > 0;) {
    for (auto& strides : descriptor.strides) strides[dim] = static_cast<std::int64_t>(row_major);
    if (__builtin_mul_overflow(row_major, static_cast<std::uint64_t>(descriptor.dims[dim]), &row_major) ||
        row_major > DETENT_MAX_BYTES) {
      shape.fail("more elements than 1 TiB holds");
    }
  }
  if (const auto strides = op.find("strides")) {
    if (strides->size() != 1 + row.inputs) {
      strides->fail(fmt::format("expected {} lists: of the output, then of each input", 1 + row.inputs));
    }
    std::uint32_t k = 0;
    for (const JsonValue list : strides->elements()) read_strides(list, descriptor.rank, descriptor.strides[k++]);
  }
  const auto params = op.find("params");
  if ((params ? params->size() : 0) != row.params) {
    (params ? *params : *kernel).fail(fmt::format("\"{}\" takes {} in \"params\"", row.name, row.params));
  }
  std::uint32_t at = 0;
  if (params) {
    for (const JsonValue param : params->elements()) {
      if (!std::isfinite(param.as_number())) param.fail("must be a finite number");
      descriptor.params[at++] = param.as_number();
    }
  }
  if (row.params == 2 && descriptor.params[0] > descriptor.params[1])
    params->fail("the lower limit is above the upper");
  return made;
}

void apply_operator(const GraphOperator& wanted, const Model& model, Op& op) {
  const detent_operator& descriptor = wanted.descriptor;
  if (op.inputs.size() != descriptor.input_count || op.outputs.size() != 1) {
    wanted.place.fail(
        fmt::format("takes {} in \"reads\", one for each input, and one in \"writes\"", descriptor.input_count));
  }
  require_range(wanted, 0, model.tensors[op.outputs[0]]);
  for (std::uint32_t k = 1; k <= descriptor.input_count; ++k) {
    require_range(wanted, k, model.tensors[op.inputs[k - 1]]);
  }
  if (!is_dense(descriptor)) wanted.place.fail("the strides of the output leave gaps or let elements share a place");
  for (std::uint32_t k = 1; k <= descriptor.input_count; ++k) {
    if (may_overwrite(descriptor, k, model.tensors[op.inputs[k - 1]], model.tensors[op.outputs[0]])) continue;
    wanted.place.fail(
        fmt::format("the output overwrites input {} before it is read; give it the same range and strides, or "
                    "bytes of its own",
                    k - 1));
  }
  op.kernel = kElementwise;
  op.config.resize(sizeof descriptor);
  std::memcpy(op.config.data(), &descriptor, sizeof descriptor);
}

std::string operator_text(const Op& op) {
  detent_operator descriptor = {};
  if (op.kernel != kElementwise || op.config.size() != sizeof descriptor) return "";
  std::memcpy(&descriptor, op.config.data(), sizeof descriptor);
  const auto* const row =
      std::ranges::find_if(kOperatorRows, [&](const OperatorRow& r) { return r.number == descriptor.elementwise; });
  if (row == std::end(kOperatorRows) || descriptor.rank > DETENT_OPERATOR_MAX_RANK || descriptor.dtype < 0 ||
      descriptor.dtype >= static_cast<int>(kDtypes.size())) {
    return "";
  }
  std::string text = fmt::format(", \"kernel\": \"{}\", \"dtype\": \"{}\", \"shape\": {}", row->name,
                                 dtype_of(static_cast<detent_dtype>(descriptor.dtype)).name,
                                 list_text(descriptor.dims, descriptor.rank));
  text += ", \"strides\": [";
  for (std::uint32_t k = 0; k <= row->inputs; ++k) {
    text += (k == 0 ? "" : ", ") + list_text(descriptor.strides[k], descriptor.rank);
  }
  text += "]";
  if (row->params != 0) text += ", \"params\": [" + real_text(descriptor.params[0]);
  if (row->params == 2) text += ", " + real_text(descriptor.params[1]);
  if (row->params != 0) text += "]";
  return text;
}

}  // namespace detent::models
