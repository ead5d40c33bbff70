// bench_kernels: GFLOP/s of YOLOv8n's convolutions on one core beside its measured FMA peak, for every instruction set
// this machine can execute, in F32 and, in turns with it, in int8; gemm of few rows and of many; and the whole model on
// one worker.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bench/kernels/clock.hpp"
#include "bench/kernels/model.hpp"
#include "bench/kernels/peak.hpp"
#include "bench/kernels/yolov8n.hpp"
#include "bench/options.hpp"
#include "bench/statistics.hpp"
#include "runtime/kernels/variants.h"

namespace detent::bench {
namespace {

// y [m, n] = a [m, k] * b [k, n].
struct GemmShape {
  std::int32_t m, n, k;
};

// Floats on cache-line boundaries, filled with small values of either sign.
class Floats {
 public:
  explicit Floats(std::size_t count) : storage_(count + 16) {
    std::uint32_t state = 12345;
    for (float& x : storage_) {
      state = state * 1664525U + 1013904223U;
      x = (static_cast<float>(state >> 16U) / 65536.0F - 0.5F) * 0.1F;
    }
  }
  float* data() {
    const auto address = reinterpret_cast<std::uintptr_t>(storage_.data());
    return storage_.data() + (64 - address % 64) % 64 / 4;
  }

 private:
  std::vector<float> storage_;
};

detent_tensor dense(detent_dtype dtype, detent_layout layout, std::vector<std::int32_t> dims) {
  detent_tensor t = {};
  t.dtype = static_cast<std::uint8_t>(dtype);
  t.layout = static_cast<std::uint8_t>(layout);
  t.rank = static_cast<std::uint8_t>(dims.size());
  std::uint64_t elements = 1;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    t.dims[i] = dims[i];
    const bool channels = layout == DETENT_LAYOUT_C16 && i == 1;
    elements *= static_cast<std::uint64_t>(channels ? (dims[i] + 15) / 16 * 16 : dims[i]);
  }
  t.size_bytes = t.block_bytes = elements * (dtype == DETENT_I8 ? 1 : 4);
  t.block_count = 1;
  t.align_bytes = 64;
  t.alias_of = DETENT_NONE;
  return t;
}

// One op with its own buffers. Tensors: input, residual, output; weights, bias, multipliers, table.
class OpRun {
 public:
  OpRun(const ConvLayer& layer, detent_dtype dtype) : OpRun(tensors_of(layer, dtype), dtype) {
    conv_.conv = layer.config;
    if (dtype == DETENT_I8) {
      conv_.conv.activation = DETENT_ACT_NONE;  // the table's
      conv_.conv.has_residual = 0;
    }
    args_.input_count = conv_.conv.has_residual != 0 ? 2 : 1;
    args_.config = &conv_;
    args_.config_size = dtype == DETENT_I8 ? sizeof conv_ : sizeof conv_.conv;
  }
  OpRun(const GemmShape& shape, detent_dtype dtype) : OpRun(tensors_of(shape, dtype), dtype) {
    gemm_.gemm = {.m = shape.m,
                  .n = shape.n,
                  .k = shape.k,
                  .has_bias = 1,
                  .activation = DETENT_ACT_NONE,
                  .row_begin = 0,
                  .row_end = shape.m,
                  .reserved = 0};
    args_.input_count = 1;
    args_.config = &gemm_;
    args_.config_size = dtype == DETENT_I8 ? sizeof gemm_ : sizeof gemm_.gemm;
  }
  OpRun(const OpRun&) = delete;
  OpRun& operator=(const OpRun&) = delete;

  /// Checks the call and warms up.
  void begin(const detent_kernel& kernel) {
    kernel_ = &kernel;
    if (kernel.check(&args_) != DETENT_OK || kernel.run(&args_) != 0) std::abort();
  }
  /// Of one run, the mean of `repetitions`.
  double time_ms(int repetitions) {
    const double begin = thread_cpu_ms();
    for (int i = 0; i < repetitions; ++i) (void)kernel_->run(&args_);
    return (thread_cpu_ms() - begin) / repetitions;
  }

 private:
  OpRun(std::vector<detent_tensor> tensors, detent_dtype dtype) : tensors_(std::move(tensors)) {
    conv_.result = gemm_.result = {.shift = 40, .low = -128, .high = 127, .has_table = 1};
    for (const detent_tensor& tensor : tensors_) memory_.emplace_back(tensor.size_bytes / 4 + 1);
    for (std::size_t i = 0; i < tensors_.size(); ++i) buffers_.push_back({memory_[i].data(), &tensors_[i]});
    args_.inputs = buffers_.data();
    args_.outputs = buffers_.data() + 2;
    args_.weights = buffers_.data() + 3;
    args_.output_count = 1;
    args_.weight_count = dtype == DETENT_I8 ? 4 : 2;
  }

  static std::int32_t weight_count(const ConvLayer& layer) {
    const detent_conv2d_config& c = layer.config;
    const std::int32_t in = layer.plain_input ? c.in_channels : (c.in_channels + 15) / 16 * 16;
    return (c.out_channels + 15) / 16 * 16 * in * c.kernel_h * c.kernel_w;
  }

  static std::vector<detent_tensor> tensors_of(const ConvLayer& layer, detent_dtype dtype) {
    const detent_conv2d_config& c = layer.config;
    const detent_dtype sums = dtype == DETENT_I8 ? DETENT_I32 : DETENT_F32;
    const detent_layout layout = layer.plain_input ? DETENT_LAYOUT_PLAIN : DETENT_LAYOUT_C16;
    const std::int32_t channels = (c.out_channels + 15) / 16 * 16;
    const detent_tensor y = dense(dtype, DETENT_LAYOUT_C16, {1, c.out_channels, c.out_h, c.out_w});
    return {dense(dtype, layout, {1, c.in_channels, c.in_h, c.in_w}),
            y,
            y,
            dense(dtype, DETENT_LAYOUT_PLAIN, {weight_count(layer)}),
            dense(sums, DETENT_LAYOUT_PLAIN, {channels}),
            dense(sums, DETENT_LAYOUT_PLAIN, {channels}),
            dense(dtype, DETENT_LAYOUT_PLAIN, {256})};
  }

  static std::vector<detent_tensor> tensors_of(const GemmShape& shape, detent_dtype dtype) {
    const detent_dtype sums = dtype == DETENT_I8 ? DETENT_I32 : DETENT_F32;
    const detent_tensor y = dense(dtype, DETENT_LAYOUT_PLAIN, {shape.m, shape.n});
    return {dense(dtype, DETENT_LAYOUT_PLAIN, {shape.m, shape.k}),
            y,
            y,
            dense(dtype, DETENT_LAYOUT_PLAIN, {shape.k, shape.n}),
            dense(sums, DETENT_LAYOUT_PLAIN, {shape.n}),
            dense(sums, DETENT_LAYOUT_PLAIN, {shape.n}),
            dense(dtype, DETENT_LAYOUT_PLAIN, {256})};
  }

  const detent_kernel* kernel_ = nullptr;
  detent_conv2d_i8_config conv_{};
  detent_gemm_i8_config gemm_{};
  std::vector<detent_tensor> tensors_;
  std::vector<Floats> memory_;
  std::vector<detent_buffer> buffers_{};
  detent_kernel_args args_{};
};

const detent_kernel& find(const detent_kernel_table& table, const char* name) {
  for (std::uint32_t i = 0; i < table.count; ++i) {
    if (std::strcmp(table.kernels[i].name, name) == 0) return table.kernels[i];
  }
  std::abort();
}

// Median times of one op in both forms, in turns.
struct Times {
  double f32_ms, int8_ms;
};

template <typename Op>
Times times_of(const Op& op, const detent_kernel_table& table, const std::string& name, int rounds, int repetitions) {
  OpRun f32(op, DETENT_F32);
  OpRun int8(op, DETENT_I8);
  f32.begin(find(table, (name + "_f32").c_str()));
  int8.begin(find(table, (name + "_i8").c_str()));
  std::vector<double> f32_ms;
  std::vector<double> int8_ms;
  for (int i = 0; i < rounds; ++i) {
    f32_ms.push_back(f32.time_ms(repetitions));
    int8_ms.push_back(int8.time_ms(repetitions));
  }
  return {median(f32_ms), median(int8_ms)};
}

nlohmann::json bench_gemm(const ops::Variant& variant, int rounds) {
  nlohmann::json rows = nlohmann::json::array();
  std::printf("%-24s %-22s %9s %35s\n", "gemm", "rows x columns x products", "us", "int8 us");
  for (const GemmShape& shape : {GemmShape{1, 64, 4096}, GemmShape{1, 4096, 64}, GemmShape{1, 1000, 1280},
                                 GemmShape{4, 1000, 512}, GemmShape{8, 1000, 512}, GemmShape{256, 256, 256}}) {
    const Times times = times_of(shape, *variant.table, "gemm", rounds, 10);
    const std::string text = std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" + std::to_string(shape.k);
    std::printf("%-24s %-22s %12.2f %35.2f\n", "", text.c_str(), times.f32_ms * 1e3, times.int8_ms * 1e3);
    rows.push_back({{"shape", text}, {"ms", times.f32_ms}, {"int8_ms", times.int8_ms}});
  }
  return rows;
}

nlohmann::json bench_variant(const ops::Variant& variant, const std::vector<ConvLayer>& layers, double peak,
                             int rounds) {
  nlohmann::json rows = nlohmann::json::array();
  double total_ms = 0.0;
  double total_flops = 0.0;
  double int8_ms = 0.0;
  std::printf("\n%-24s %-22s %9s %9s %7s %9s\n", variant.name, "shape", "ms", "GFLOP/s", "% peak", "int8 ms");
  for (const ConvLayer& layer : layers) {
    const auto [ms, ms_in_int8] = times_of(layer, *variant.table, "conv2d", rounds, 1);
    const double rate = layer.flops() / ms * 1e-6;
    const detent_conv2d_config& c = layer.config;
    const std::string shape = std::to_string(c.in_channels) + "->" + std::to_string(c.out_channels) + " " +
                              std::to_string(c.out_h) + "x" + std::to_string(c.out_w) + " k" +
                              std::to_string(c.kernel_h) + " s" + std::to_string(c.stride_h);
    std::printf("%-24s %-22s %9.3f %9.1f %7.1f %9.3f\n", layer.name.c_str(), shape.c_str(), ms, rate,
                100.0 * rate / peak, ms_in_int8);
    rows.push_back({{"layer", layer.name}, {"shape", shape}, {"ms", ms}, {"gflops", rate}, {"int8_ms", ms_in_int8}});
    total_ms += ms;
    int8_ms += ms_in_int8;
    total_flops += layer.flops();
  }
  const double rate = total_flops / total_ms * 1e-6;
  std::printf("%-24s %zu convolutions, %.2f GFLOP %5s %9.3f %9.1f %7.1f %9.3f\n", "sum", layers.size(),
              total_flops * 1e-9, "", total_ms, rate, 100.0 * rate / peak, int8_ms);
  return {{"variant", variant.name}, {"layers", rows},
          {"ms", total_ms},          {"gflop", total_flops * 1e-9},
          {"gflops", rate},          {"peak_share", rate / peak},
          {"int8_ms", int8_ms},      {"gemm", bench_gemm(variant, rounds)}};
}

}  // namespace
}  // namespace detent::bench

int main(int argc, char** argv) {
  using namespace detent;
  const auto options = bench::read_options(argc, argv, "bench_kernels");
  if (!options) return 2;
  const bool quick = options->quick;
  const double peak = bench::measure_fma_peak_gflops(quick ? 5.0 : 50.0);
  std::printf("FMA peak of one core: %.1f GFLOP/s\n", peak);
  nlohmann::json report = {{"peak_gflops", peak}, {"variants", nlohmann::json::array()}};
  for (std::uint32_t i = 0; i < ops::variant_count(); ++i) {
    const bool emulated = i + 1 == ops::variant_count() && i > 0;  // fused multiply-add in software
    if (!ops::variant_runs_here(i)) continue;
    const int rounds = emulated ? 1 : quick ? 3 : 15;
    report["variants"].push_back(
        bench::bench_variant(ops::variant(i), bench::yolov8n_convolutions(emulated ? 64 : 640), peak, rounds));
  }
  const double model_ms = bench::yolov8n_model_ms(quick ? 3 : 9);
  const double model_rate = bench::yolov8n_gflop() / model_ms * 1e3;
  std::printf("\nyolov8n at 640x640 on one worker: %.2f ms, %.1f GFLOP/s, %.1f %% of peak\n", model_ms, model_rate,
              100.0 * model_rate / peak);
  report["yolov8n"] = {{"ms", model_ms}, {"gflops", model_rate}, {"peak_share", model_rate / peak}};
  if (!options->json.empty()) std::ofstream(options->json) << report.dump(2) << '\n';
  return 0;
}
