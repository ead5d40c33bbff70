// The operator that docs/guides/operators.md adds, compiled as the guide says (guide_operator.py), on one instruction
// set.
#include <cstdio>

#include <detent/backend.h>
#include <detent/operator.h>

namespace detent::ops::base {
extern const detent_kernel_table kTable;
}

const detent_kernel_table* detent_builtin_kernels() { return &detent::ops::base::kTable; }

int main() {
  const int64_t dims[] = {2, 2};
  const int64_t backwards[] = {-2, 1};
  const detent_tensor_desc y_desc = {sizeof y_desc, DETENT_OPERATOR_VERSION, DETENT_F32, 2, dims, nullptr};
  const detent_tensor_desc x_desc = {sizeof x_desc, DETENT_OPERATOR_VERSION, DETENT_F32, 2, dims, backwards};
  const detent_tensor_desc* const x_descs[] = {&x_desc};
  detent_operator op = {};
  const float x[] = {1.0F, -3.0F, 0.0F, 7.0F};
  float y[4] = {};
  const void* const xs[] = {x + 2};
  const bool is_done = detent_operator_create(&op, DETENT_EW_SOFTSIGN, DETENT_DEVICE_CPU, &y_desc, x_descs, 1, nullptr,
                                              0) == DETENT_OPERATOR_SUCCESS &&
                       detent_operator_calculate(&op, nullptr, 0, y, xs, nullptr) == DETENT_OPERATOR_SUCCESS;
  std::printf("%s %g %g %g %g\n", is_done ? detent_elementwise_name(DETENT_EW_SOFTSIGN) : "failed",
              static_cast<double>(y[0]), static_cast<double>(y[1]), static_cast<double>(y[2]),
              static_cast<double>(y[3]));
  return is_done ? 0 : 1;
}
