// HostCosts: arithmetic, caches, memory and the runtime's own steps, one benchmark each.
#include "harness/measure/host_costs.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <vector>

#include <detent/limits.h>

#include "harness/measure/host_cpu.hpp"
#include "harness/measure/host_overheads.hpp"

namespace detent::harness {
namespace {

constexpr double kPsPerSecond = 1e12;
constexpr std::uint64_t kAdditions = 4'000'000;
constexpr std::uint64_t kMultiplyAddRounds = 200'000;
constexpr std::size_t kMaxCopiers = 16;

/// Two buffers of one thread.
struct CopyBuffers {
  std::vector<std::uint8_t> from, to;
};

/// Bytes read and written per second while every CPU of `cpus` copies.
double copy_rate(const std::vector<int>& cpus, std::uint64_t bytes, std::uint64_t repeats, std::uint32_t rounds) {
  std::vector<CopyBuffers> buffers(cpus.size());
  for (CopyBuffers& b : buffers) {
    b.from.assign(bytes, 1);
    b.to.assign(bytes, 2);
  }
  const std::uint64_t time_ps = time_together(cpus, rounds, [&](std::size_t i) {
    for (std::uint64_t r = 0; r < repeats; ++r) {
      std::memcpy(buffers[i].to.data(), buffers[i].from.data(), bytes);
      asm volatile("" ::: "memory");
    }
  });
  return 2.0 * static_cast<double>(bytes * repeats * cpus.size()) / static_cast<double>(time_ps) * kPsPerSecond;
}

std::uint64_t read_cache_file(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  char unit = 0;
  file >> value >> unit;
  return unit == 'M' ? value << 20U : unit == 'K' ? value << 10U : value;
}

/// "0-1,4" names three CPUs.
std::uint32_t count_list(const std::string& path) {
  std::ifstream file(path);
  std::uint32_t count = 0;
  std::uint32_t first = 0;
  while (file >> first) {
    std::uint32_t last = first;
    if (file.peek() == '-') {
      file.get();
      file >> last;
    }
    count += last >= first ? last - first + 1 : 1;
    if (file.peek() != ',') break;
    file.get();
  }
  return std::max(count, 1U);
}

void measure_arithmetic(const HostCostOptions& options, const std::vector<int>& cpus, HostCosts& costs) {
  const std::uint64_t chain_ps =
      time_together({cpus[0]}, options.rounds, [](std::size_t) { add_in_a_chain(kAdditions); });
  costs.clock_hz =
      static_cast<std::uint64_t>(static_cast<double>(kAdditions) / static_cast<double>(chain_ps) * kPsPerSecond);
  double flops = 0;
  const auto compute = [&](std::size_t i) {
    const double done = multiply_add(kMultiplyAddRounds);
    if (i == 0) flops = done;
  };
  const std::uint64_t alone_ps = time_together({cpus[0]}, options.rounds, compute);
  const double rate = flops / static_cast<double>(alone_ps) * kPsPerSecond;
  costs.flops_per_cycle = rate / static_cast<double>(std::max<std::uint64_t>(costs.clock_hz, 1));
  for (std::size_t other = 1; other < cpus.size() && other < kMaxCopiers; ++other) {
    const std::uint64_t both_ps = time_together({cpus[0], cpus[other]}, options.rounds, compute);
    costs.corun_rate = std::min(costs.corun_rate, static_cast<double>(alone_ps) / static_cast<double>(both_ps));
  }
}

void measure_memory(const HostCostOptions& options, const std::vector<int>& cpus, HostCosts& costs) {
  const CacheLevel first = host_cache(1);
  const CacheLevel second = host_cache(2);
  const CacheLevel third = host_cache(3);
  costs.l1_bytes = first.bytes / first.sharers;
  costs.l2_bytes = second.bytes / second.sharers + third.bytes / third.sharers;
  const std::uint64_t near_bytes = std::max<std::uint64_t>(second.bytes / 4, 64 * 1024);  // both buffers fill a half
  const double near_rate = copy_rate({cpus[0]}, near_bytes, 64, options.rounds);
  costs.cache_bytes_per_cycle = near_rate / static_cast<double>(std::max<std::uint64_t>(costs.clock_hz, 1));
  costs.core_bytes_per_s = static_cast<std::uint64_t>(copy_rate({cpus[0]}, options.copy_bytes, 1, options.rounds));
  costs.dram_bytes_per_s = costs.core_bytes_per_s;
  for (std::size_t count = 2; count <= std::min(cpus.size(), kMaxCopiers); count *= 2) {
    const std::vector<int> some(cpus.begin(), cpus.begin() + static_cast<std::ptrdiff_t>(count));
    const double rate = copy_rate(some, options.copy_bytes, 1, options.rounds);
    costs.dram_bytes_per_s = std::max(costs.dram_bytes_per_s, static_cast<std::uint64_t>(rate));
  }
}

}  // namespace

CacheLevel host_cache(int level) {
  const std::string root = "/sys/devices/system/cpu/cpu0/cache/index";
  for (int index = 0; index < 8; ++index) {
    const std::string directory = root + std::to_string(index);
    std::ifstream type(directory + "/type");
    std::string kind;
    if (!(type >> kind)) break;
    if (kind == "Instruction" || read_cache_file(directory + "/level") != static_cast<std::uint64_t>(level)) continue;
    return {read_cache_file(directory + "/size"), count_list(directory + "/shared_cpu_list")};
  }
  std::int64_t bytes = 0;
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  bytes = ::sysconf(level == 1 ? _SC_LEVEL1_DCACHE_SIZE : level == 2 ? _SC_LEVEL2_CACHE_SIZE : _SC_LEVEL3_CACHE_SIZE);
#endif
  return {bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0, 1};
}

HostCosts measure_host(const HostCostOptions& options) {
  if (options.rounds == 0 || options.copy_bytes == 0) {
    throw std::invalid_argument("host costs: nothing to measure; give at least one round and one byte");
  }
  const auto say = [&](const char* what) {
    if (options.progress) options.progress(what);
  };
  std::vector<int> cpus = usable_cpus();
  if (cpus.size() > DETENT_MAX_WORKERS) cpus.resize(DETENT_MAX_WORKERS);
  HostCosts costs;
  costs.cpus = static_cast<std::uint32_t>(cpus.size());
  say("arithmetic");
  measure_arithmetic(options, cpus, costs);
  say("memory");
  measure_memory(options, cpus, costs);
  say("runtime");
  const RuntimeCosts runtime = measure_runtime(cpus, options.rounds);
  costs.dispatch_ps = runtime.dispatch_ps;
  costs.queue_ps = runtime.queue_ps;
  costs.lock_ps = runtime.lock_ps;
  costs.lock_contended_ps = runtime.lock_contended_ps;
  costs.wake_ps = runtime.wake_ps;
  costs.interrupt_ps = runtime.interrupt_ps;
  costs.log_ps = runtime.log_ps;
  return costs;
}

}  // namespace detent::harness
