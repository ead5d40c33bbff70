// bench_operators: nanoseconds per element of operators on one core, beside a copy of the same bytes, a loop over expf
// of the C library that is compiled for its vector version, and the same loop one element at a time.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <detent/operator.h>

#include "bench/kernels/clock.hpp"
#include "bench/kernels/silu_loops.hpp"

namespace detent::bench {
namespace {

constexpr std::int64_t kElements = std::int64_t{1} << 20;
constexpr int kRounds = 60;

/// Of the fastest of some rounds.
template <typename Run>
double ns_per_element(const Run& run) {
  double best = INFINITY;  // milliseconds
  for (int round = 0; round < kRounds; ++round) {
    const double begin = thread_cpu_ms();
    run();
    best = std::min(best, thread_cpu_ms() - begin);
  }
  return best * 1e6 / static_cast<double>(kElements);
}

/// One operator over floats side by side.
double operator_ns(std::int32_t elementwise, const std::vector<float>& x, std::vector<float>& y) {
  const std::int64_t dims[] = {kElements};
  const detent_tensor_desc tensor = {sizeof tensor, DETENT_OPERATOR_VERSION, DETENT_F32, 1, dims, nullptr};
  const detent_tensor_desc* const inputs[] = {&tensor};
  detent_operator op = {};
  if (detent_operator_create(&op, elementwise, DETENT_DEVICE_CPU, &tensor, inputs, 1, nullptr, 0) != 0) return NAN;
  const void* const from[] = {x.data()};
  return ns_per_element([&] { (void)detent_operator_calculate(&op, nullptr, 0, y.data(), from, nullptr); });
}

int run() {
  std::vector<float> x(static_cast<std::size_t>(kElements));
  std::vector<float> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 2654435761U % 1600000) / 1e5F - 8.0F;
  const double silu = operator_ns(DETENT_EW_SILU, x, y);
  const double copy = ns_per_element([&] { copy_loop(x.data(), y.data(), x.size()); });
  const double vector = ns_per_element([&] { silu_vector_loop(x.data(), y.data(), x.size()); });
  const double scalar = ns_per_element([&] { silu_scalar_loop(x.data(), y.data(), x.size()); });
  std::printf("silu of %lld floats, one core, ns per element\n", static_cast<long long>(kElements));
  std::printf("  operator            %6.3f\n", silu);
  std::printf("  copy                %6.3f\n", copy);
  std::printf("  vector expf loop    %6.3f   operator / slower of these two: %.2f\n", vector,
              silu / std::max(copy, vector));
  std::printf("  scalar expf loop    %6.3f   this / operator: %.1f\n", scalar, scalar / silu);
  for (std::int32_t at = 1; detent_elementwise_name(at) != nullptr; ++at) {
    if (detent_elementwise_inputs(at) != 1 || detent_elementwise_params(at) != 0) continue;
    std::printf("  %-18s  %6.3f\n", detent_elementwise_name(at), operator_ns(at, x, y));
  }
  return 0;
}

}  // namespace
}  // namespace detent::bench

int main() { return detent::bench::run(); }
