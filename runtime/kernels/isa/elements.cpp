// "elementwise": operators of <detent/operator.h>. Elements are brought into a line of 256, computed there by one loop
// for each operator, and put where they belong: the arithmetic knows neither strides nor types.
#include <detent/operator.h>

#include "runtime/kernels/isa/functors.h"
#include "runtime/kernels/isa/numbers.h"
#include "runtime/kernels/isa/run.h"
#include "runtime/kernels/operator.h"

DETENT_ISA_BEGIN
namespace {

constexpr uint32_t kOperands = 1 + DETENT_OPERATOR_MAX_INPUTS;
constexpr int64_t kLine = 256;         /**< elements; three lines of doubles stay in the nearest cache */
constexpr int64_t kLongLine = 1 << 14; /**< where no line is copied */

/** One operator on `count` elements in lines that share nothing; b where it has two inputs. */
template <typename F>
using LineFunction = void (*)(const F *a, const F *b, F *y, int64_t count, const double *params);

template <typename Functor, int kInputs, int kParams, typename F>
DETENT_INLINE F apply(const F *a, const F *b, int64_t i, const double *params) {
  if constexpr (kInputs == 2) return Functor::of(a[i], b[i]);
  if constexpr (kInputs == 1 && kParams != 0) return Functor::of(a[i], params);
  if constexpr (kInputs == 1 && kParams == 0) return Functor::of(a[i]);
}

template <typename Functor, int kInputs, int kParams, typename F>
void compute_line(const F *a, const F *b, F *y, int64_t count, const double *params) {
  for (int64_t i = 0; i < count; ++i) y[i] = canonical(apply<Functor, kInputs, kParams>(a, b, i, params));
}

template <typename A, typename B>
inline constexpr bool kIsSame = false;
template <typename A>
inline constexpr bool kIsSame<A, A> = true;

/** The functor has an `of` that computes in float; one for double alone would answer a double. */
template <typename Functor, int kInputs, int kParams>
constexpr bool computes_in_float() {
  if constexpr (kParams != 0)
    return false;
  else if constexpr (kInputs == 2)
    return kIsSame<decltype(Functor::of(0.0F, 0.0F)), float>;
  else
    return kIsSame<decltype(Functor::of(0.0F)), float>;
}

template <typename Functor, int kInputs, int kParams>
constexpr LineFunction<float> float_line() {
  if constexpr (computes_in_float<Functor, kInputs, kParams>())
    return compute_line<Functor, kInputs, kParams, float>;
  else
    return nullptr;
}

struct Lines {
  LineFunction<double> in_double;
  LineFunction<float> in_float; /**< null: floats are computed as doubles */
};

// Numbers of operators begin with 1.
#define DETENT_LINES(name, number, text, functor, inputs, params) \
  {compute_line<functors::functor, inputs, params, double>, float_line<functors::functor, inputs, params>()},
constexpr Lines kLines[] = {{nullptr, nullptr}, DETENT_ELEMENTWISE_LIST(DETENT_LINES)};
#undef DETENT_LINES

DETENT_INLINE LineFunction<double> line_of(const Lines &lines, double /*compute*/) { return lines.in_double; }
DETENT_INLINE LineFunction<float> line_of(const Lines &lines, float /*compute*/) { return lines.in_float; }

/** The operator's dimensions with those of one element left out and those that lie behind one another made one: the
 * last one is as long as it can be. */
struct Loops {
  uint32_t rank;
  int64_t dims[DETENT_OPERATOR_MAX_RANK];
  int64_t strides[kOperands][DETENT_OPERATOR_MAX_RANK];
};

bool continues(const detent_operator &op, const Loops &loops, uint32_t dim) {
  if (loops.rank == 0) return false;
  for (uint32_t k = 0; k <= op.input_count; ++k) {
    if (loops.strides[k][loops.rank - 1] != op.strides[k][dim] * op.dims[dim]) return false;
  }
  return true;
}

Loops loops_of(const detent_operator &op) {
  Loops loops = {};
  for (uint32_t dim = 0; dim < op.rank; ++dim) {
    if (op.dims[dim] == 1) continue;
    const bool joins = continues(op, loops, dim);
    if (!joins) ++loops.rank;
    int64_t &length = loops.dims[loops.rank - 1];
    length = joins ? length * op.dims[dim] : op.dims[dim];
    for (uint32_t k = 0; k <= op.input_count; ++k) loops.strides[k][loops.rank - 1] = op.strides[k][dim];
  }
  if (loops.rank == 0) {  // a single element
    loops.rank = 1;
    loops.dims[0] = 1;
  }
  return loops;
}

/** `count` elements from `from` as numbers of type F: where they are, if they lie there as such, else in `line`. */
template <typename F, typename Stored>
DETENT_INLINE const F *gathered(const Stored *from, int64_t stride, int64_t count, F *line) {
  if constexpr (kIsSame<F, Stored>) {
    if (stride == 1) return from;
    for (int64_t i = 0; i < count; ++i) line[i] = from[i * stride];
  } else if (stride == 1) {
    for (int64_t i = 0; i < count; ++i) line[i] = static_cast<F>(widened(from[i]));
  } else {
    for (int64_t i = 0; i < count; ++i) line[i] = static_cast<F>(widened(from[i * stride]));
  }
  return line;
}

/** The innermost rows of all operands are numbers of type F that lie side by side, and the output is no input. */
template <typename F, typename Stored>
bool needs_no_copies(const detent_operator &op, const Loops &loops, const void *output, const void *const *inputs) {
  if constexpr (!kIsSame<F, Stored>) return false;
  for (uint32_t k = 0; k <= op.input_count; ++k) {
    if (loops.strides[k][loops.rank - 1] != 1 || (k != 0 && inputs[k - 1] == output)) return false;
  }
  return true;
}

template <typename F, typename Stored>
DETENT_INLINE void scatter(const F *line, Stored *to, int64_t stride, int64_t count) {
  if constexpr (kIsSame<F, Stored>) {
    for (int64_t i = 0; i < count; ++i) to[i * stride] = line[i];
  } else if (stride == 1) {
    for (int64_t i = 0; i < count; ++i) to[i] = narrowed<Stored>(line[i]);
  } else {
    for (int64_t i = 0; i < count; ++i) to[i * stride] = narrowed<Stored>(line[i]);
  }
}

/** Elements of type Stored, computed as type F. */
template <typename Stored, typename F>
void run_as(const detent_operator &op, void *output, const void *const *inputs) {
  const LineFunction<F> compute = line_of(kLines[op.elementwise], F(0));
  const Loops loops = loops_of(op);
  const uint32_t last = loops.rank - 1;
  int64_t at[DETENT_OPERATOR_MAX_RANK] = {};  // of the row, in the other dimensions
  int64_t offsets[kOperands] = {};
  alignas(64) F lines[kOperands][kLine];
  const bool is_direct = needs_no_copies<F, Stored>(op, loops, output, inputs);
  const int64_t most = is_direct ? kLongLine : kLine;
  for (bool is_done = false; !is_done;) {
    for (int64_t first = 0; first < loops.dims[last]; first += most) {
      const int64_t left = loops.dims[last] - first;
      const int64_t count = left < most ? left : most;
      const F *in[DETENT_OPERATOR_MAX_INPUTS] = {};
      for (uint32_t k = 0; k < op.input_count; ++k) {
        const int64_t stride = loops.strides[k + 1][last];
        const auto *from = static_cast<const Stored *>(inputs[k]) + offsets[k + 1] + first * stride;
        in[k] = gathered(from, stride, count, lines[k + 1]);
      }
      const int64_t stride = loops.strides[0][last];
      auto *to = static_cast<Stored *>(output) + offsets[0] + first * stride;
      F *line = lines[0];
      if constexpr (kIsSame<F, Stored>) {
        if (is_direct) line = to;
      }
      compute(in[0], in[1], line, count, op.params);
      if (!is_direct) scatter(line, to, stride, count);
    }
    is_done = true;
    for (uint32_t dim = last; dim-- > 0;) {
      const bool turns = ++at[dim] == loops.dims[dim];
      const int64_t steps = turns ? 1 - loops.dims[dim] : 1;
      for (uint32_t k = 0; k <= op.input_count; ++k) offsets[k] += steps * loops.strides[k][dim];
      if (turns) at[dim] = 0;
      is_done = turns;
      if (!turns) break;
    }
  }
}

void run_elements(const detent_operator &op, void *output, const void *const *inputs) {
  for (uint32_t dim = 0; dim < op.rank; ++dim) {
    if (op.dims[dim] == 0) return;
  }
  switch (op.dtype) {
    case DETENT_F64:
      return run_as<double, double>(op, output, inputs);
    case DETENT_F32:
      if (kLines[op.elementwise].in_float != nullptr) return run_as<float, float>(op, output, inputs);
      return run_as<float, double>(op, output, inputs);
    case DETENT_F16:
      return run_as<Half, double>(op, output, inputs);
    default:
      return run_as<Bfloat, double>(op, output, inputs);
  }
}

}  // namespace

int32_t run_elementwise(const detent_kernel_args *args) {
  const auto &op = *static_cast<const detent_operator *>(args->config);
  void *data[kOperands] = {};
  for (uint32_t k = 0; k <= op.input_count; ++k) {
    const detent_buffer &buffer = *operand(*args, k);
    data[k] = static_cast<unsigned char *>(buffer.data) + detent::ops::first_element(op, k) * element_bytes(op.dtype);
  }
  run_elements(op, data[0], data + 1);
  return 0;
}

DETENT_ISA_END
