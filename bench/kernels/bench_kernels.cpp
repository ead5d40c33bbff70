// bench_kernels: GFLOP/s of YOLOv8n's convolutions on one core beside its measured FMA peak, for every instruction set
// this machine can execute; and the whole model on one worker.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/kernels/clock.hpp"
#include "bench/kernels/model.hpp"
#include "bench/kernels/peak.hpp"
#include "bench/kernels/yolov8n.hpp"
#include "bench/options.hpp"
#include "runtime/kernels/variants.h"

namespace detent::bench {
namespace {

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

detent_tensor dense(detent_layout layout, std::vector<std::int32_t> dims) {
  detent_tensor t = {};
  t.dtype = DETENT_F32;
  t.layout = static_cast<std::uint8_t>(layout);
  t.rank = static_cast<std::uint8_t>(dims.size());
  std::uint64_t elements = 1;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    t.dims[i] = dims[i];
    const bool channels = layout == DETENT_LAYOUT_C16 && i == 1;
    elements *= static_cast<std::uint64_t>(channels ? (dims[i] + 15) / 16 * 16 : dims[i]);
  }
  t.size_bytes = t.block_bytes = elements * 4;
  t.block_count = 1;
  t.align_bytes = 64;
  t.alias_of = DETENT_NONE;
  return t;
}

// One layer with its own buffers.
class LayerRun {
 public:
  explicit LayerRun(const ConvLayer& layer)
      : config_(layer.config),
        tensors_{dense(layer.plain_input ? DETENT_LAYOUT_PLAIN : DETENT_LAYOUT_C16,
                       {1, config_.in_channels, config_.in_h, config_.in_w}),
                 dense(DETENT_LAYOUT_C16, {1, config_.out_channels, config_.out_h, config_.out_w}),
                 dense(DETENT_LAYOUT_PLAIN, {weight_count(layer)}),
                 dense(DETENT_LAYOUT_PLAIN, {(config_.out_channels + 15) / 16 * 16})} {
    for (int i = 0; i < 4; ++i) memory_.emplace_back(tensors_[i].size_bytes / 4);
    memory_.emplace_back(tensors_[1].size_bytes / 4);
    inputs_[0] = {memory_[0].data(), &tensors_[0]};
    inputs_[1] = {memory_[4].data(), &tensors_[1]};
    output_ = {memory_[1].data(), &tensors_[1]};
    weights_[0] = {memory_[2].data(), &tensors_[2]};
    weights_[1] = {memory_[3].data(), &tensors_[3]};
    args_.inputs = inputs_;
    args_.outputs = &output_;
    args_.weights = weights_;
    args_.input_count = config_.has_residual != 0 ? 2 : 1;
    args_.output_count = 1;
    args_.weight_count = 2;
    args_.config = &config_;
    args_.config_size = sizeof config_;
  }
  LayerRun(const LayerRun&) = delete;
  LayerRun& operator=(const LayerRun&) = delete;

  /// Median time of `rounds` runs after one to warm up.
  double median_ms(const detent_kernel& kernel, int rounds) {
    if (kernel.check(&args_) != DETENT_OK || kernel.run(&args_) != 0) std::abort();
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i) {
      const double begin = thread_cpu_ms();
      (void)kernel.run(&args_);
      times.push_back(thread_cpu_ms() - begin);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  }

 private:
  static std::int32_t weight_count(const ConvLayer& layer) {
    const detent_conv2d_config& c = layer.config;
    const std::int32_t in = layer.plain_input ? c.in_channels : (c.in_channels + 15) / 16 * 16;
    return (c.out_channels + 15) / 16 * 16 * in * c.kernel_h * c.kernel_w;
  }

  detent_conv2d_config config_;
  detent_tensor tensors_[4];
  std::vector<Floats> memory_;
  detent_buffer inputs_[2], output_, weights_[2];
  detent_kernel_args args_{};
};

const detent_kernel& find(const detent_kernel_table& table, const char* name) {
  for (std::uint32_t i = 0; i < table.count; ++i) {
    if (std::strcmp(table.kernels[i].name, name) == 0) return table.kernels[i];
  }
  std::abort();
}

nlohmann::json bench_variant(const ops::Variant& variant, const std::vector<ConvLayer>& layers, double peak,
                             int rounds) {
  nlohmann::json rows = nlohmann::json::array();
  double total_ms = 0.0;
  double total_flops = 0.0;
  std::printf("\n%-24s %-22s %9s %9s %7s\n", variant.name, "shape", "ms", "GFLOP/s", "% peak");
  for (const ConvLayer& layer : layers) {
    LayerRun run(layer);
    const double ms = run.median_ms(find(*variant.table, "conv2d_f32"), rounds);
    const double rate = layer.flops() / ms * 1e-6;
    const detent_conv2d_config& c = layer.config;
    const std::string shape = std::to_string(c.in_channels) + "->" + std::to_string(c.out_channels) + " " +
                              std::to_string(c.out_h) + "x" + std::to_string(c.out_w) + " k" +
                              std::to_string(c.kernel_h) + " s" + std::to_string(c.stride_h);
    std::printf("%-24s %-22s %9.3f %9.1f %7.1f\n", layer.name.c_str(), shape.c_str(), ms, rate, 100.0 * rate / peak);
    rows.push_back({{"layer", layer.name}, {"shape", shape}, {"ms", ms}, {"gflops", rate}});
    total_ms += ms;
    total_flops += layer.flops();
  }
  const double rate = total_flops / total_ms * 1e-6;
  std::printf("%-24s %zu convolutions, %.2f GFLOP %5s %9.3f %9.1f %7.1f\n", "sum", layers.size(), total_flops * 1e-9,
              "", total_ms, rate, 100.0 * rate / peak);
  return {{"variant", variant.name},     {"layers", rows}, {"ms", total_ms},
          {"gflop", total_flops * 1e-9}, {"gflops", rate}, {"peak_share", rate / peak}};
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
