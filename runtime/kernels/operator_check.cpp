// What makes an operator's descriptor valid, whether tensors share elements, and the bind-time check of "elementwise".
#include "runtime/kernels/check.h"
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/operator.h"

namespace detent::ops {
namespace {

constexpr uint32_t kMaxTerms = 2 * DETENT_OPERATOR_MAX_RANK;
constexpr uint32_t kSearchSteps = 100'000;

/** Is there a sum of step[i] * x[i] with least <= x[i] <= most, equal to a target? */
class SumSearch {
 public:
  void add(int64_t step, int64_t least, int64_t most) {
    if (step < 0) {
      const int64_t swapped = -least;
      least = -most;
      most = swapped;
      step = -step;
    }
    if (step == 0 || least == most) {
      offset_ += step * least;
      return;
    }
    uint32_t at = count_++;
    for (; at > 0 && terms_[at - 1].step < step; --at) terms_[at] = terms_[at - 1];  // the largest step first
    terms_[at] = {step, least, most};
  }

  /** True, too, where the search is given up. */
  bool finds(int64_t target) {
    steps_left_ = kSearchSteps;
    lowest_[count_] = highest_[count_] = divisor_[count_] = 0;
    for (uint32_t i = count_; i-- > 0;) {
      lowest_[i] = lowest_[i + 1] + terms_[i].step * terms_[i].least;
      highest_[i] = highest_[i + 1] + terms_[i].step * terms_[i].most;
      divisor_[i] = common_divisor(terms_[i].step, divisor_[i + 1]);
    }
    return finds_from(0, target - offset_);
  }

 private:
  struct Term {
    int64_t step, least, most;
  };

  static int64_t common_divisor(int64_t a, int64_t b) {
    while (b != 0) {
      const int64_t rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }

  static int64_t floor_of(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

  bool finds_from(uint32_t i, int64_t target) {
    if (target < lowest_[i] || target > highest_[i]) return false;
    if (i == count_) return true;  // the bounds left only 0
    if (target % divisor_[i] != 0) return false;
    const Term &term = terms_[i];
    // What the other terms can reach bounds this one.
    const int64_t from = -floor_of(highest_[i + 1] - target, term.step);
    const int64_t to = floor_of(target - lowest_[i + 1], term.step);
    for (int64_t x = from > term.least ? from : term.least; x <= to && x <= term.most; ++x) {
      if (steps_left_ == 0) return true;
      --steps_left_;
      if (finds_from(i + 1, target - term.step * x)) return true;
    }
    return false;
  }

  Term terms_[kMaxTerms + 1] = {};
  int64_t lowest_[kMaxTerms + 2] = {};
  int64_t highest_[kMaxTerms + 2] = {};
  int64_t divisor_[kMaxTerms + 2] = {};
  int64_t offset_ = 0;
  uint32_t count_ = 0;
  uint32_t steps_left_ = 0;
};

/** Two elements of operand k at one place: the difference of their indices begins, in dimension `lead`, above 0. */
bool overlaps_itself(const detent_operator &op, uint32_t k) {
  for (uint32_t lead = 0; lead < op.rank; ++lead) {
    if (op.dims[lead] == 1) continue;
    SumSearch search;
    search.add(op.strides[k][lead], 1, op.dims[lead] - 1);
    for (uint32_t dim = lead + 1; dim < op.rank; ++dim) {
      search.add(op.strides[k][dim], 1 - op.dims[dim], op.dims[dim] - 1);
    }
    if (search.finds(0)) return true;
  }
  return false;
}

bool is_empty(const detent_operator &op) {
  for (uint32_t dim = 0; dim < op.rank; ++dim) {
    if (op.dims[dim] == 0) return true;
  }
  return false;
}

/** The tensor reaches over at most DETENT_MAX_BYTES in either direction. */
bool is_within_reach(const detent_operator &op, uint32_t k) {
  uint64_t reach = 1;
  for (uint32_t dim = 0; dim < op.rank; ++dim) {
    const int64_t stride = op.strides[k][dim];
    const uint64_t step = stride < 0 ? 0 - static_cast<uint64_t>(stride) : static_cast<uint64_t>(stride);
    uint64_t distance = 0;
    if (multiply_overflows(step, static_cast<uint64_t>(op.dims[dim] - 1), &distance)) return false;
    if (add_overflows(reach, distance, &reach) || reach > DETENT_MAX_BYTES / 8) return false;
  }
  return true;
}

bool has_shape(const detent_operator &op) {
  if (op.rank > DETENT_OPERATOR_MAX_RANK) return false;
  uint64_t elements = 1;
  for (uint32_t dim = 0; dim < op.rank; ++dim) {
    if (op.dims[dim] < 0) return false;
    const uint64_t length = op.dims[dim] == 0 ? 1 : static_cast<uint64_t>(op.dims[dim]);
    if (multiply_overflows(elements, length, &elements) || elements > DETENT_MAX_BYTES / 8) return false;
  }
  return true;
}

/** A tensor of the Desc holds exactly the bytes of operand k, from the lowest to the highest. */
bool is_operand(const detent_operator &op, uint32_t k, const detent_tensor &tensor) {
  const int64_t size = element_bytes(op.dtype);
  if (size == 0) return false;
  const auto bytes = static_cast<uint64_t>(extent(op, k) * size);
  return tensor.dtype == op.dtype && tensor.layout == DETENT_LAYOUT_PLAIN && tensor.block_count == 1 &&
         tensor.block_bytes == bytes && tensor.align_bytes % static_cast<uint32_t>(size) == 0;
}

}  // namespace

int64_t first_element(const detent_operator &op, uint32_t k) {
  int64_t elements = 0;
  for (uint32_t dim = 0; dim < op.rank; ++dim) {
    if (op.strides[k][dim] < 0) elements -= op.strides[k][dim] * (op.dims[dim] - 1);
  }
  return elements;
}

int64_t extent(const detent_operator &op, uint32_t k) {
  if (is_empty(op)) return 0;
  int64_t elements = 1;
  for (uint32_t dim = 0; dim < op.rank; ++dim) {
    const int64_t stride = op.strides[k][dim];
    elements += (stride < 0 ? -stride : stride) * (op.dims[dim] - 1);
  }
  return elements;
}

bool has_params(const detent_operator &op) {
  const uint32_t count = detent_elementwise_params(op.elementwise);
  for (uint32_t i = 0; i < count; ++i) {
    if (op.params[i] != op.params[i]) return false;
  }
  return count != 2 || op.params[0] <= op.params[1];
}

detent_operator_status check_operator(const detent_operator &op) {
  if (op.struct_bytes != sizeof op || op.version != DETENT_OPERATOR_VERSION) return DETENT_OPERATOR_BAD_PARAM;
  const uint32_t inputs = detent_elementwise_inputs(op.elementwise);
  if (inputs == 0 || op.input_count != inputs) return DETENT_OPERATOR_BAD_PARAM;
  if (!has_params(op)) return DETENT_OPERATOR_BAD_PARAM;
  if (element_bytes(op.dtype) == 0) return DETENT_OPERATOR_BAD_TENSOR_DTYPE;
  if (!has_shape(op)) return DETENT_OPERATOR_BAD_TENSOR_SHAPE;
  if (is_empty(op)) return DETENT_OPERATOR_SUCCESS;
  for (uint32_t k = 0; k <= op.input_count; ++k) {
    if (!is_within_reach(op, k)) return DETENT_OPERATOR_BAD_TENSOR_STRIDES;
  }
  return overlaps_itself(op, 0) ? DETENT_OPERATOR_BAD_TENSOR_STRIDES : DETENT_OPERATOR_SUCCESS;
}

bool shares_elements(const detent_operator &op, uint32_t a, uint32_t b, int64_t distance) {
  if (is_empty(op)) return false;
  SumSearch search;
  for (uint32_t dim = 0; dim < op.rank; ++dim) {
    search.add(op.strides[a][dim], 0, op.dims[dim] - 1);
    search.add(op.strides[b][dim], 1 - op.dims[dim], 0);
  }
  return search.finds(distance);
}

detent_status check_elementwise(const detent_kernel_args *args) {
  const auto *op = config_of<detent_operator>(*args);
  if (op == nullptr || check_operator(*op) != DETENT_OPERATOR_SUCCESS || is_empty(*op)) return DETENT_SHAPE;
  if (!has_counts(*args, args->input_count, 1, args->weight_count)) return DETENT_SHAPE;
  if (args->input_count > op->input_count || args->weight_count != op->input_count - args->input_count)
    return DETENT_SHAPE;
  const detent_tensor &output = *args->outputs[0].tensor;
  // Every byte of the output is written: its elements lie without gaps.
  uint64_t elements = 1;
  for (uint32_t dim = 0; dim < op->rank; ++dim) elements *= static_cast<uint64_t>(op->dims[dim]);
  if (static_cast<uint64_t>(extent(*op, 0)) != elements || !is_operand(*op, 0, output)) return DETENT_SHAPE;
  for (uint32_t k = 1; k <= op->input_count; ++k) {
    const detent_tensor &input = *operand(*args, k)->tensor;
    if (!is_operand(*op, k, input)) return DETENT_SHAPE;
    // In place: the same elements at the same places, or none in common.
    if (input.region != output.region) continue;
    const auto from = static_cast<int64_t>(output.offset_bytes);
    const int64_t bytes = static_cast<int64_t>(input.offset_bytes) - from;
    const int64_t size = element_bytes(op->dtype);
    bool has_same_strides = bytes == 0;
    for (uint32_t dim = 0; dim < op->rank; ++dim) {
      if (op->dims[dim] != 1 && op->strides[0][dim] != op->strides[k][dim]) has_same_strides = false;
    }
    if (has_same_strides) continue;
    const int64_t distance = bytes / size + first_element(*op, k) - first_element(*op, 0);
    if (bytes % size != 0 || shares_elements(*op, 0, k, distance)) return DETENT_SHAPE;
  }
  return DETENT_OK;
}

}  // namespace detent::ops
