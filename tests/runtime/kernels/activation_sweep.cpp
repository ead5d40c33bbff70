// Every activation alone, of floats of every size: each instruction set of this machine against double.
//
//   activation_sweep [STEP]     of every STEP-th of the 2^32 bit patterns; 1: of all of them
//
// Prints the greatest error of each activation and where it is. All instruction sets must give the same bits, a NaN a
// NaN, every other value one within the activation's limit and of the reference's sign, else the exit code is 1.
#include <array>
#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <detent/op_config.h>

#include "runtime/kernels/variants.h"
#include "tests/runtime/kernels/reference.hpp"
#include "tests/runtime/kernels/standard_kernels.hpp"

namespace detent::ops_test {
namespace {

struct Activation {
  std::int32_t value;
  const char* name;
  double limit_ulp;
};
constexpr std::array<Activation, 5> kActivations{{{DETENT_ACT_NONE, "none", 0},
                                                  {DETENT_ACT_RELU, "relu", 0},
                                                  {DETENT_ACT_RELU6, "relu6", 0},
                                                  {DETENT_ACT_SILU, "silu", 3},
                                                  {DETENT_ACT_SIGMOID, "sigmoid", 3}}};
constexpr std::size_t kBatch = std::size_t{1} << 16U;
constexpr std::uint64_t kPatterns = std::uint64_t{1} << 32U;

struct UnaryKernel {
  const char* variant;
  detent_kernel kernel;
};

/// "unary_f32" of each instruction set of this machine, and in ISO C++ alone.
std::vector<UnaryKernel> unary_kernels() {
  std::vector<ops::Variant> variants = {{"standard", &ops::standard::kTable}};
  for (std::uint32_t i = 0; i < ops::variant_count(); ++i) {
    if (ops::variant_runs_here(i)) variants.insert(variants.end() - 1, ops::variant(i));
  }
  std::vector<UnaryKernel> found;
  for (const ops::Variant& variant : variants) {
    for (std::uint32_t k = 0; k < variant.table->count; ++k) {
      const detent_kernel& kernel = variant.table->kernels[k];
      if (std::strcmp(kernel.name, "unary_f32") == 0) found.push_back({variant.name, kernel});
    }
  }
  return found;
}

std::vector<float> apply(const detent_kernel& kernel, std::int32_t activation, std::vector<float>& x) {
  std::vector<float> y(x.size());
  detent_tensor tensor{};
  tensor.dtype = DETENT_F32;
  tensor.layout = DETENT_LAYOUT_PLAIN;
  tensor.rank = 1;
  tensor.dims[0] = static_cast<std::int32_t>(x.size());
  tensor.size_bytes = tensor.block_bytes = x.size() * 4;
  tensor.block_count = 1;
  tensor.align_bytes = 4;
  tensor.alias_of = DETENT_NONE;
  const detent_buffer input{x.data(), &tensor}, output{y.data(), &tensor};
  const detent_elementwise_config config{x.size(), 0, activation};
  detent_kernel_args args{};
  args.inputs = &input;
  args.outputs = &output;
  args.input_count = args.output_count = 1;
  args.config = &config;
  args.config_size = sizeof config;
  if (kernel.check(&args) != DETENT_OK || kernel.run(&args) != 0) std::abort();
  return y;
}

/// Distance in steps between floats near the expected value; denormals in theirs.
double ulps(double value, double expected) {
  if (value == expected) return 0;
  if (!std::isfinite(value) || !std::isfinite(expected)) return INFINITY;
  const auto exponent = static_cast<int>(std::bit_cast<std::uint64_t>(expected) >> 52U & 0x7ffU) - 1023;
  const int step = exponent - 23 > -149 ? exponent - 23 : -149;
  return std::fabs(value - expected) / std::bit_cast<double>(static_cast<std::uint64_t>(step + 1023) << 52U);
}

struct Worst {
  double ulp = 0;
  float x = 0, y = 0;
};

class Sweep {
 public:
  /// @return every value is as it must be
  bool add(std::vector<float>& x);
  void print() const;
  [[nodiscard]] const std::vector<UnaryKernel>& kernels() const { return kernels_; }

 private:
  bool add(std::size_t activation, std::vector<float>& x);
  bool refuse(std::size_t activation, const char* what, float x, float y) const;

  std::vector<UnaryKernel> kernels_ = unary_kernels();
  std::array<Worst, kActivations.size()> worst_{};
};

bool Sweep::refuse(std::size_t activation, const char* what, float x, float y) const {
  std::printf("%s of %a (%.9g) is %a: %s\n", kActivations[activation].name, static_cast<double>(x),
              static_cast<double>(x), static_cast<double>(y), what);
  return false;
}

bool Sweep::add(std::size_t activation, std::vector<float>& x) {
  const auto& [value, name, limit_ulp] = kActivations[activation];
  const std::vector<float> y = apply(kernels_[0].kernel, value, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto given = static_cast<double>(x[i]);
    const double expected =
        with_zero_for_denormals(activation_reference(value, given), given, static_cast<double>(y[i]));
    if (std::isnan(x[i]) || std::isnan(y[i])) {
      if (std::isnan(x[i]) != std::isnan(y[i]))
        return refuse(activation, "a NaN for a NaN, and only for one", x[i], y[i]);
      continue;
    }
    const double ulp = ulps(static_cast<double>(y[i]), expected);
    if (ulp > worst_[activation].ulp) worst_[activation] = {ulp, x[i], y[i]};
    if (ulp > limit_ulp) return refuse(activation, "too far off", x[i], y[i]);
    if (std::signbit(y[i]) != std::signbit(expected)) return refuse(activation, "of the other sign", x[i], y[i]);
  }
  for (std::size_t other = 1; other < kernels_.size(); ++other) {
    const std::vector<float> z = apply(kernels_[other].kernel, value, x);
    if (std::memcmp(y.data(), z.data(), y.size() * 4) == 0) continue;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const bool both_nan = std::isnan(y[i]) && std::isnan(z[i]);  // payloads are not promised
      if (both_nan || std::bit_cast<std::uint32_t>(y[i]) == std::bit_cast<std::uint32_t>(z[i])) continue;
      std::printf("%s: other bits than %s\n", kernels_[other].variant, kernels_[0].variant);
      return refuse(activation, "other bits", x[i], z[i]);
    }
  }
  return true;
}

bool Sweep::add(std::vector<float>& x) {
  bool good = true;
  for (std::size_t activation = 0; activation < kActivations.size(); ++activation) good = add(activation, x) && good;
  return good;
}

void Sweep::print() const {
  for (std::size_t i = 0; i < kActivations.size(); ++i) {
    const Worst& worst = worst_[i];
    std::printf("%-8s at most %.3f ulp off", kActivations[i].name, worst.ulp);
    if (worst.ulp > 0) std::printf(", of %a: %a", static_cast<double>(worst.x), static_cast<double>(worst.y));
    std::printf("\n");
  }
}

int sweep_all(std::uint64_t step) {
  Sweep sweep;
  std::vector<float> x;
  std::uint64_t count = 0;
  bool good = true;
  for (std::uint64_t pattern = 0; pattern < kPatterns && good; pattern += step) {
    x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(pattern)));
    ++count;
    if (x.size() < kBatch && pattern + step < kPatterns) continue;
    good = sweep.add(x);
    x.clear();
  }
  std::printf("%" PRIu64 " floats, instruction sets", count);
  for (const UnaryKernel& kernel : sweep.kernels()) std::printf(" %s", kernel.variant);
  std::printf("\n");
  sweep.print();
  return good ? 0 : 1;
}

}  // namespace
}  // namespace detent::ops_test

int main(int argc, char** argv) {
  const std::uint64_t step = argc == 2 ? std::strtoull(argv[1], nullptr, 10) : 1;
  if (argc > 2 || step == 0) {
    std::fprintf(stderr, "usage: %s [STEP]\n", argv[0]);
    return 2;
  }
  return detent::ops_test::sweep_all(step);
}
