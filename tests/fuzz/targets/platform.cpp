// Platform files: what is accepted lies within the limits that the simulator relies on.
#include <detent/limits.h>

#include "sim/platform/reader.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {
namespace {

void check_class(const sim::CoreClass& core) {
  require(core.count > 0 && core.clock_hz > 0, "a class has cores that run");
  require(core.efficiency > 0 && core.efficiency <= 1, "an efficiency is a share");
  require(core.corun_rate > 0 && core.corun_rate <= 1, "a co-run rate is a share");
  for (const auto& [kernel, share] : core.kernel_efficiency) require(share > 0 && share <= 1, "a kernel's is, too");
}

void check_load(const sim::Platform& platform, const sim::Load& load) {
  require(load.duration_ps > 0 && load.period_ps > load.duration_ps + load.jitter_ps, "a load leaves time");
  require(load.offset_ps < load.period_ps, "a load begins in its first period");
  bool found = false;
  for (const sim::CoreClass& core : platform.classes) found |= core.name == load.core_class && load.core < core.count;
  require(found, "a load takes a core that exists");
}

}  // namespace

void platform_target(std::string_view input) {
  sim::Platform platform;
  if (!accepts([&] { platform = sim::parse_platform(input, kInputName); })) return;
  require(!platform.classes.empty() && platform.classes[0].name == "cpu", "the first class is cpu");
  std::uint64_t cores = 0;
  for (const sim::CoreClass& core : platform.classes) {
    check_class(core);
    cores += core.count;
  }
  require(cores <= DETENT_MAX_WORKERS, "the runtime has that many workers");
  require(platform.overheads.lock_contended_ps >= platform.overheads.lock_ps, "a contended lock costs no less");
  for (const sim::Load& load : platform.loads) check_load(platform, load);
}

}  // namespace detent::fuzz
