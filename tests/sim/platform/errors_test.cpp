// Every limit of a platform file: the last value that is taken, the first that is not, and the whole message.
#include <gtest/gtest.h>

#include <cstdio>

#include "sim/platform/numbers.hpp"
#include "sim/platform/platform.hpp"
#include "tests/sim/platform/text.hpp"

namespace detent::sim::test {
namespace {

/// kChip with one piece replaced; its message, one line.
std::string changed(const std::string& old_text, const std::string& new_text) {
  return error_of(replaced(kChip, old_text, new_text)) + "\n";
}

/// The messages of a key of kChip with these values in turn.
std::string values_of(const std::string& line, std::initializer_list<const char*> values) {
  std::string text;
  const std::string key = line.substr(0, line.find('='));
  for (const char* const value : values) text += changed(line + "\n", key + "= " + value + "\n");
  return text;
}

TEST(PlatformErrors, TopAndNames) {
  EXPECT_EQ(changed("detent.platform/1", "detent.platform/2"),
            "mine.toml:1: unknown schema 'detent.platform/2'; write \"detent.platform/1\"\n");
  EXPECT_EQ(changed("name = \"chip\"", "name = \"\""),
            "mine.toml:2: 'name' must be a name; use a-z, 0-9 and _, at most 64\n");
  EXPECT_EQ(changed("name = \"chip\"", "name = \"" + std::string(64, 'a') + "\""), "accepted\n");
  EXPECT_EQ(changed("name = \"chip\"", "name = \"" + std::string(65, 'a') + "\""),
            "mine.toml:2: 'name' must be a name; use a-z, 0-9 and _, at most 64\n");
  EXPECT_EQ(changed("name = \"chip\"", "name = \"Chip\""),
            "mine.toml:2: 'name' must be a name; use a-z, 0-9 and _, at most 64\n");
  EXPECT_EQ(changed("name = \"chip\"", "name = 3"), "mine.toml:2: 'name' must be a string; write it in quotes\n");
  EXPECT_EQ(changed("name = \"chip\"", "name = \"chip\"\ndescription = 3"),
            "mine.toml:3: 'description' must be a string; write it in quotes\n");
  EXPECT_EQ(changed("name = \"chip\"", "name = \"chip\"\ndescription = \"d\""), "accepted\n");
  EXPECT_EQ(changed("name = \"chip\"", "name = \"chip\"\ncolour = 3"),
            "mine.toml:3: unknown key 'colour'; keys here are schema, name, description, core, memory, overheads, "
            "load, provenance\n");
  EXPECT_EQ(changed("[memory]", "[[memory]]"), "mine.toml:35: 'memory' must be a table; write [memory]\n");
  EXPECT_EQ(changed("[overheads]", "overheads = 3\n[x]"),
            "mine.toml:41: unknown key 'x'; keys here are schema, name, description, core, memory, overheads, load, "
            "provenance\n");
}

TEST(PlatformErrors, Cores) {
  EXPECT_EQ(values_of("count = 4", {"0", "1", "2", "63", "62", "64", "65", "2.0"}),
            "mine.toml:5: 'core.count' is not valid; give an integer from 1 to 64\n"
            "mine.toml:12: 'core.count' must be even with two threads per core; give an even count\n"
            "mine.toml:52: 'load.core' is not valid; give an integer from 0 to 1\n"
            "mine.toml:12: 'core.count' must be even with two threads per core; give an even count\n"
            "accepted\n"
            "mine.toml:19: more than 64 cores; lower 'count'\n"
            "mine.toml:5: 'core.count' is not valid; give an integer from 1 to 64\n"
            "mine.toml:5: 'core.count' is not valid; give an integer from 1 to 64\n");
  EXPECT_EQ(values_of("clock_hz = 1000", {"0", "1", "1000000000000", "1000000000001"}),
            "mine.toml:6: 'core.clock_hz' is not valid; give an integer from 1 to 1000000000000\n"
            "accepted\n"
            "accepted\n"
            "mine.toml:6: 'core.clock_hz' is not valid; give an integer from 1 to 1000000000000\n");
  EXPECT_EQ(values_of("flops_per_cycle = 2", {"0", "1e-9", "1e9", "1000000001", "\"2\""}),
            "mine.toml:7: 'core.flops_per_cycle' is not valid; give a number above 0 and at most 1000000000\n"
            "accepted\n"
            "accepted\n"
            "mine.toml:7: 'core.flops_per_cycle' is not valid; give a number above 0 and at most 1000000000\n"
            "mine.toml:7: 'core.flops_per_cycle' is not valid; give a number above 0 and at most 1000000000\n");
  EXPECT_EQ(values_of("l1_bytes = 32", {"-1", "0", "1099511627776", "1099511627777"}),
            "mine.toml:8: 'core.l1_bytes' is not valid; give an integer from 0 to 1099511627776\n"
            "accepted\n"
            "accepted\n"
            "mine.toml:8: 'core.l1_bytes' is not valid; give an integer from 0 to 1099511627776\n");
  EXPECT_EQ(values_of("l2_bytes = 0", {"-1", "1099511627776", "1099511627777"}),
            "mine.toml:9: 'core.l2_bytes' is not valid; give an integer from 0 to 1099511627776\n"
            "accepted\n"
            "mine.toml:9: 'core.l2_bytes' is not valid; give an integer from 0 to 1099511627776\n");
  EXPECT_EQ(values_of("cache_bytes_per_cycle = 8", {"0", "1e6", "1000001"}),
            "mine.toml:10: 'core.cache_bytes_per_cycle' is not valid; give a number above 0 and at most 1000000\n"
            "accepted\n"
            "mine.toml:10: 'core.cache_bytes_per_cycle' is not valid; give a number above 0 and at most 1000000\n");
  EXPECT_EQ(values_of("dram_bytes_per_s = 4000", {"0", "1", "5000", "5001", "1000000000000001"}),
            "mine.toml:11: 'core.dram_bytes_per_s' is not valid; give an integer from 1 to 1000000000000000\n"
            "accepted\n"
            "accepted\n"
            "mine.toml:11: one core reaches more than 'memory.dram_bytes_per_s', which all share; lower it\n"
            "mine.toml:11: 'core.dram_bytes_per_s' is not valid; give an integer from 1 to 1000000000000000\n");
  EXPECT_EQ(values_of("threads_per_core = 2", {"0", "1", "3"}),
            "mine.toml:12: 'core.threads_per_core' is not valid; give an integer from 1 to 2\n"
            "mine.toml:13: 'core.corun_rate' needs two threads per core; set threads_per_core = 2 or drop it\n"
            "mine.toml:12: 'core.threads_per_core' is not valid; give an integer from 1 to 2\n");
  EXPECT_EQ(values_of("corun_rate = 0.75", {"0", "1", "1.1"}),
            "mine.toml:13: 'core.corun_rate' is not valid; give a number above 0 and at most 1\n"
            "accepted\n"
            "mine.toml:13: 'core.corun_rate' is not valid; give a number above 0 and at most 1\n");
  EXPECT_EQ(values_of("gemm_f32 = 0.9", {"0", "1.0", "1.01"}),
            "mine.toml:15: 'core.kernel_efficiency.gemm_f32' is not valid; give a number above 0 and at most 1\n"
            "accepted\n"
            "mine.toml:15: 'core.kernel_efficiency.gemm_f32' is not valid; give a number above 0 and at most 1\n");
  EXPECT_EQ(changed("gemm_f32", "\"gemm f32\""),
            "mine.toml:15: 'gemm f32' is not a kernel; `detent list kernels` prints their names\n");
  EXPECT_EQ(changed("gemm_f32", std::string(64, 'k')), "accepted\n");
  EXPECT_EQ(changed("gemm_f32", std::string(65, 'k')),
            "mine.toml:15: 'kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk' is not a kernel; "
            "`detent list kernels` prints their names\n");
  EXPECT_EQ(changed("count = 4", "count = 4\nefficiency = 0"),
            "mine.toml:6: 'core.efficiency' is not valid; give a number above 0 and at most 1\n");
  EXPECT_EQ(changed("count = 4", "count = 4\nefficiency = 1"), "accepted\n");
  EXPECT_EQ(changed("count = 4", "count = 4\nqueue_depth = 1"),
            "mine.toml:6: 'core.queue_depth' is only for NPUs and GPUs; add [core.npu] or [core.gpu], or drop it\n");
  EXPECT_EQ(changed("class = \"cpu\"", "class = \"npu\""), "mine.toml:18: duplicate class 'npu'; merge them\n");
  EXPECT_EQ(changed("class = \"cpu\"", "class = \"delay\""),
            "mine.toml:4: class 'delay' is reserved for transfers; rename it\n");
  EXPECT_EQ(changed("class = \"cpu\"", "class = \"gpu\""),
            "mine.toml:3: the first core class must be 'cpu'; reorder\n");
}

TEST(PlatformErrors, Npus) {
  EXPECT_EQ(
      changed("class = \"npu\"", "class = \"cpu\""),
      "mine.toml:22: class 'cpu' runs the engine and must not be an accelerator; give the NPU a class of its own\n");
  EXPECT_EQ(values_of("queue_depth = 3", {"0", "1", "64", "65"}),
            "mine.toml:21: 'core.queue_depth' is not valid; give an integer from 1 to 64\n"
            "accepted\n"
            "accepted\n"
            "mine.toml:21: 'core.queue_depth' is not valid; give an integer from 1 to 64\n");
  EXPECT_EQ(values_of("rows = 8", {"0", "1", "4096", "4097"}),
            "mine.toml:23: 'core.npu.rows' is not valid; give an integer from 1 to 4096\n"
            "accepted\n"
            "accepted\n"
            "mine.toml:23: 'core.npu.rows' is not valid; give an integer from 1 to 4096\n");
  EXPECT_EQ(values_of("cols = 4", {"0", "1", "4096", "4097"}),
            "mine.toml:24: 'core.npu.cols' is not valid; give an integer from 1 to 4096\n"
            "accepted\n"
            "accepted\n"
            "mine.toml:24: 'core.npu.cols' is not valid; give an integer from 1 to 4096\n");
  EXPECT_EQ(values_of("dataflow = \"os\"", {"\"ws\"", "\"is\"", "\"xs\"", "1"}),
            "accepted\n"
            "accepted\n"
            "mine.toml:25: 'core.npu.dataflow' is 'xs'; write os, ws or is\n"
            "mine.toml:25: 'core.npu.dataflow' must be a string; write it in quotes\n");
  EXPECT_EQ(values_of("input_buffer_bytes = 64", {"0", "3", "4", "1099511627776", "1099511627777"}),
            "mine.toml:26: 'core.npu.input_buffer_bytes' is not valid; give an integer from 1 to 1099511627776\n"
            "mine.toml:26: 'core.npu.input_buffer_bytes' must hold a word in each half; give at least 2 * word_bytes\n"
            "accepted\n"
            "accepted\n"
            "mine.toml:26: 'core.npu.input_buffer_bytes' is not valid; give an integer from 1 to 1099511627776\n");
  EXPECT_EQ(values_of("weight_buffer_bytes = 32", {"0", "3", "4", "1099511627777"}),
            "mine.toml:27: 'core.npu.weight_buffer_bytes' is not valid; give an integer from 1 to 1099511627776\n"
            "mine.toml:27: 'core.npu.weight_buffer_bytes' must hold a word in each half; give at least 2 * word_bytes\n"
            "accepted\n"
            "mine.toml:27: 'core.npu.weight_buffer_bytes' is not valid; give an integer from 1 to 1099511627776\n");
  EXPECT_EQ(values_of("output_buffer_bytes = 16", {"0", "3", "4", "1099511627777"}),
            "mine.toml:28: 'core.npu.output_buffer_bytes' is not valid; give an integer from 1 to 1099511627776\n"
            "mine.toml:28: 'core.npu.output_buffer_bytes' must hold a word in each half; give at least 2 * word_bytes\n"
            "accepted\n"
            "mine.toml:28: 'core.npu.output_buffer_bytes' is not valid; give an integer from 1 to 1099511627776\n");
  EXPECT_EQ(values_of("word_bytes = 2", {"0", "1", "8", "9"}),
            "mine.toml:29: 'core.npu.word_bytes' is not valid; give an integer from 1 to 8\n"
            "accepted\n"
            "accepted\n"
            "mine.toml:29: 'core.npu.word_bytes' is not valid; give an integer from 1 to 8\n");
  EXPECT_EQ(values_of("vector_lanes = 5", {"0", "1", "1048576", "1048577"}),
            "mine.toml:30: 'core.npu.vector_lanes' is not valid; give an integer from 1 to 1048576\n"
            "accepted\n"
            "accepted\n"
            "mine.toml:30: 'core.npu.vector_lanes' is not valid; give an integer from 1 to 1048576\n");
  EXPECT_EQ(values_of("port_bytes_per_cycle = 6", {"0", "1", "1048576", "1048577"}),
            "mine.toml:31: 'core.npu.port_bytes_per_cycle' is not valid; give an integer from 1 to 1048576\n"
            "accepted\n"
            "accepted\n"
            "mine.toml:31: 'core.npu.port_bytes_per_cycle' is not valid; give an integer from 1 to 1048576\n");
  EXPECT_EQ(values_of("dma_outstanding = 7", {"0", "1", "1024", "1025"}),
            "mine.toml:32: 'core.npu.dma_outstanding' is not valid; give an integer from 1 to 1024\n"
            "accepted\n"
            "accepted\n"
            "mine.toml:32: 'core.npu.dma_outstanding' is not valid; give an integer from 1 to 1024\n");
  EXPECT_EQ(values_of("private_ports = true", {"false", "1"}),
            "accepted\n"
            "mine.toml:33: 'core.npu.private_ports' is not a boolean; write true or false\n");
  EXPECT_EQ(values_of("command_cycles = 9", {"-1", "0", "1000000000", "1000000001"}),
            "mine.toml:34: 'core.npu.command_cycles' is not valid; give an integer from 0 to 1000000000\n"
            "accepted\n"
            "accepted\n"
            "mine.toml:34: 'core.npu.command_cycles' is not valid; give an integer from 0 to 1000000000\n");
  EXPECT_EQ(changed("queue_depth = 3", "threads_per_core = 2"),
            "mine.toml:21: 'core.count' must be even with two threads per core; give an even count\n");
  EXPECT_EQ(changed("count = 1\nclock_hz = 500", "count = 2\nthreads_per_core = 2\nclock_hz = 500"),
            "mine.toml:20: an accelerator must have one thread per core; set it to 1 or drop [core.npu]\n");
}

TEST(PlatformErrors, MemoryAndOverheads) {
  EXPECT_EQ(values_of("dram_bytes_per_s = 5000", {"0", "1000000000000000", "1000000000000001"}),
            "mine.toml:36: 'memory.dram_bytes_per_s' is not valid; give an integer from 1 to 1000000000000000\n"
            "accepted\n"
            "mine.toml:36: 'memory.dram_bytes_per_s' is not valid; give an integer from 1 to 1000000000000000\n");
  EXPECT_EQ(values_of("bytes = 100", {"0", "1", "9223372036854775807"}),
            "mine.toml:37: 'memory.bytes' is not valid; give an integer from 1 to 9223372036854775807\n"
            "accepted\n"
            "accepted\n");
  EXPECT_EQ(values_of("burst_bytes = 32", {"4", "8", "24", "65536", "65537", "131072"}),
            "mine.toml:38: 'memory.burst_bytes' is not valid; give an integer from 8 to 65536\n"
            "accepted\n"
            "mine.toml:38: 'memory.burst_bytes' must be a power of two; give 8, 16, ... 65536\n"
            "accepted\n"
            "mine.toml:38: 'memory.burst_bytes' is not valid; give an integer from 8 to 65536\n"
            "mine.toml:38: 'memory.burst_bytes' is not valid; give an integer from 8 to 65536\n");
  EXPECT_EQ(values_of("contention = \"queue\"", {"\"none\"", "\"all\""}),
            "accepted\n"
            "mine.toml:39: 'memory.contention' is 'all'; write none or queue\n");
  EXPECT_EQ(values_of("dispatch_ps = 1", {"-1", "0", "1000000000000", "1000000000001"}),
            "mine.toml:41: 'overheads.dispatch_ps' is not valid; give an integer from 0 to 1000000000000\n"
            "accepted\n"
            "accepted\n"
            "mine.toml:41: 'overheads.dispatch_ps' is not valid; give an integer from 0 to 1000000000000\n");
  EXPECT_EQ(values_of("queue_ps = 2", {"-1", "1000000000000", "1000000000001"}),
            "mine.toml:42: 'overheads.queue_ps' is not valid; give an integer from 0 to 1000000000000\n"
            "accepted\n"
            "mine.toml:42: 'overheads.queue_ps' is not valid; give an integer from 0 to 1000000000000\n");
  EXPECT_EQ(values_of("lock_ps = 3", {"-1", "6", "7", "1000000000001"}),
            "mine.toml:43: 'overheads.lock_ps' is not valid; give an integer from 0 to 1000000000000\n"
            "accepted\n"
            "mine.toml:46: 'overheads.lock_contended_ps' is below lock_ps; give at least that\n"
            "mine.toml:43: 'overheads.lock_ps' is not valid; give an integer from 0 to 1000000000000\n");
  EXPECT_EQ(values_of("wake_ps = 4", {"-1", "1000000000000", "1000000000001"}),
            "mine.toml:44: 'overheads.wake_ps' is not valid; give an integer from 0 to 1000000000000\n"
            "accepted\n"
            "mine.toml:44: 'overheads.wake_ps' is not valid; give an integer from 0 to 1000000000000\n");
  EXPECT_EQ(values_of("log_ps = 5", {"-1", "1000000000000", "1000000000001"}),
            "mine.toml:45: 'overheads.log_ps' is not valid; give an integer from 0 to 1000000000000\n"
            "accepted\n"
            "mine.toml:45: 'overheads.log_ps' is not valid; give an integer from 0 to 1000000000000\n");
  EXPECT_EQ(values_of("lock_contended_ps = 6", {"2", "3", "1000000000001"}),
            "mine.toml:46: 'overheads.lock_contended_ps' is below lock_ps; give at least that\n"
            "accepted\n"
            "mine.toml:46: 'overheads.lock_contended_ps' is not valid; give an integer from 0 to 1000000000000\n");
  EXPECT_EQ(values_of("interrupt_ps = 7", {"-1", "1000000000000", "1000000000001"}),
            "mine.toml:47: 'overheads.interrupt_ps' is not valid; give an integer from 0 to 1000000000000\n"
            "accepted\n"
            "mine.toml:47: 'overheads.interrupt_ps' is not valid; give an integer from 0 to 1000000000000\n");
  EXPECT_EQ(values_of("migrate_ps = 8", {"-1", "1000000000000", "1000000000001"}),
            "mine.toml:48: 'overheads.migrate_ps' is not valid; give an integer from 0 to 1000000000000\n"
            "accepted\n"
            "mine.toml:48: 'overheads.migrate_ps' is not valid; give an integer from 0 to 1000000000000\n");
}

TEST(PlatformErrors, Loads) {
  EXPECT_EQ(values_of("core = 3", {"-1", "0", "4"}),
            "mine.toml:52: 'load.core' is not valid; give an integer from 0 to 3\n"
            "accepted\n"
            "mine.toml:52: 'load.core' is not valid; give an integer from 0 to 3\n");
  EXPECT_EQ(values_of("period_ps = 1000", {"0", "120", "121", "1000000000000000", "1000000000000001"}),
            "mine.toml:53: 'load.period_ps' is not valid; give an integer from 1 to 1000000000000000\n"
            "mine.toml:53: 'load.period_ps' must exceed duration_ps + jitter_ps; lengthen the period\n"
            "accepted\n"
            "accepted\n"
            "mine.toml:53: 'load.period_ps' is not valid; give an integer from 1 to 1000000000000000\n");
  EXPECT_EQ(values_of("duration_ps = 100", {"0", "1", "979", "980", "1000000000000001"}),
            "mine.toml:54: 'load.duration_ps' is not valid; give an integer from 1 to 1000000000000000\n"
            "accepted\n"
            "accepted\n"
            "mine.toml:53: 'load.period_ps' must exceed duration_ps + jitter_ps; lengthen the period\n"
            "mine.toml:54: 'load.duration_ps' is not valid; give an integer from 1 to 1000000000000000\n");
  EXPECT_EQ(values_of("offset_ps = 10", {"-1", "0", "999", "1000"}),
            "mine.toml:55: 'load.offset_ps' is not valid; give an integer from 0 to 999\n"
            "accepted\n"
            "accepted\n"
            "mine.toml:55: 'load.offset_ps' is not valid; give an integer from 0 to 999\n");
  EXPECT_EQ(values_of("jitter_ps = 20", {"-1", "899", "900", "1000000000000001"}),
            "mine.toml:56: 'load.jitter_ps' is not valid; give an integer from 0 to 1000000000000000\n"
            "accepted\n"
            "mine.toml:53: 'load.period_ps' must exceed duration_ps + jitter_ps; lengthen the period\n"
            "mine.toml:56: 'load.jitter_ps' is not valid; give an integer from 0 to 1000000000000000\n");
  EXPECT_EQ(changed("class = \"cpu\"\ncore = 3", "class = \"npu\"\ncore = 0"),
            "mine.toml:51: 'load.class' must not be an accelerator, which runs nothing else; name a CPU class\n");
  EXPECT_EQ(changed("class = \"cpu\"\ncore = 3", "class = \"gpu\"\ncore = 0"),
            "mine.toml:51: 'load.class' is not a class of this platform; use one of its [[core]] tables\n");
  const std::string second = "[[load]]\nname = \"NAME\"\nclass = \"cpu\"\ncore = 3\nperiod_ps = 1000\nduration_ps = ";
  EXPECT_EQ(error_of(kChip + replaced(second, "NAME", "tick") + "1\n"),
            "mine.toml:58: duplicate load 'tick'; rename one");
  EXPECT_EQ(error_of(kChip + replaced(second, "NAME", "tock") + "899\n"), "accepted");
  EXPECT_EQ(error_of(kChip + replaced(second, "NAME", "tock") + "900\n"),
            "mine.toml:62: the loads of core cpu3 leave no time for its worker; shorten them or move one");
  std::string many = kChip;
  for (int i = 1; i < 1024; ++i) {
    many += "[[load]]\nname = \"l" + std::to_string(i) +
            "\"\nclass = \"cpu\"\ncore = 3\nperiod_ps = 1000000\nduration_ps = 1\n";
  }
  EXPECT_EQ(error_of(many), "accepted");
  EXPECT_EQ(error_of(many + replaced(second, "NAME", "tock") + "1\n"),
            "mine.toml:6196: more than 1024 loads; merge some");
}

TEST(PlatformErrors, ProvenanceAndSyntax) {
  const auto with = [](const std::string& row) { return error_of(std::string(kChip) + "[provenance]\n" + row); };
  EXPECT_EQ(with("\"cpu.clock_hz\" = \"seen: x\"\n"), "accepted");
  EXPECT_EQ(with("\"cpu.clock_hz\" = \"derived: x\"\n\"npu.rows\" = \"memory\"\n"), "accepted");
  EXPECT_EQ(with("\"cpu.clock_hz\" = \"guessed\"\n"),
            "mine.toml:58: provenance must begin with seen, derived or memory; say which");
  EXPECT_EQ(with("\"cpu.clock\" = \"seen: x\"\n"),
            "mine.toml:58: provenance of 'cpu.clock', which is not a number of this platform; correct its key");
  EXPECT_EQ(with("\"cpu.clock_hz\" = 3\n"),
            "mine.toml:58: 'provenance.cpu.clock_hz' must be a string; write it in quotes");
  const std::string syntax = error_of("schema = \n");  // what stands between them are the parser's words
  EXPECT_TRUE(syntax.starts_with("mine.toml:1: ") && syntax.ends_with("; fix the TOML syntax")) << syntax;
}

std::string value_text(const PlatformNumber& number) {
  if (const auto* whole = std::get_if<std::uint64_t>(&number.value)) return std::to_string(*whole);
  if (const auto* word = std::get_if<std::string>(&number.value)) return *word;
  char text[32];
  std::snprintf(text, sizeof text, "%g", std::get<double>(number.value));
  return text;
}

std::string numbers_text(const Platform& platform) {
  std::string text;
  for (const PlatformNumber& number : platform_numbers(platform)) {
    text += number.key + " " + value_text(number) + (number.source.empty() ? "" : " (" + number.source + ")") + "\n";
  }
  const ProvenanceCount count = count_provenance(platform);
  return text + std::to_string(count.seen) + " seen, " + std::to_string(count.derived) + " derived, " +
         std::to_string(count.memory) + " from memory\n";
}

TEST(PlatformErrors, EveryNumberThatIsInEffect) {
  EXPECT_EQ(numbers_text(parse_platform(kGood, "mine.toml")),
            "cpu.count 2\n"
            "cpu.clock_hz 1000\n"
            "cpu.flops_per_cycle 2\n"
            "cpu.efficiency 1\n"
            "cpu.l1_bytes 0\n"
            "cpu.l2_bytes 0\n"
            "cpu.cache_bytes_per_cycle 0\n"
            "cpu.dram_bytes_per_s 0\n"
            "cpu.threads_per_core 1\n"
            "cpu.corun_rate 1\n"
            "memory.dram_bytes_per_s 5000\n"
            "memory.bytes 0\n"
            "memory.burst_bytes 64\n"
            "memory.contention none\n"
            "overheads.dispatch_ps 1\n"
            "overheads.queue_ps 2\n"
            "overheads.lock_ps 3\n"
            "overheads.lock_contended_ps 3\n"
            "overheads.wake_ps 4\n"
            "overheads.log_ps 5\n"
            "overheads.interrupt_ps 0\n"
            "overheads.migrate_ps 0\n"
            "0 seen, 0 derived, 0 from memory\n");
  const std::string sources =
      "[provenance]\n\"npu.rows\" = \"seen: a\"\n\"cpu.count\" = \"derived: b\"\n\"load.tick.core\" = \"memory: c\"\n"
      "\"cpu.kernel_efficiency.gemm_f32\" = \"seen: d\"\n";
  EXPECT_EQ(numbers_text(parse_platform(kChip + sources, "chip.toml")),
            "cpu.count 4 (derived: b)\n"
            "cpu.clock_hz 1000\n"
            "cpu.flops_per_cycle 2\n"
            "cpu.efficiency 1\n"
            "cpu.kernel_efficiency.conv2d_f32 1\n"
            "cpu.kernel_efficiency.gemm_f32 0.9 (seen: d)\n"
            "cpu.l1_bytes 32\n"
            "cpu.l2_bytes 0\n"
            "cpu.cache_bytes_per_cycle 8\n"
            "cpu.dram_bytes_per_s 4000\n"
            "cpu.threads_per_core 2\n"
            "cpu.corun_rate 0.75\n"
            "npu.count 1\n"
            "npu.clock_hz 500\n"
            "npu.flops_per_cycle 64\n"
            "npu.efficiency 1\n"
            "npu.l1_bytes 0\n"
            "npu.l2_bytes 0\n"
            "npu.cache_bytes_per_cycle 0\n"
            "npu.dram_bytes_per_s 0\n"
            "npu.threads_per_core 1\n"
            "npu.corun_rate 1\n"
            "npu.queue_depth 3\n"
            "npu.rows 8 (seen: a)\n"
            "npu.cols 4\n"
            "npu.dataflow os\n"
            "npu.input_buffer_bytes 64\n"
            "npu.weight_buffer_bytes 32\n"
            "npu.output_buffer_bytes 16\n"
            "npu.word_bytes 2\n"
            "npu.vector_lanes 5\n"
            "npu.port_bytes_per_cycle 6\n"
            "npu.dma_outstanding 7\n"
            "npu.private_ports true\n"
            "npu.command_cycles 9\n"
            "memory.dram_bytes_per_s 5000\n"
            "memory.bytes 100\n"
            "memory.burst_bytes 32\n"
            "memory.contention queue\n"
            "overheads.dispatch_ps 1\n"
            "overheads.queue_ps 2\n"
            "overheads.lock_ps 3\n"
            "overheads.lock_contended_ps 6\n"
            "overheads.wake_ps 4\n"
            "overheads.log_ps 5\n"
            "overheads.interrupt_ps 7\n"
            "overheads.migrate_ps 8\n"
            "load.tick.core 3 (memory: c)\n"
            "load.tick.period_ps 1000\n"
            "load.tick.duration_ps 100\n"
            "load.tick.offset_ps 10\n"
            "load.tick.jitter_ps 20\n"
            "2 seen, 1 derived, 1 from memory\n");
}

TEST(PlatformErrors, PlainPlatforms) {
  const auto error = [](const std::vector<std::pair<std::string, std::uint32_t>>& cores) {
    try {
      return numbers_text(plain_platform(cores));
    } catch (const std::invalid_argument& refusal) {
      return std::string(refusal.what());
    }
  };
  EXPECT_EQ(error({{"cpu", 0}}), "cores 'cpu': 0 cores; give at least 1");
  EXPECT_EQ(error({{"npu", 1}}), "cores: the first class must be 'cpu'; give cpu=N first");
  EXPECT_EQ(error({{"cpu", 1}, {"cpu", 1}}), "cores 'cpu': duplicate class; give one count");
  EXPECT_EQ(error({{"cpu", 64}, {"npu", 1}}), "cores: more than 64; give fewer");
  EXPECT_EQ(error({}), "cores: the first class must be 'cpu'; give cpu=N first");
  EXPECT_EQ(error({{"cpu", 63}, {"npu", 1}}),
            "cpu.count 63\n"
            "cpu.clock_hz 1000000000\n"
            "cpu.flops_per_cycle 1\n"
            "cpu.efficiency 1\n"
            "cpu.l1_bytes 0\n"
            "cpu.l2_bytes 0\n"
            "cpu.cache_bytes_per_cycle 0\n"
            "cpu.dram_bytes_per_s 0\n"
            "cpu.threads_per_core 1\n"
            "cpu.corun_rate 1\n"
            "npu.count 1\n"
            "npu.clock_hz 1000000000\n"
            "npu.flops_per_cycle 1\n"
            "npu.efficiency 1\n"
            "npu.l1_bytes 0\n"
            "npu.l2_bytes 0\n"
            "npu.cache_bytes_per_cycle 0\n"
            "npu.dram_bytes_per_s 0\n"
            "npu.threads_per_core 1\n"
            "npu.corun_rate 1\n"
            "memory.dram_bytes_per_s 1000000000000\n"
            "memory.bytes 0\n"
            "memory.burst_bytes 64\n"
            "memory.contention none\n"
            "overheads.dispatch_ps 0\n"
            "overheads.queue_ps 0\n"
            "overheads.lock_ps 0\n"
            "overheads.lock_contended_ps 0\n"
            "overheads.wake_ps 0\n"
            "overheads.log_ps 0\n"
            "overheads.interrupt_ps 0\n"
            "overheads.migrate_ps 0\n"
            "0 seen, 0 derived, 0 from memory\n");
}

}  // namespace
}  // namespace detent::sim::test
