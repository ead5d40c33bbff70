// Calls of <detent/operator.h>: descriptors, calculation, parts.
#include "runtime/kernels/operator.h"

#include <detent/backend.h>

#include "runtime/base/float_environment.h"

namespace {

using namespace detent;
using namespace detent::ops;

constexpr uint32_t kOperands = 1 + DETENT_OPERATOR_MAX_INPUTS;

struct Row {
  const char *name;
  uint32_t inputs, params;
};

// Numbers of operators begin with 1.
#define DETENT_ROW(name, number, text, functor, inputs, params) {text, inputs, params},
constexpr Row kRows[] = {{nullptr, 0, 0}, DETENT_ELEMENTWISE_LIST(DETENT_ROW)};
#undef DETENT_ROW

#define DETENT_NUMBER(name, number, text, functor, inputs, params) number,
constexpr int kNumbers[] = {0, DETENT_ELEMENTWISE_LIST(DETENT_NUMBER)};
#undef DETENT_NUMBER
constexpr int kRowCount = sizeof kRows / sizeof kRows[0];

constexpr bool are_dense() {
  for (int i = 0; i < kRowCount; ++i) {
    if (kNumbers[i] != i) return false;
  }
  return true;
}
static_assert(are_dense(), "numbers of operators ascend one by one");

const Row &row_of(int32_t elementwise) { return kRows[elementwise > 0 && elementwise < kRowCount ? elementwise : 0]; }

bool is_live(const detent_operator &op) {
  return op.struct_bytes == sizeof op && op.version == DETENT_OPERATOR_VERSION;
}

bool is_versioned(const detent_tensor_desc &tensor) {
  return tensor.struct_bytes == sizeof tensor && tensor.version == DETENT_OPERATOR_VERSION;
}

bool lacks_dims(const detent_tensor_desc &tensor) { return tensor.rank != 0 && tensor.dims == nullptr; }

bool has_shape_of(const detent_tensor_desc &a, const detent_tensor_desc &b) {
  if (a.rank != b.rank) return false;
  for (uint32_t dim = 0; dim < a.rank; ++dim) {
    if (a.dims[dim] != b.dims[dim]) return false;
  }
  return true;
}

/** Strides of an operand, row major where the descriptor has none. Of an impossible shape anything. */
void set_strides(const detent_tensor_desc &tensor, int64_t *strides) {
  uint64_t row_major = 1;
  for (uint32_t dim = tensor.rank; dim-- > 0;) {
    strides[dim] = tensor.strides != nullptr ? tensor.strides[dim] : static_cast<int64_t>(row_major);
    row_major *= static_cast<uint64_t>(tensor.dims[dim]);
  }
}

bool has_strides_of_output(const detent_operator &op, uint32_t k) {
  for (uint32_t dim = 0; dim < op.rank; ++dim) {
    if (op.dims[dim] != 1 && op.strides[k][dim] != op.strides[0][dim]) return false;
  }
  return true;
}

/** Input k is where the output is, element by element, or shares nothing with it. `size` bytes an element; addresses
 * are of elements 0. */
bool may_write(const detent_operator &op, int64_t size, const void *output, uint32_t k, const void *input) {
  if (input == output && has_strides_of_output(op, k)) return true;
  const auto to = reinterpret_cast<uintptr_t>(output);
  const auto from = reinterpret_cast<uintptr_t>(input);
  const uint64_t apart = to > from ? to - from : from - to;
  if (apart > 2 * DETENT_MAX_BYTES) return true;  // further than any tensor reaches
  const int64_t distance = static_cast<int64_t>(apart) / size;
  return !shares_elements(op, 0, k, from >= to ? distance : -distance);
}

detent_kernel_fn elementwise_kernel() {
  const detent_kernel_table &table = *detent_builtin_kernels();
  for (uint32_t i = 0; i < table.count; ++i) {
    if (strcmp(table.kernels[i].name, "elementwise") == 0) return table.kernels[i].run;
  }
  return nullptr;
}

/** The dimension along which parts are cut: the first that has an index for each, else the longest. */
uint32_t cut_of(const detent_operator &op, uint32_t count) {
  uint32_t cut = 0;
  for (uint32_t dim = 0; dim < op.rank; ++dim) {
    if (op.dims[dim] >= int64_t{count}) return dim;
    if (op.dims[dim] > op.dims[cut]) cut = dim;
  }
  return cut;
}

}  // namespace

detent_operator_status detent_operator_create(detent_operator *op, int32_t elementwise, int32_t device,
                                              const detent_tensor_desc *output, const detent_tensor_desc *const *inputs,
                                              uint32_t input_count, const double *params, uint32_t param_count) {
  if (op == nullptr || output == nullptr || inputs == nullptr || input_count == 0) return DETENT_OPERATOR_NULL_POINTER;
  if (param_count != 0 && params == nullptr) return DETENT_OPERATOR_NULL_POINTER;
  for (uint32_t k = 0; k < input_count; ++k) {
    if (inputs[k] == nullptr) return DETENT_OPERATOR_NULL_POINTER;
  }
  const Row &row = row_of(elementwise);
  if (row.name == nullptr || input_count != row.inputs || param_count != row.params) return DETENT_OPERATOR_BAD_PARAM;
  detent_operator made = {};
  made.struct_bytes = sizeof made;
  made.version = DETENT_OPERATOR_VERSION;
  made.elementwise = elementwise;
  made.dtype = output->dtype;
  made.rank = output->rank;
  made.input_count = input_count;
  for (uint32_t i = 0; i < param_count; ++i) made.params[i] = params[i];
  const detent_tensor_desc *tensors[kOperands] = {output};
  for (uint32_t k = 0; k < input_count; ++k) tensors[k + 1] = inputs[k];
  for (uint32_t k = 0; k <= input_count; ++k) {
    if (!is_versioned(*tensors[k])) return DETENT_OPERATOR_BAD_PARAM;
    if (lacks_dims(*tensors[k])) return DETENT_OPERATOR_NULL_POINTER;
  }
  if (!has_params(made)) return DETENT_OPERATOR_BAD_PARAM;
  if (device != DETENT_DEVICE_CPU) return DETENT_OPERATOR_DEVICE_TYPE_NOT_SUPPORTED;
  if (element_bytes(output->dtype) == 0) return DETENT_OPERATOR_BAD_TENSOR_DTYPE;
  for (uint32_t k = 1; k <= input_count; ++k) {
    if (tensors[k]->dtype != output->dtype) return DETENT_OPERATOR_BAD_TENSOR_DTYPE;
  }
  if (output->rank > DETENT_OPERATOR_MAX_RANK) return DETENT_OPERATOR_BAD_TENSOR_SHAPE;
  for (uint32_t k = 1; k <= input_count; ++k) {
    if (!has_shape_of(*tensors[k], *output)) return DETENT_OPERATOR_BAD_TENSOR_SHAPE;
  }
  for (uint32_t dim = 0; dim < output->rank; ++dim) made.dims[dim] = output->dims[dim];
  for (uint32_t k = 0; k <= input_count; ++k) set_strides(*tensors[k], made.strides[k]);
  const detent_operator_status status = check_operator(made);
  if (status == DETENT_OPERATOR_SUCCESS) *op = made;
  return status;
}

detent_operator_status detent_operator_workspace_bytes(const detent_operator *op, uint64_t *bytes) {
  if (op == nullptr || bytes == nullptr) return DETENT_OPERATOR_NULL_POINTER;
  if (!is_live(*op)) return DETENT_OPERATOR_BAD_PARAM;
  *bytes = 0;
  return DETENT_OPERATOR_SUCCESS;
}

detent_operator_status detent_operator_calculate(const detent_operator *op, void * /*workspace*/,
                                                 uint64_t /*workspace_bytes*/, void *output, const void *const *inputs,
                                                 void * /*stream*/) {
  if (op == nullptr || inputs == nullptr) return DETENT_OPERATOR_NULL_POINTER;
  if (!is_live(*op)) return DETENT_OPERATOR_BAD_PARAM;
  const int64_t size = element_bytes(op->dtype);
  const bool is_known = size != 0 && op->input_count != 0 && row_of(op->elementwise).inputs == op->input_count;
  if (!is_known) return DETENT_OPERATOR_BAD_PARAM;  // not as create left it
  if (extent(*op, 0) == 0) return DETENT_OPERATOR_SUCCESS;
  const auto is_aligned = [size](const void *at) {
    return reinterpret_cast<uintptr_t>(at) % static_cast<uintptr_t>(size) == 0;
  };
  if (output == nullptr) return DETENT_OPERATOR_NULL_POINTER;
  for (uint32_t k = 0; k < op->input_count; ++k) {
    if (inputs[k] == nullptr) return DETENT_OPERATOR_NULL_POINTER;
  }
  detent_buffer buffers[kOperands] = {};
  for (uint32_t k = 0; k <= op->input_count; ++k) {
    const void *const at = k == 0 ? output : inputs[k - 1];
    if (!is_aligned(at)) return DETENT_OPERATOR_BAD_PARAM;
    // The kernel takes the lowest address, writes none of its inputs.
    buffers[k].data = static_cast<unsigned char *>(const_cast<void *>(at)) - first_element(*op, k) * size;
  }
  for (uint32_t k = 1; k <= op->input_count; ++k) {
    if (!may_write(*op, size, output, k, inputs[k - 1])) return DETENT_OPERATOR_BAD_TENSOR_STRIDES;
  }
  const detent_kernel_fn run = elementwise_kernel();
  if (run == nullptr) return DETENT_OPERATOR_NOT_IMPLEMENTED;
  detent_kernel_args args = {};
  args.outputs = buffers;
  args.output_count = 1;
  args.inputs = buffers + 1;
  args.input_count = op->input_count;
  args.config = op;
  args.config_size = sizeof *op;
  const FloatEnvironmentScope environment;
  return run(&args) == 0 ? DETENT_OPERATOR_SUCCESS : DETENT_OPERATOR_INTERNAL_ERROR;
}

uint32_t detent_operator_parts(const detent_operator *op, uint32_t workers) {
  if (op == nullptr || !is_live(*op) || workers == 0) return 1;
  int64_t elements = 1;
  int64_t longest = 1;
  for (uint32_t dim = 0; dim < op->rank; ++dim) {
    elements *= op->dims[dim];
    if (op->dims[dim] > longest) longest = op->dims[dim];
  }
  if (elements <= int64_t{DETENT_OPERATOR_SERIAL_ELEMENTS}) return 1;
  return longest < int64_t{workers} ? static_cast<uint32_t>(longest) : workers;
}

detent_operator_status detent_operator_part(const detent_operator *op, uint32_t count, uint32_t index,
                                            detent_operator *part, int64_t offsets[1 + DETENT_OPERATOR_MAX_INPUTS]) {
  if (op == nullptr || part == nullptr || offsets == nullptr) return DETENT_OPERATOR_NULL_POINTER;
  if (!is_live(*op) || index >= count) return DETENT_OPERATOR_BAD_PARAM;
  detent_operator made = *op;
  for (uint32_t k = 0; k < kOperands; ++k) offsets[k] = 0;
  if (op->rank == 0) {  // a single element, of the first part
    made.rank = 1;
    made.dims[0] = index == 0 ? 1 : 0;
    *part = made;
    return DETENT_OPERATOR_SUCCESS;
  }
  const uint32_t cut = cut_of(*op, count);
  const int64_t whole = op->dims[cut];
  const int64_t each = whole / count;
  const int64_t longer = whole % count;  // the first of them have one more
  const int64_t first = each * index + (index < longer ? index : longer);
  made.dims[cut] = each + (index < longer ? 1 : 0);
  for (uint32_t k = 0; k <= op->input_count; ++k) offsets[k] = first * op->strides[k][cut];
  *part = made;
  return DETENT_OPERATOR_SUCCESS;
}

detent_operator_status detent_operator_destroy(detent_operator *op) {
  if (op == nullptr) return DETENT_OPERATOR_NULL_POINTER;
  if (!is_live(*op)) return DETENT_OPERATOR_BAD_PARAM;
  op->struct_bytes = 0;
  op->version = 0;
  return DETENT_OPERATOR_SUCCESS;
}

const char *detent_elementwise_name(int32_t elementwise) { return row_of(elementwise).name; }
uint32_t detent_elementwise_inputs(int32_t elementwise) { return row_of(elementwise).inputs; }
uint32_t detent_elementwise_params(int32_t elementwise) { return row_of(elementwise).params; }

const char *detent_operator_status_name(detent_operator_status status) {
#define DETENT_STATUS_NAME(name, number) \
  if (status == DETENT_OPERATOR_##name) return #name;
  DETENT_OPERATOR_STATUS_LIST(DETENT_STATUS_NAME)
#undef DETENT_STATUS_NAME
  return "?";
}
