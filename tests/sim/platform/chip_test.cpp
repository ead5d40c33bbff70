// Keys of the chip model in platform files, and the files that are built in.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/toml.hpp"
#include "sim/platform/builtin_platforms.hpp"
#include "sim/platform/numbers.hpp"
#include "sim/platform/platform.hpp"
#include "tests/sim/platform/text.hpp"

namespace detent::sim::test {
namespace {

/// Keys with a number of one table of a platform file, as its provenance names them.
void collect_numbers(const toml::table& table, const std::string& prefix, std::vector<std::string>& keys) {
  for (const auto& [key, node] : table) {
    if (node.is_number()) keys.push_back(prefix + std::string(key.str()));
  }
}

/// Every key with a number that the text of a platform holds. Reads the TOML itself, not through the reader.
std::vector<std::string> numbers_written(const toml::table& file) {
  std::vector<std::string> keys;
  for (const auto& entry : *file["core"].as_array()) {
    const toml::table& core = *entry.as_table();
    const std::string name = *core["class"].value<std::string>() + ".";
    collect_numbers(core, name, keys);
    if (const auto* npu = core["npu"].as_table()) collect_numbers(*npu, name, keys);
    if (const auto* kernels = core["kernel_efficiency"].as_table()) {
      collect_numbers(*kernels, name + "kernel_efficiency.", keys);
    }
  }
  collect_numbers(*file["memory"].as_table(), "memory.", keys);
  collect_numbers(*file["overheads"].as_table(), "overheads.", keys);
  if (const auto* loads = file["load"].as_array()) {
    for (const auto& entry : *loads) {
      const toml::table& load = *entry.as_table();
      collect_numbers(load, "load." + *load["name"].value<std::string>() + ".", keys);
    }
  }
  return keys;
}

TEST(Platform, BuiltInOnesAreReadableAndEveryNumberSaysWhereItComesFrom) {
  const auto names = platform_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  ASSERT_EQ(builtin_platforms().size(), names.size());
  for (const auto& [name, text] : builtin_platforms()) {
    const Platform platform = find_platform(std::string(name));
    EXPECT_EQ(platform.name, name);
    EXPECT_FALSE(platform.description.empty());
    const toml::table file = toml::parse(text);
    const toml::table& provenance = *file["provenance"].as_table();
    const std::vector<std::string> numbers = numbers_written(file);
    EXPECT_GT(numbers.size(), 14U) << name;
    for (const std::string& key : numbers) EXPECT_TRUE(provenance.contains(key)) << name << ": " << key;
    EXPECT_GE(platform.provenance.size(), numbers.size()) << name;
  }
}

TEST(Platform, SixRealChipsHaveTheChipModelOn) {
  for (const char* name : {"am62a", "corstone300_u55", "imx93", "orin_nano", "rk3588", "tda4vm"}) {
    const Platform platform = find_platform(name);
    EXPECT_EQ(platform.contention, Contention::kQueue) << name;
    EXPECT_GT(platform.classes[0].l1_bytes, 0U) << name;
    EXPECT_GT(platform.classes[0].dram_bytes_per_s, 0U) << name;
    EXPECT_TRUE(platform.classes.at(1).is_accelerator()) << name;
    EXPECT_EQ(platform.classes[1].gpu.has_value(), std::string(name) == "orin_nano");
    EXPECT_GT(platform.overheads.interrupt_ps, 0U) << name;
  }
  EXPECT_EQ(find_platform("am62a").classes[1].flops_per_cycle, 2048.0);  // of the array: 2 TOPS at 1 GHz
  EXPECT_EQ(find_platform("corstone300_u55").classes[0].count, 1U);
}

/// kChip with one piece of text replaced, once.
std::string chip_with(const std::string& old_text, const std::string& new_text) {
  return replaced(kChip, old_text, new_text);
}

/// What errors at this offset of a text begin with.
std::string place(const std::string& text, std::size_t offset) {
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
  return "mine.toml:" + std::to_string(line) + ": ";
}

/// Replacing `old_text` by `new_text` in kChip is refused at the last line of `new_text`.
void expect_chip_error(const std::string& old_text, const std::string& new_text, const std::string& part) {
  const std::string text = chip_with(old_text, new_text);
  const std::size_t last_line = new_text.find_last_of('\n', new_text.size() - 2) + 1;
  expect_error(text, place(text, std::string(kChip).find(old_text) + last_line), part);
}

TEST(Platform, ReadsTheChip) {
  const Platform platform = parse_platform(kChip, "mine.toml");
  const CoreClass& cpu = platform.classes.at(0);
  EXPECT_EQ(cpu.l1_bytes, 32U);
  EXPECT_EQ(cpu.l2_bytes, 0U);
  EXPECT_EQ(cpu.cache_bytes_per_cycle, 8.0);
  EXPECT_EQ(cpu.dram_bytes_per_s, 4000U);
  EXPECT_EQ(cpu.threads_per_core, 2U);
  EXPECT_EQ(cpu.corun_rate, 0.75);
  const std::vector<std::pair<std::string, double>> kernels{{"conv2d_f32", 1.0}, {"gemm_f32", 0.9}};
  EXPECT_EQ(cpu.kernel_efficiency, kernels);
  EXPECT_FALSE(cpu.npu);
  const CoreClass& npu = platform.classes.at(1);
  ASSERT_TRUE(npu.npu);
  EXPECT_EQ(npu.queue_depth, 3U);
  EXPECT_EQ(npu.flops_per_cycle, 64.0);  // 2 * 8 * 4
  EXPECT_EQ(npu.efficiency, 1.0);
  EXPECT_EQ(npu.npu->array.rows, 8U);
  EXPECT_EQ(npu.npu->array.cols, 4U);
  EXPECT_EQ(npu.npu->dataflow, npu::Dataflow::kOutputStationary);
  EXPECT_EQ(npu.npu->input_buffer_bytes, 64U);
  EXPECT_EQ(npu.npu->weight_buffer_bytes, 32U);
  EXPECT_EQ(npu.npu->output_buffer_bytes, 16U);
  EXPECT_EQ(npu.npu->word_bytes, 2U);
  EXPECT_EQ(npu.npu->vector_lanes, 5U);
  EXPECT_EQ(npu.npu->port_bytes_per_cycle, 6U);
  EXPECT_EQ(npu.npu->dma_outstanding, 7U);
  EXPECT_TRUE(npu.npu->private_ports);
  EXPECT_EQ(npu.npu->command_cycles, 9U);
  EXPECT_EQ(platform.burst_bytes, 32U);
  EXPECT_EQ(platform.contention, Contention::kQueue);
  EXPECT_EQ(platform.overheads.lock_contended_ps, 6U);
  EXPECT_EQ(platform.overheads.interrupt_ps, 7U);
  EXPECT_EQ(platform.overheads.migrate_ps, 8U);
  ASSERT_EQ(platform.loads.size(), 1U);
  const Load& load = platform.loads[0];
  EXPECT_EQ(load.name + load.core_class, "tickcpu");
  EXPECT_EQ(load.core, 3U);
  EXPECT_EQ(load.period_ps, 1000U);
  EXPECT_EQ(load.duration_ps, 100U);
  EXPECT_EQ(load.offset_ps, 10U);
  EXPECT_EQ(load.jitter_ps, 20U);
}

TEST(Platform, KeysThatAreNotGivenHaveTheirDefaults) {
  const Platform platform = parse_platform(kGood, "mine.toml");
  EXPECT_EQ(platform.contention, Contention::kNone);
  EXPECT_EQ(platform.burst_bytes, 64U);
  EXPECT_EQ(platform.overheads.lock_contended_ps, platform.overheads.lock_ps);
  EXPECT_EQ(platform.overheads.interrupt_ps, 0U);
  EXPECT_EQ(platform.overheads.migrate_ps, 0U);
  EXPECT_TRUE(platform.loads.empty());
  EXPECT_EQ(platform.classes[0].threads_per_core, 1U);
  EXPECT_EQ(platform.classes[0].queue_depth, 1U);
  const Platform npu = parse_platform(chip_with("dataflow = \"os\"\n", ""), "mine.toml");
  EXPECT_EQ(npu.classes[1].npu->dataflow, npu::Dataflow::kWeightStationary);
}

TEST(Platform, B70_ImpossibleCores) {
  expect_chip_error("corun_rate = 0.75", "corun_rate = 0", "core.corun_rate");
  expect_chip_error("corun_rate = 0.75", "corun_rate = 1.5", "at most 1");
  expect_chip_error("threads_per_core = 2", "threads_per_core = 3", "1 to 2");
  expect_chip_error("threads_per_core = 2", "threads_per_core = 0", "1 to 2");
  expect_chip_error("threads_per_core = 2\ncorun_rate = 0.75", "corun_rate = 0.75", "threads_per_core = 2");
  const std::string odd = chip_with("count = 4", "count = 5");
  expect_error(odd, place(odd, odd.find("threads_per_core")), "must be even");
  expect_chip_error("l1_bytes = 32", "l1_bytes = -1", "core.l1_bytes");
  expect_chip_error("cache_bytes_per_cycle = 8", "cache_bytes_per_cycle = 0", "core.cache_bytes_per_cycle");
  expect_chip_error("dram_bytes_per_s = 4000", "dram_bytes_per_s = 0", "core.dram_bytes_per_s");
  expect_chip_error("dram_bytes_per_s = 4000", "dram_bytes_per_s = 5001", "memory.dram_bytes_per_s");
  expect_chip_error("conv2d_f32 = 1", "conv2d_f32 = 0", "core.kernel_efficiency.conv2d_f32");
  expect_chip_error("conv2d_f32 = 1", "conv2d_f32 = 1.01", "at most 1");
  expect_chip_error("conv2d_f32 = 1", "\"conv 2d\" = 1", "is not a kernel");
  expect_chip_error("l1_bytes = 32", "l1_bytes = 32\nqueue_depth = 2", "only for NPUs");
}

TEST(Platform, B70_ImpossibleNpus) {
  for (const char* key : {"rows", "cols"}) {
    const std::string name = key;
    const std::string good = name + (name == "rows" ? " = 8" : " = 4");
    expect_chip_error(good, name + " = 0", "core.npu." + name);
    expect_chip_error(good, name + " = 4097", "1 to 4096");
    expect_error(chip_with(good + "\n", ""), "mine.toml:22: ", "missing key 'core.npu." + name);
  }
  expect_chip_error("dataflow = \"os\"", "dataflow = \"OS\"", "os, ws or is");
  expect_chip_error("dataflow = \"os\"", "dataflow = 1", "in quotes");
  expect_chip_error("input_buffer_bytes = 64", "input_buffer_bytes = 3", "2 * word_bytes");
  expect_chip_error("weight_buffer_bytes = 32", "weight_buffer_bytes = 0", "core.npu.weight_buffer_bytes");
  expect_chip_error("output_buffer_bytes = 16", "output_buffer_bytes = -5", "core.npu.output_buffer_bytes");
  expect_chip_error("word_bytes = 2", "word_bytes = 9", "1 to 8");
  expect_chip_error("vector_lanes = 5", "vector_lanes = 0", "core.npu.vector_lanes");
  expect_chip_error("port_bytes_per_cycle = 6", "port_bytes_per_cycle = 0", "core.npu.port_bytes_per_cycle");
  expect_chip_error("dma_outstanding = 7", "dma_outstanding = 0", "core.npu.dma_outstanding");
  expect_chip_error("private_ports = true", "private_ports = 1", "true or false");
  expect_chip_error("command_cycles = 9", "command_cycles = -9", "core.npu.command_cycles");
  expect_chip_error("queue_depth = 3", "queue_depth = 0", "core.queue_depth");
  expect_chip_error("queue_depth = 3", "threads_per_core = 2", "must be even");
  expect_chip_error("count = 1\nclock_hz = 500", "count = 2\nclock_hz = 500\nthreads_per_core = 2",
                    "one thread per core");
  expect_chip_error("rows = 8", "rosw = 8", "unknown key 'core.npu.rosw'");
  const std::string cpu = "threads_per_core = 2\ncorun_rate = 0.75\n[core.kernel_efficiency]";
  const std::string text = chip_with(cpu, "[core.npu]\nrows = 1\ncols = 1\n[core.kernel_efficiency]");
  expect_error(text, place(text, text.find("[core.npu]")), "of its own");
}

TEST(Platform, B70_ImpossibleMemory) {
  expect_chip_error("burst_bytes = 32", "burst_bytes = 33", "power of two");
  expect_chip_error("burst_bytes = 32", "burst_bytes = 4", "8 to 65536");
  expect_chip_error("burst_bytes = 32", "burst_bytes = 131072", "8 to 65536");
  expect_chip_error("contention = \"queue\"", "contention = \"some\"", "none or queue");
  expect_chip_error("lock_contended_ps = 6", "lock_contended_ps = 2", "below lock_ps");
  expect_chip_error("interrupt_ps = 7", "interrupt_ps = -7", "overheads.interrupt_ps");
  expect_chip_error("migrate_ps = 8", "migrate_ps = 1_000_000_000_001", "overheads.migrate_ps");
}

TEST(Platform, B70_ImpossibleLoads) {
  expect_chip_error("core = 3\n", "core = 4\n", "0 to 3");
  expect_chip_error("core = 3\n", "core = -1\n", "load.core");
  expect_chip_error("tick\"\nclass = \"cpu\"", "tick\"\nclass = \"gpu\"", "not a class");
  expect_chip_error("tick\"\nclass = \"cpu\"", "tick\"\nclass = \"npu\"", "accelerator");
  expect_chip_error("period_ps = 1000", "period_ps = 120", "must exceed");
  expect_chip_error("period_ps = 1000", "period_ps = 0", "load.period_ps");
  expect_chip_error("duration_ps = 100", "duration_ps = 0", "load.duration_ps");
  expect_chip_error("offset_ps = 10", "offset_ps = 1000", "load.offset_ps");
  expect_chip_error("jitter_ps = 20", "jitter_ps = -1", "load.jitter_ps");
  expect_chip_error("jitter_ps = 20", "jitter = 20", "unknown key 'load.jitter'");
  const std::string again = "[[load]]\nname = \"NAME\"\nclass = \"cpu\"\ncore = 3\nperiod_ps = 10\nduration_ps = 9\n";
  const auto second = [&](const std::string& name) {
    std::string added = again;
    added.replace(added.find("NAME"), 4, name);
    return std::string(kChip) + added;
  };
  expect_error(second("tick"), place(second("tick"), second("tick").rfind("name")), "duplicate");
  expect_error(second("tock"), place(second("tock"), second("tock").rfind("duration_ps")), "no time for its worker");
  expect_error(chip_with("[[load]]", "[load]"), "mine.toml:", "[[load]]");
}

TEST(Platform, B70_LoadsThatTakeExactlyAllOfACore) {
  std::string text = kGood;
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(error_of(text), "accepted");
    text +=
        "[[load]]\nname = \"l" + std::to_string(i) + "\"\nclass = \"cpu\"\ncore = 1\nperiod_ps = 10\nduration_ps = 1\n";
  }
  expect_error(text, place(text, text.rfind("duration_ps")), "no time for its worker");
}

TEST(Platform, B72_TyposInTheNewTables) {
  expect_chip_error("contention = ", "contentoin = ", "unknown key 'memory.contentoin'");
  expect_chip_error("migrate_ps", "migration_ps", "unknown key 'overheads.migration_ps'");
  expect_chip_error("corun_rate = 0.75", "corun = 0.75", "unknown key 'core.corun'");
}
TEST(Platform, B73_ThereAreNoIncludesToLoop) {
  expect_chip_error("name = \"chip\"", "include = \"mine.toml\"", "unknown key 'include'");
}
TEST(Platform, B17_NumbersOutOfRange) {
  expect_chip_error("l1_bytes = 32", "l1_bytes = 18446744073709551616", "TOML");
  expect_chip_error("corun_rate = 0.75", "corun_rate = nan", "core.corun_rate");
  expect_chip_error("rows = 8", "rows = 8.0", "integer");
  expect_chip_error("corun_rate = 0.75", "corun_rate = 1e400", "");
}
TEST(Platform, B15_DeepNestingIsRefused) {
  const std::string text = std::string(kGood) + "deep = " + std::string(1'000'000, '[');
  EXPECT_NE(error_of(text), "accepted");
}

constexpr const char* kGpu =
    "[[core]]\nclass = \"gpu\"\ncount = 1\nclock_hz = 10\nflops_per_cycle = 2.0\nqueue_depth = 3\n"
    "[core.gpu]\nwave_elements = 5\nlaunch_cycles = 6\nloads_outstanding = 7\n[memory]";

TEST(Platform, ReadsAGpu) {
  const Platform platform = parse_platform(chip_with("[memory]", kGpu), "mine.toml");
  const CoreClass& gpu = platform.classes.back();
  ASSERT_TRUE(gpu.gpu);
  EXPECT_FALSE(gpu.npu);
  EXPECT_TRUE(gpu.is_accelerator());
  EXPECT_EQ(gpu.queue_depth, 3U);
  EXPECT_EQ(gpu.gpu->wave_elements, 5U);
  EXPECT_EQ(gpu.gpu->launch_cycles, 6U);
  EXPECT_EQ(gpu.gpu->loads_outstanding, 7U);
  EXPECT_EQ(gpu.streams(), 7U);
  EXPECT_EQ(platform.classes[0].streams(), 1U);
}

TEST(Platform, RefusesGpusThatCannotBe) {
  const auto refused = [](const std::string& old_text, const std::string& new_text) {
    return error_of(chip_with("[memory]", replaced(kGpu, old_text, new_text)));
  };
  EXPECT_NE(refused("wave_elements = 5", "wave_elements = 0").find("'core.gpu.wave_elements'"), std::string::npos);
  EXPECT_NE(refused("wave_elements = 5\n", "").find("wave_elements"), std::string::npos);
  EXPECT_NE(refused("loads_outstanding = 7", "loads_outstanding = 0").find("loads_outstanding"), std::string::npos);
  EXPECT_NE(refused("launch_cycles = 6", "launch_cycles = -1").find("launch_cycles"), std::string::npos);
  EXPECT_NE(refused("launch_cycles = 6", "rows = 6").find("rows"), std::string::npos);
  EXPECT_NE(refused("[core.gpu]", "[core.npu]\nrows = 1\ncols = 1\n[core.gpu]").find("must not be both NPU and GPU"),
            std::string::npos);
  EXPECT_NE(refused("count = 1", "count = 2\nthreads_per_core = 2").find("one thread per core"), std::string::npos);
}

TEST(Platform, TheCommentedExampleIsRightAboutTheOptionalKeys) {
  const auto& all = builtin_platforms();
  const auto example =
      std::find_if(all.begin(), all.end(), [](const auto& entry) { return entry.first == "quad_npu"; });
  ASSERT_NE(example, all.end());
  std::string text(example->second);
  for (std::size_t at = text.find("\n#: "); at != std::string::npos; at = text.find("\n#: ")) text.erase(at + 1, 3);
  const Platform platform = parse_platform(text, "mine.toml");
  EXPECT_EQ(platform.contention, Contention::kQueue);
  EXPECT_EQ(platform.classes[0].threads_per_core, 2U);
  ASSERT_TRUE(platform.classes[1].npu);
  EXPECT_EQ(platform.classes[1].npu->command_cycles, 1000U);
  ASSERT_TRUE(platform.classes.at(2).gpu);
  EXPECT_EQ(platform.classes[2].gpu->launch_cycles, 3125U);
  EXPECT_EQ(platform.loads.size(), 1U);
  for (const PlatformNumber& number : platform_numbers(platform)) {
    const bool is_of_gpu = number.key.starts_with("gpu.");  // the other classes have those keys, too
    const bool in_npu_class = is_of_gpu || number.key == "npu.l1_bytes" || number.key == "npu.l2_bytes" ||
                              number.key == "npu.cache_bytes_per_cycle" || number.key == "npu.dram_bytes_per_s" ||
                              number.key == "npu.threads_per_core" || number.key == "npu.corun_rate";
    const std::string key = number.key.substr(number.key.rfind('.') + 1);
    EXPECT_TRUE(in_npu_class || text.find("\n" + key + " = ") != std::string::npos) << number.key;
  }
}

TEST(PlatformNumbers, ListEveryNumberWithItsSource) {
  const std::string text = std::string(kChip) + "[provenance]\n\"npu.rows\" = \"seen: a\"\n" +
                           "\"load.tick.period_ps\" = \"derived: b\"\n\"cpu.kernel_efficiency.gemm_f32\" = " +
                           "\"memory: c\"\n\"npu.dataflow\" = \"memory: d\"\n";
  const Platform platform = parse_platform(text, "mine.toml");
  const auto find = [numbers = platform_numbers(platform)](const std::string& key) {
    for (const PlatformNumber& number : numbers) {
      if (number.key == key) return number;
    }
    return PlatformNumber{};
  };
  EXPECT_EQ(std::get<std::uint64_t>(find("npu.rows").value), 8U);
  EXPECT_EQ(find("npu.rows").source, "seen: a");
  EXPECT_EQ(std::get<double>(find("cpu.corun_rate").value), 0.75);
  EXPECT_EQ(find("cpu.corun_rate").source, "");
  EXPECT_EQ(std::get<std::string>(find("npu.dataflow").value), "os");
  EXPECT_EQ(find("load.tick.period_ps").source, "derived: b");
  EXPECT_EQ(find("cpu.kernel_efficiency.gemm_f32").source, "memory: c");
  const ProvenanceCount count = count_provenance(platform);
  EXPECT_EQ(count.seen, 1U);
  EXPECT_EQ(count.derived, 1U);
  EXPECT_EQ(count.memory, 2U);
}

TEST(PlatformNumbers, WordsOfChoicesAreThoseOfTheFile) {
  for (const char* word : {"os", "ws", "is"}) {
    const std::string text = chip_with("\"os\"", '"' + std::string(word) + '"');
    EXPECT_STREQ(dataflow_word(parse_platform(text, "mine.toml").classes[1].npu->dataflow), word);
  }
  for (const char* word : {"none", "queue"}) {
    const std::string text = chip_with("\"queue\"", '"' + std::string(word) + '"');
    EXPECT_STREQ(contention_word(parse_platform(text, "mine.toml").contention), word);
  }
}

}  // namespace
}  // namespace detent::sim::test
