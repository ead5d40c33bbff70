// Texts of platform files for tests, and what is wrong with a changed one.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "sim/platform/reader.hpp"

namespace detent::sim::test {

/// Only what every platform has.
inline constexpr const char* kGood = R"(schema = "detent.platform/1"
name = "mine"
[[core]]
class = "cpu"
count = 2
clock_hz = 1000
flops_per_cycle = 2
[memory]
dram_bytes_per_s = 5000
[overheads]
dispatch_ps = 1
queue_ps = 2
lock_ps = 3
wake_ps = 4
log_ps = 5
)";

/// Every key there is.
inline constexpr const char* kChip = R"(schema = "detent.platform/1"
name = "chip"
[[core]]
class = "cpu"
count = 4
clock_hz = 1000
flops_per_cycle = 2
l1_bytes = 32
l2_bytes = 0
cache_bytes_per_cycle = 8
dram_bytes_per_s = 4000
threads_per_core = 2
corun_rate = 0.75
[core.kernel_efficiency]
gemm_f32 = 0.9
conv2d_f32 = 1
[[core]]
class = "npu"
count = 1
clock_hz = 500
queue_depth = 3
[core.npu]
rows = 8
cols = 4
dataflow = "os"
input_buffer_bytes = 64
weight_buffer_bytes = 32
output_buffer_bytes = 16
word_bytes = 2
vector_lanes = 5
port_bytes_per_cycle = 6
dma_outstanding = 7
private_ports = true
command_cycles = 9
[memory]
dram_bytes_per_s = 5000
bytes = 100
burst_bytes = 32
contention = "queue"
[overheads]
dispatch_ps = 1
queue_ps = 2
lock_ps = 3
wake_ps = 4
log_ps = 5
lock_contended_ps = 6
interrupt_ps = 7
migrate_ps = 8
[[load]]
name = "tick"
class = "cpu"
core = 3
period_ps = 1000
duration_ps = 100
offset_ps = 10
jitter_ps = 20
)";

/// `text` with one piece replaced, once.
inline std::string replaced(std::string text, const std::string& old_text, const std::string& new_text) {
  text.replace(text.find(old_text), old_text.size(), new_text);
  return text;
}

inline std::string error_of(const std::string& text) {
  try {
    parse_platform(text, "mine.toml");
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

inline void expect_error(const std::string& text, const std::string& start, const std::string& part) {
  const std::string error = error_of(text);
  EXPECT_TRUE(error.starts_with(start)) << error;
  EXPECT_NE(error.find(part), std::string::npos) << error;
  EXPECT_NE(error.find(';'), std::string::npos) << "no remedy: " << error;
}

}  // namespace detent::sim::test
