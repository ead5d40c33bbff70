// A context over an opened software NPU, and kernels of bytes for it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <detent/detent.h>
#include <detent/device.h>

namespace detent::test {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<void, Free>;

inline Memory allocate(std::size_t bytes) {
  constexpr std::size_t kAlign = DETENT_CACHE_LINE;
  return Memory(std::aligned_alloc(kAlign, (bytes + kAlign - 1) / kAlign * kAlign));
}

/// Adds 1 to every byte; of an op whose config says so it writes half of them and fails.
inline std::int32_t increment(const detent_kernel_args* args) {
  const auto* x = static_cast<const std::uint8_t*>(args->inputs[0].data);
  auto* y = static_cast<std::uint8_t*>(args->outputs[0].data);
  std::uint64_t failing = 0;
  std::memcpy(&failing, args->config, sizeof failing);
  const std::size_t bytes = args->outputs[0].tensor->size_bytes;
  for (std::size_t i = 0; i < (failing != 0 ? bytes / 2 : bytes); ++i) y[i] = static_cast<std::uint8_t>(x[i] + 1);
  return static_cast<std::int32_t>(failing);
}

/// y = x + 1, computed in two steps by way of the scratch tensor; weights are added, too.
inline std::int32_t increment_by_scratch(const detent_kernel_args* args) {
  const auto* x = static_cast<const std::uint8_t*>(args->inputs[0].data);
  const auto* w = static_cast<const std::uint8_t*>(args->weights[0].data);
  auto* s = static_cast<std::uint8_t*>(args->scratch[0].data);
  auto* y = static_cast<std::uint8_t*>(args->outputs[0].data);
  for (std::size_t i = 0; i < 64; ++i) s[i] = static_cast<std::uint8_t>(x[i] + w[i]);
  for (std::size_t i = 0; i < 64; ++i) y[i] = static_cast<std::uint8_t>(s[i] + 1);
  return 0;
}

/// Fills the blocks of y with 9.
inline std::int32_t fill_blocks(const detent_kernel_args* args) {
  const detent_tensor& y = *args->outputs[0].tensor;
  for (std::uint32_t block = 0; block < y.block_count; ++block) {
    std::memset(static_cast<std::uint8_t*>(args->outputs[0].data) + block * y.stride_bytes, 9, y.block_bytes);
  }
  return 0;
}

/// y = the floats of x above 0, as many as it has room for, then zeros; extents = their number, or -1 where the first
/// is a NaN.
inline std::int32_t select_positive(const detent_kernel_args* args) {
  const auto* x = static_cast<const float*>(args->inputs[0].data);
  auto* y = static_cast<float*>(args->outputs[0].data);
  std::int64_t count = 0;
  const std::int32_t room = args->outputs[0].tensor->dims[0];
  for (std::int32_t i = 0; i < args->inputs[0].tensor->dims[0]; ++i) {
    if (!(x[i] > 0)) continue;
    if (count < room) y[count] = x[i];
    ++count;
  }
  for (std::int64_t i = count; i < room; ++i) y[i] = 0;
  if (x[0] != x[0]) count = -1;
  std::memcpy(args->outputs[1].data, &count, sizeof count);
  return 0;
}

/// y[0] = the sum of the first input's floats, of as many as the second says where there is one; the rest 0.
inline std::int32_t sum_floats(const detent_kernel_args* args) {
  const auto* x = static_cast<const float*>(args->inputs[0].data);
  auto* y = static_cast<float*>(args->outputs[0].data);
  std::int64_t count = args->inputs[0].tensor->dims[0];
  if (args->input_count == 2) std::memcpy(&count, args->inputs[1].data, sizeof count);
  for (std::int32_t i = 0; i < args->outputs[0].tensor->dims[0]; ++i) y[i] = 0;
  for (std::int64_t i = 0; i < count; ++i) y[0] += x[i] > 0 ? x[i] : 0;
  return 0;
}

inline constexpr detent_kernel kKernels[] = {{"increment", increment, nullptr},
                                             {"by_scratch", increment_by_scratch, nullptr},
                                             {"fill", fill_blocks, nullptr},
                                             {"select", select_positive, nullptr},
                                             {"sum", sum_floats, nullptr}};
inline constexpr detent_kernel_table kTable{kKernels, 5};
alignas(64) inline constexpr std::uint8_t kWeights[64] = {5, 6, 7};

/// A context over an opened device.
class Npu {
 public:
  Npu(const detent_desc& desc, std::uint32_t workers, detent_mode mode = DETENT_MODE_CLOSED_LOOP,
      const void* prepared = nullptr, std::uint64_t prepared_bytes = 0)
      : own_port_(make_port(own_memory_)), port_(make_port(port_memory_)) {
    const detent_device_module& module = *detent_software_npu();
    const detent_device_config opened{&own_port_, 0, &kTable, detent_complete, prepared, prepared_bytes};
    detent_device_needs needs{};
    EXPECT_EQ(module.measure(&desc, &opened, &needs), DETENT_OK);
    memory_ = allocate(needs.memory_bytes);
    is_open_ = module.open(memory_.get(), needs.memory_bytes, &desc, &opened, &backends_[0]) == DETENT_OK;
    EXPECT_TRUE(is_open_);
    if (!is_open_) return;
    backends_[1] = detent_cpu_backend("*", &kTable);
    config_ = detent_default_config(&port_);
    config_.backends = backends_;
    config_.backend_count = 2;
    config_.worker_count = workers;
    config_.mode = mode;
    const std::size_t bytes = detent_arena_bytes(&desc, &config_);
    arena_ = allocate(bytes);
    status_ = detent_init(arena_.get(), bytes, &desc, &config_, &context_, nullptr);
  }
  ~Npu() {
    EXPECT_TRUE(context_ == nullptr || detent_deinit(context_) == DETENT_OK);
    if (is_open_) detent_software_npu()->close(memory_.get());
  }
  Npu(const Npu&) = delete;
  Npu& operator=(const Npu&) = delete;

  [[nodiscard]] detent_status status() const { return status_; }
  [[nodiscard]] detent_context* context() const { return context_; }
  detent_result run(std::uint8_t value) {
    std::memset(detent_region_base(context_, 0), value, 64);
    detent_result result{};
    result.error.status = detent_run(context_, &result);
    return result;
  }
  [[nodiscard]] std::uint8_t byte(std::uint32_t tensor, std::size_t at = 0) const {
    return static_cast<const std::uint8_t*>(detent_tensor_data(context_, tensor))[at];
  }
  [[nodiscard]] detent_device_counters counters() const {
    detent_device_counters counters{};
    detent_software_npu()->count(memory_.get(), &counters);
    return counters;
  }

 private:
  static detent_port make_port(Memory& memory) {
    detent_port port{};
    memory = allocate(detent_port_posix_bytes());
    EXPECT_EQ(detent_port_posix(memory.get(), detent_port_posix_bytes(), &port), DETENT_OK);
    return port;
  }
  Memory own_memory_, port_memory_, memory_, arena_;
  detent_port own_port_, port_;
  detent_backend backends_[2]{};
  detent_config config_{};
  detent_context* context_ = nullptr;
  detent_status status_ = DETENT_WORKER_FAILED;
  bool is_open_ = false;
};

}  // namespace detent::test
