#include "properties/sim/random_chip.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>

#include "sim/platform/reader.hpp"
#include "tests/sim/graph.hpp"

namespace detent::laws {
namespace {

using sim::test::Random;

std::uint32_t pick(Random& random, std::uint32_t low, std::uint32_t high) { return low + random.below(high - low + 1); }

/// Overheads are nothing, small or large beside the ops, all together: what dominates differs from chip to chip.
std::string overheads_text(Random& random) {
  const std::uint32_t most = std::array{0U, 20U, 300U, 5'000U}[random.below(4)];
  std::string text = "[overheads]\n";
  for (const char* key : {"dispatch_ps", "queue_ps", "lock_ps", "wake_ps", "log_ps", "interrupt_ps", "migrate_ps"}) {
    text += fmt::format("{} = {}\n", key, random.below(3) == 0 ? 0 : pick(random, 0, most));
  }
  return text;
}

std::string cpu_text(Random& random, std::uint32_t count, bool pairs) {
  std::string text = fmt::format(
      "[[core]]\nclass = \"cpu\"\ncount = {}\nclock_hz = 1_000_000_000\nflops_per_cycle = 1.0\n"
      "dram_bytes_per_s = {}\n",
      count, pick(random, 3, 10) * 10'000'000'000ULL);
  if (pairs) text += fmt::format("threads_per_core = 2\ncorun_rate = {}\n", 0.2 * pick(random, 1, 5));
  return text;
}

/// Class "npu": NPUs, or GPUs of the same rate, number, depth and requests.
std::string accelerator_text(Random& random, bool is_gpu) {
  const std::uint32_t count = pick(random, 1, 3);
  const std::uint64_t bytes_per_s = pick(random, 3, 10) * 10'000'000'000ULL;
  const std::uint32_t depth = pick(random, 1, 3), requests = pick(random, 1, 9);
  const std::string kind =
      is_gpu ? fmt::format("wave_elements = 4\nlaunch_cycles = {}\nloads_outstanding = {}\n", depth, requests)
             : fmt::format("rows = 4\ncols = 4\ndma_outstanding = {}\n", requests);
  return fmt::format(
      "[[core]]\nclass = \"npu\"\ncount = {}\nclock_hz = 1_000_000_000\nflops_per_cycle = 32.0\n"
      "dram_bytes_per_s = {}\nqueue_depth = {}\n[core.{}]\n{}",
      count, bytes_per_s, depth, is_gpu ? "gpu" : "npu", kind);
}

std::string load_text(Random& random, std::uint32_t number, std::uint32_t cpus) {
  const std::uint32_t period = pick(random, 2'000, 40'000);
  const std::uint32_t duration = pick(random, 1, period / 6);
  return fmt::format(
      "[[load]]\nname = \"load{}\"\nclass = \"cpu\"\ncore = {}\nperiod_ps = {}\nduration_ps = {}\noffset_ps = {}\n"
      "jitter_ps = {}\n",
      number, random.below(cpus), period, duration, random.below(period), random.below(period / 2));
}

/// Write the order of the case's schedule. @return the option that names the file
std::string order_option(const GraphCase& g, const std::string& path) {
  const models::LoweredModel model = lowered(g);
  std::ofstream file(path);
  for (const std::uint32_t op : order_of(model.desc(), g.schedule)) file << op << '\n';
  return " --order '" + path + "'";
}

}  // namespace

std::string random_chip_text(const GraphCase& g) {
  Random random(2 * (g.seed * 64 + g.graph.ops.size()) + 1);
  std::uint32_t cpus = pick(random, g.workers, 8);
  const bool pairs = random.below(3) == 0;
  if (pairs) cpus = (cpus + 1) / 2 * 2;
  std::string text = "schema = \"detent.platform/1\"\nname = \"random\"\n";
  text += cpu_text(random, cpus, pairs) + accelerator_text(random, g.seed % 4 == 2);
  text += fmt::format("[memory]\ndram_bytes_per_s = 100_000_000_000\ncontention = \"{}\"\n",
                      random.below(3) == 0 ? "none" : "queue");
  text += overheads_text(random);
  const std::uint32_t loads = random.below(3);
  for (std::uint32_t i = 0; i < loads; ++i) text += load_text(random, i, cpus);
  return text;
}

sim::Platform random_chip(const GraphCase& g) { return sim::parse_platform(random_chip_text(g), "random_chip"); }

bool migrates(const GraphCase& g) { return g.seed % 3 == 0; }

bool follows_order(const GraphCase& g) { return g.seed % 4 == 1; }

std::string random_chip_command(const GraphCase& g, const std::string& file) {
  const std::string chip = file + ".toml";
  std::ofstream(chip) << random_chip_text(g);
  GraphCase with_policy = g;
  if (follows_order(g)) with_policy.policy = "given";
  std::string simulate = bare_command(with_policy, file);
  const std::string cores = " --cores cpu=" + std::to_string(g.workers) + ",npu=1";
  simulate.replace(simulate.find(cores), cores.size(), " --platform '" + chip + "'");
  return "detent check" + simulate.substr(std::string("detent simulate").size()) + (migrates(g) ? " --migrating" : "") +
         (follows_order(g) ? order_option(g, file + ".order") : "") + " --timing-only --schedules 0 --out '" + file +
         ".report'";
}

}  // namespace detent::laws
